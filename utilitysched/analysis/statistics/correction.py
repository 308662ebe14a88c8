"""Corrections of p for many comparisons, whose chances add up."""

from collections.abc import Sequence
from typing import Literal

CorrectionName = Literal["holm", "benjamini-hochberg"]
"""Names of the corrections."""

CORRECTIONS: dict[CorrectionName, str] = {"holm": "holm", "benjamini-hochberg": "fdr_bh"}
"""Ours, and the name that statsmodels has for it."""


def corrected(
    p_values: Sequence[float | None], method: CorrectionName = "holm"
) -> list[float | None]:
    """Correct the p of all comparisons that are made together.

    Parameters
    ----------
    p_values : sequence of float or None
        None where nothing was tested; it does not count, and stays None.
    method : {"holm", "benjamini-hochberg"}
        Holm's step-down method bounds the chance of even one false claim, however the tests depend
        on each other: comparisons with one baseline do. Benjamini and Hochberg's bounds the share
        of false claims among those made, which is less.

    Examples
    --------
    >>> corrected([0.03125, None, 0.0625])
    [0.0625, None, 0.0625]

    References
    ----------
    S. Holm, A simple sequentially rejective multiple test procedure, Scand. J. Statist. 6, 1979.
    Y. Benjamini and Y. Hochberg, Controlling the false discovery rate, J. R. Statist. Soc. B 57,
    1995.
    """
    tested = [p for p in p_values if p is not None]
    if len(tested) < 2:
        return list(p_values)
    from statsmodels.stats.multitest import multipletests  # noqa: PLC0415  slow to import

    adjusted = iter(multipletests(tested, method=CORRECTIONS[method])[1].tolist())
    return [None if p is None else next(adjusted) for p in p_values]
