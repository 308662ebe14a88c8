"""Source of a workload: its name, and how it is to be read, whole or part by part."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from swfx.header import Header
from swfx.reading.reader import Loaded
from swfx.reading.report import LoadReport
from swfx.reading.sources import open_sized, open_workload, swf_file
from swfx.reading.streaming import stream
from swfx.workload import Workload

CleaningName = Literal["standard", "strict", "lenient"]

_CLEANING: dict[bool | None, CleaningName] = {None: "standard", True: "strict", False: "lenient"}


class WorkloadParts(NamedTuple):
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

    header: Header
    jobs: Iterable[Workload]
    report: Callable[[], LoadReport]
    fraction: Callable[[], float]


@dataclass(frozen=True)
class WorkloadSource:
    """A workload by its name, and how to read it.

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
    def cleaning(self) -> CleaningName:
        """Name of the cleaning."""
        return _CLEANING[self.strict]

    @property
    def slice_text(self) -> str | None:
        """The slice as A:B."""
        if self.jobs is None:
            return None
        ends = (self.jobs.start, self.jobs.stop)
        return ":".join("" if end is None else str(end) for end in ends)

    def load(self) -> Loaded:
        """Read the workload.

        Raises
        ------
        InputError
            It cannot be read, or holds no jobs.
        """
        return open_workload(
            self.text, jobs=self.jobs, machine_size=self.procs, cleaning=self.cleaning
        )

    def load_sized(self, size_of: Callable[[Workload], int]) -> Loaded:
        """Read the workload; `size_of` tells how large its machine is where nothing else does.

        Raises
        ------
        InputError
            It cannot be read, or holds no jobs.
        """
        if self.procs is not None:
            return self.load()
        return open_sized(self.text, size_of, jobs=self.jobs, cleaning=self.cleaning)

    def open(self) -> WorkloadParts:
        """Open the workload, to be read part by part: a log in SWF need not fit into memory.

        Raises
        ------
        InputError
            It cannot be read.
        """
        file = swf_file(self.text)
        if file is None:
            workload, report = self.load()
            return WorkloadParts(workload.header, iter([workload]), lambda: report, lambda: 0.0)
        found = stream(file, jobs=self.jobs, machine_size=self.procs, cleaning=self.cleaning)
        return WorkloadParts(found.header, found, lambda: found.report, lambda: found.fraction)

    def to_dict(self) -> dict[str, object]:
        """Return what provenance keeps."""
        return {"source": self.text, "slice": self.slice_text, "cleaning": self.cleaning}
