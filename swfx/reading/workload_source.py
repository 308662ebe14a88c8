"""Source of a workload: its name, and how it is to be read, whole or part by part."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

from swfx.base.document_values import made, whole
from swfx.base.options import slice_of, slice_text
from swfx.base.typed import Typed

if TYPE_CHECKING:
    from swfx.header import Header
    from swfx.reading.reader import Loaded
    from swfx.reading.report import LoadReport
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
    """Name of a workload, and options for reading.

    Attributes
    ----------
    text : str
        SWF log (or .gz, .xz, .zst), - (standard input), FORMAT:FILE (utilitysched list formats) as
        slurm:sacct.txt, sample:, archive:KTH-SP2 once fetched, or model:lublin,jobs=5000.
    jobs : slice or None
        Job lines A to B only, from 0, B excluded, before cleaning.
    machine_size : int or None
        Processors of the machine.
    strict : bool or None
        Refuse what cleaning drops or repairs / drop malformed lines, too.

        None for standard cleaning.
    """

    text: Annotated[str, Typed("WORKLOAD")]
    jobs: Annotated[slice | None, made(slice_of), Typed("--jobs A:B")] = None
    machine_size: Annotated[
        int | None, whole(1), Typed("--machine-size N", shown="the log's header")
    ] = None
    strict: Annotated[bool | None, Typed("--strict/--lenient")] = None

    @property
    def cleaning(self) -> CleaningName:
        """Name of the cleaning."""
        return _CLEANING[self.strict]

    @property
    def slice_text(self) -> str | None:
        """The slice as A:B."""
        return None if self.jobs is None else slice_text(self.jobs)

    def load(self) -> Loaded:
        """Read the workload.

        Raises
        ------
        InputError
            It cannot be read, or holds no jobs.
        """
        from swfx.reading.sources import open_workload  # noqa: PLC0415  brings numpy

        return open_workload(
            self.text, jobs=self.jobs, machine_size=self.machine_size, cleaning=self.cleaning
        )

    def load_sized(self, size_of: Callable[[Workload], int]) -> Loaded:
        """Read the workload; `size_of` tells how large its machine is where nothing else does.

        Raises
        ------
        InputError
            It cannot be read, or holds no jobs.
        """
        from swfx.reading.sources import open_sized  # noqa: PLC0415  brings numpy

        if self.machine_size is not None:
            return self.load()
        return open_sized(self.text, size_of, jobs=self.jobs, cleaning=self.cleaning)

    def open(self) -> WorkloadParts:
        """Open the workload, to be read part by part: a log in SWF need not fit into memory.

        Raises
        ------
        InputError
            It cannot be read.
        """
        from swfx.reading.sources import swf_file  # noqa: PLC0415  brings numpy
        from swfx.reading.streaming import stream  # noqa: PLC0415

        file = swf_file(self.text)
        if file is None:
            workload, report = self.load()
            return WorkloadParts(workload.header, iter([workload]), lambda: report, lambda: 0.0)
        parts = stream(file, jobs=self.jobs, machine_size=self.machine_size, cleaning=self.cleaning)
        return WorkloadParts(parts.header, parts, lambda: parts.report, lambda: parts.fraction)

    def to_dict(self) -> dict[str, object]:
        """Return the entry of the source in records of provenance."""
        return {"source": self.text, "slice": self.slice_text, "cleaning": self.cleaning}
