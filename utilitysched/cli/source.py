"""Where a workload comes from, as told on the command line."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from swfx import Loaded

Cleaning = Literal["standard", "strict", "lenient"]

_CLEANING: dict[bool | None, Cleaning] = {None: "standard", True: "strict", False: "lenient"}


@dataclass(frozen=True)
class Source:
    """A workload argument and the options that say how to read it.

    Attributes
    ----------
    text : str
        Path, ``-``, ``model:...`` or ``sample:NAME``.
    jobs : slice or None
        Positions of job lines.
    procs : int or None
        Processors of the machine.
    strict : bool or None
        True strict, False lenient, None standard cleaning.
    """

    text: str
    jobs: slice | None = None
    procs: int | None = None
    strict: bool | None = None

    @property
    def cleaning(self) -> Cleaning:
        """Name of the cleaning."""
        return _CLEANING[self.strict]

    @property
    def slice_text(self) -> str | None:
        """The slice as it is typed, A:B."""
        if self.jobs is None:
            return None
        ends = (self.jobs.start, self.jobs.stop)
        return ":".join("" if end is None else str(end) for end in ends)

    def load(self) -> "Loaded":
        """Read the workload.

        Raises
        ------
        InputError
            It cannot be read, or holds no jobs.
        """
        from swfx.sources import open_workload

        return open_workload(
            self.text, jobs=self.jobs, machine_size=self.procs, cleaning=self.cleaning
        )

    def to_dict(self) -> dict[str, object]:
        """Return what provenance keeps."""
        return {"source": self.text, "slice": self.slice_text, "cleaning": self.cleaning}
