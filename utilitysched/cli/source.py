"""Where a workload comes from, as told on the command line."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from swfx import Header, Loaded, LoadReport, Workload

Cleaning = Literal["standard", "strict", "lenient"]

_CLEANING: dict[bool | None, Cleaning] = {None: "standard", True: "strict", False: "lenient"}


class Parts(NamedTuple):
    """A workload that is being read.

    Attributes
    ----------
    header : Header
        Its header.
    jobs : iterable of Workload
        Its jobs, part by part, once.
    report : callable
        Gives what happened to every line, once all parts have been seen.
    fraction : callable
        Gives the share read so far, 0 if unknown.
    """

    header: "Header"
    jobs: "Iterable[Workload]"
    report: "Callable[[], LoadReport]"
    fraction: Callable[[], float]


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
        from swfx.reading.sources import open_workload

        return open_workload(
            self.text, jobs=self.jobs, machine_size=self.procs, cleaning=self.cleaning
        )

    def open(self) -> "Parts":
        """Open the workload, to be read part by part: a log in SWF need not fit into memory.

        Raises
        ------
        InputError
            It cannot be read.
        """
        import swfx
        from swfx.reading.sources import swf_file

        file = swf_file(self.text)
        if file is None:
            workload, report = self.load()
            return Parts(workload.header, iter([workload]), lambda: report, lambda: 0.0)
        found = swfx.stream(file, jobs=self.jobs, machine_size=self.procs, cleaning=self.cleaning)
        return Parts(found.header, found, lambda: found.report, lambda: found.fraction)

    def to_dict(self) -> dict[str, object]:
        """Return what provenance keeps."""
        return {"source": self.text, "slice": self.slice_text, "cleaning": self.cleaning}
