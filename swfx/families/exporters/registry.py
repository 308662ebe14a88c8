"""Output formats by name, and by the suffix of the file."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar, NamedTuple

from swfx.base.atomic import atomic_write
from swfx.base.compression import compress
from swfx.base.configured import Configured
from swfx.base.errors import InputError
from swfx.base.registry import Registry
from swfx.workload import Workload

__all__ = ["EXPORTERS", "Exported", "Exporter", "export", "find_exporter"]

PACKED = (".gz", ".xz", ".zst")
STANDARD_OUTPUT_FORMAT = "swfx"


class Exported(NamedTuple):
    """A workload in some format, and one sentence for each thing the format has no place for."""

    data: bytes
    notes: tuple[str, ...] = ()


class Exporter(Configured, ABC):
    """Base of the output formats; options are dataclass fields.

    Attributes
    ----------
    suffixes : tuple of str
        File name suffixes that stand for this format.
    """

    suffixes: ClassVar[tuple[str, ...]] = ()

    def prepare(self) -> None:
        """Refuse a format that needs what is not installed, before there is anything to write.

        Raises
        ------
        InputError
            Naming what to install.
        """

    @abstractmethod
    def format(self, workload: Workload) -> Exported:
        """Workload as the bytes of a plain file; equal workloads give equal bytes."""

    def write(self, workload: Workload, target: str | Path) -> tuple[str, ...]:
        """Write a workload to a file, packed by its suffix, or to `-`, standard output.

        Returns
        -------
        tuple of str
            What the format has no place for, one sentence each.

        Raises
        ------
        InputError
            If the workload cannot be written in this format, or the file cannot be written.
        """
        data, notes = self.format(workload)
        if str(target) == "-":
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        else:
            packed = compress(data, Path(target).suffix)
            with atomic_write(target) as stream:
                stream.write(packed)
        return notes


EXPORTERS: Registry[Exporter] = Registry(
    "output format", "swfx.exporters", "swfx.families.exporters"
)
"""Output formats by name."""


def export(workload: Workload, target: str | Path, to: str | None = None) -> tuple[str, ...]:
    """Write a workload in some format.

    Parameters
    ----------
    workload : Workload
        At least one job.
    target : str or Path
        File that appears complete or not at all, packed where its name ends in `.gz`, `.xz` or
        `.zst`; `-` is standard output.
    to : str, optional
        Format, ``NAME[:key=value,...]``; by default the one that the suffix of `target` stands
        for, and `swfx` on standard output, a pipe or a device.

    Returns
    -------
    tuple of str
        What the format has no place for, one sentence each.

    Raises
    ------
    InputError
        If the format is not known, or the workload or file cannot be written.
    """
    return find_exporter(target, to).write(workload, target)


def find_exporter(target: str | Path, to: str | None = None) -> Exporter:
    """Make the exporter that `export` uses.

    Raises
    ------
    InputError
        If the format is not known, or cannot be written here.
    """
    exporter = EXPORTERS.make(to or _by_suffix(target))
    exporter.prepare()
    return exporter


def _by_suffix(target: str | Path) -> str:
    path = Path(target)
    if str(target) == "-" or (path.exists() and not path.is_file()):  # such as a pipe
        return STANDARD_OUTPUT_FORMAT
    suffix = Path(path.stem).suffix if path.suffix in PACKED else path.suffix
    formats = {s: name for name, kind in EXPORTERS.members().items() for s in kind.suffixes}
    if suffix not in formats:
        raise InputError(
            f"no output format has the suffix {suffix!r}" if suffix else "has no suffix",
            source=str(target),
            remedy=f"name the format ({', '.join(EXPORTERS.names())}) or end the name in"
            f" {', '.join(sorted(formats))}",
        )
    return formats[suffix]
