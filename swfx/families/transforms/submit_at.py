"""Submission of jobs when they became eligible, or when users submitted them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from swfx.base.configured import choice
from swfx.base.numbers import plural, span
from swfx.eligibility import first_submission, submitted_when_eligible
from swfx.families.transformation import TRANSFORMS, Transformation, Transformed, apply_all
from swfx.fields import MISSING
from swfx.workload import Workload

KEEPS = "submit-at:time=submission"
"""Transformation after which simulations submit jobs when users did."""


@TRANSFORMS.register("submit-at")
@dataclass(frozen=True)
class SubmitAt(Transformation):
    """Submit jobs when they became eligible, after begin times, holds and dependencies.

    Waits in the log change by as much; jobs stand in the order of submission. `submission` undoes
    this, and drops what the log knows of eligibility: simulations then submit jobs when users did.

    Parameters
    ----------
    time : {"eligible", "submission"}
        When jobs are submitted.

    Examples
    --------
    >>> log = Workload.from_columns(submit=[0, 5], wait=[10, 60], eligible=[0, 50])
    >>> SubmitAt.from_text("").apply(log, 0).workload.submit.tolist()
    [0.0, 55.0]
    """

    time: str = choice(("eligible", "submission"), "eligible")

    def apply(self, workload: Workload, seed: int) -> Transformed:
        """Change submissions and waits."""
        if self.time == "eligible":
            return _in_order(submitted_when_eligible(workload))
        before, unknown = first_submission(workload), np.full(len(workload), MISSING)
        waited = np.where(workload.wait >= 0, workload.wait + workload.submit - before, MISSING)
        return _in_order(
            workload.replace(submit=before, wait=waited, eligible=unknown, submitted_before=unknown)
        )


def simulated(
    workload: Workload, texts: Iterable[str], seed: int = 0, *, dependencies: bool = False
) -> Transformed:
    """Return the jobs as simulations take them: transformed, then submitted when eligible.

    Parameters
    ----------
    workload, texts, seed
        As `apply_all` takes them.
    dependencies : bool, default False
        As `submitted_when_eligible` takes it.

    Raises
    ------
    InputError
        As by `apply_all`.
    """
    done = apply_all(workload, texts, seed)
    moved = submitted_when_eligible(done.workload, dependencies=dependencies)
    if moved is not done.workload:
        moved = _in_order(moved).workload
    return done._replace(workload=moved, notes=(*done.notes, *eligibility_notes(moved)))


def eligibility_notes(workload: Workload) -> Iterator[str]:
    """Yield how many jobs of a simulation are submitted when they became eligible, if any is."""
    late = workload.submitted_before
    jobs = int(np.count_nonzero(late > 0))
    if jobs:
        are, latest = "is" if jobs == 1 else "are", span(float(late.max()))
        yield (
            f"{plural(jobs, 'job')} {are} submitted when eligible (begin times, holds,"
            f" dependencies, array limits), up to {latest} after submission;"
            f" the transformation {KEEPS} keeps the log's times"
        )


def _in_order(workload: Workload) -> Transformed:
    if (np.diff(workload.submit) < 0).any():
        workload = workload[np.argsort(workload.submit, kind="stable")]
    return Transformed(workload)
