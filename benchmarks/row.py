"""One measured figure beside its target."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes
    ----------
    what : str
        What was measured.
    measured : float
        The figure.
    unit : str
        Its unit; ``x`` for a ratio.
    target : float or None
        What it should be, if anything was promised.
    bound : {"at most", "at least"}
        On which side of the target it should be.
    note : str
        How the figure came about.
    """

    what: str
    measured: float
    unit: str
    target: float | None = None
    bound: Literal["at most", "at least"] = "at most"
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None without one."""
        if self.target is None:
            return None
        if self.bound == "at most":
            return self.measured <= self.target
        return self.measured >= self.target

    def line(self) -> str:
        """Return the row as text.

        Examples
        --------
        >>> Row("replay", 31.26, "x", 20, "at least", "to the twin").line().split("  ")[-1]
        'to the twin'
        """
        target = "" if self.target is None else f"{self.bound} {self.target:g}"
        met = {None: "", True: "yes", False: "NO"}[self.met]
        figure = f"{self.measured:,.3g}" if self.measured < 1000 else f"{self.measured:,.0f}"
        return (
            f"{self.what:<42} {figure:>9} {self.unit:<6} {target:<16} {met:<4} {self.note}".strip()
        )
