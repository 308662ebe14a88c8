"""Files that workloads are saved to, refused before the work that would fill them."""

from __future__ import annotations

from pathlib import Path

from swfx.base.atomic import prove_writable
from swfx.base.compression import check_packing
from swfx.base.errors import InputError
from swfx.base.numbers import plural
from swfx.families.exporters import Exporter, find_exporter
from swfx.families.exporters.swf import Swf
from swfx.families.exporters.swfx import ExtendedSwf
from swfx.reading.notes import Echo
from swfx.workload import Workload

STDOUT = Path("-")


def check_target(out: Path) -> None:
    """Refuse a target in a read-only folder, or with the suffix of an unknown packing.

    Raises
    ------
    InputError
        Its folder cannot be written to, or its suffix is a packing that there is not.
    """
    if out != STDOUT:
        try:
            check_packing(out.suffix)
        except InputError as error:
            raise InputError(error.message, source=str(out), remedy=error.remedy) from None
        prove_writable(out)


def refuse_overwriting(out: Path, text: str) -> None:
    """Refuse to write onto the file that is read.

    Raises
    ------
    InputError
        `out` is the file that the text of a workload names.
    """
    for name in (text, text.partition(":")[2]):
        if out.is_file() and Path(name).is_file() and out.samefile(name):
            raise InputError(
                "is the file that is read", source=str(out), remedy="give `out` another name"
            )


def exporter_for(out: Path, to: str | None) -> Exporter:
    """Make what writes a workload that has just been made, before any work.

    The suffix decides unless a format is named. To a name in .swf jobs that need extended SWF are
    written as that: what they have just been given would be lost.

    Raises
    ------
    InputError
        The format or the suffix is not known, or the file cannot be written.
    """
    check_target(out)
    exporter = find_exporter(out, to)
    return ExtendedSwf() if to is None and isinstance(exporter, Swf) else exporter


def save(workload: Workload, exporter: Exporter, out: Path, echo: Echo) -> None:
    """Write a workload and say so, and what the format has no place for.

    Raises
    ------
    InputError
        The file cannot be written.
    """
    for note in exporter.write(workload, out):
        echo(note)
    if out != STDOUT:
        echo(f"wrote {plural(len(workload), 'job')} to {out}")
