"""Conversion of a workload into a file of another format, or into one for each window."""

from __future__ import annotations

import glob
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from swfx.base.atomic import atomic_write
from swfx.base.errors import InputError
from swfx.base.numbers import plural
from swfx.base.options import bracketed
from swfx.families.exporters import Exporter, find_exporter
from swfx.families.exporters.registry import PACKED
from swfx.families.splitting import split, window_count
from swfx.families.transforms import Transformation, apply_all, make_transforms
from swfx.families.transforms.anonymise import Anonymise, read_salt
from swfx.reading.notes import Echo, read_notes, transformation_notes, transformation_record
from swfx.reading.saving import STDOUT, check_target, refuse_overwriting, save
from swfx.reading.workload_source import WorkloadSource
from swfx.workload import Workload


@dataclass(frozen=True)
class Conversion:
    """A workload to convert, and the format and file for the result.

    Attributes
    ----------
    source : WorkloadSource
        The workload.
    out : Path
        File to write, ``-`` for standard output.
    to : str or None
        Format, by default that of the suffix of `out`.
    apply : tuple of str
        Transformations, in order.
    seed : int
        Of the transformations.
    length : float or None
        Of the windows to split into (s).
    whole : bool
        Leave out jobs that start in one window and end in another.
    most : int
        Windows that may be written.
    report : Path or None
        JSON file for the account of the reading and the transformations.
    """

    source: WorkloadSource
    out: Path
    to: str | None = None
    apply: tuple[str, ...] = ()
    seed: int = 0
    length: float | None = None
    whole: bool = False
    most: int = 5_000
    report: Path | None = None

    @cached_property
    def transformations(self) -> tuple[Transformation, ...]:
        """The transformations."""
        return make_transforms(self.apply)

    @cached_property
    def exporter(self) -> Exporter:
        """Exporter of the format."""
        return find_exporter(self.out, self.to)

    def check(self) -> None:
        """Refuse what cannot be done, before anything is read.

        Raises
        ------
        InputError
            Naming the option or file.
        """
        if self.length is None and self.whole:
            raise InputError("there are no windows", field="`whole`", remedy="give `length`, too")
        if self.length is not None and self.out == STDOUT:
            raise InputError("each window is a file", field="`length`", remedy="give `out=FILE`")
        _ = self.transformations, self.exporter
        first = self.out if self.length is None else part_path(self.out, 1)
        for path in filter(None, (first, self.report)):
            check_target(path)
            refuse_overwriting(path, self.source.text)
        for transformation in self.transformations:
            if isinstance(transformation, Anonymise) and transformation.mapping:
                self._refuse_twice(Path(transformation.mapping))

    def _refuse_twice(self, mapping: Path) -> None:
        for path in (self.out, self.report):
            if path is not None and path.resolve() == mapping.resolve():
                raise InputError(
                    f"{mapping} is to hold something else, too",
                    source="anonymise",
                    field="mapping",
                    remedy="name another file",
                )


def convert(conversion: Conversion, echo: Echo) -> None:
    """Read, transform and write a workload.

    Parameters
    ----------
    conversion : Conversion
        The workload, and the format and file for the result.
    echo : callable
        Takes the lines that say what happened.

    Raises
    ------
    InputError
        Something cannot be read, transformed or written; the files that are there are complete.
    """
    conversion.check()
    workload, report = conversion.source.load()
    for line in read_notes(report):
        echo(line)
    done = apply_all(workload, conversion.apply, conversion.seed)
    for line in transformation_notes(done):
        echo(line)
    if conversion.length is None:
        save(done.workload, conversion.exporter, conversion.out, echo)
    else:
        _write_windows(conversion, done.workload, conversion.length, echo)
    if conversion.report is not None:
        record = transformation_record(conversion.apply, done)
        document = {**report.to_dict(), "transformations": record}
        with atomic_write(conversion.report) as stream:
            stream.write(json.dumps(document, indent=2, ensure_ascii=False).encode() + b"\n")


def pseudonyms(anonymise: bool, salt: str | None) -> tuple[str, ...]:
    """Return the transformation that makes pseudonyms with a salt, if it is wanted.

    Raises
    ------
    InputError
        One is given without the other, or the salt is no secret.
    """
    if anonymise != bool(salt):
        field, other = ("`anonymise`", "`salt=FILE`") if anonymise else ("`salt`", "`anonymise`")
        raise InputError("says nothing alone", field=field, remedy=f"give {other}, too")
    if not salt:
        return ()
    read_salt(salt)
    return (f"anonymise:salt={bracketed(salt)}",)


def merging(logs: Sequence[str], **options: str) -> tuple[str, ...]:
    """Return the transformations that add logs to a workload, one after the other.

    Parameters
    ----------
    logs : sequence of str
        Workloads, as `swfx.open_workload` takes them.
    **options
        Of `swfx.families.transforms.merge.Merge`.

    Examples
    --------
    >>> merging(["a.swf"], users="same")
    ('merge:log=a.swf,users=same',)
    """
    given = "".join(f",{key}={value}" for key, value in options.items())
    return tuple(f"merge:log={bracketed(log)}{given}" for log in logs)


def part_path(out: Path, number: int) -> Path:
    """File of one window: its number goes before the suffixes.

    Examples
    --------
    >>> part_path(Path("runs/week.swf.gz"), 7).name
    'week-0007.swf.gz'
    """
    stem, suffixes = _stem_and_suffixes(out)
    return out.with_name(f"{stem}-{number:04d}{suffixes}")


def _stem_and_suffixes(out: Path) -> tuple[str, str]:
    packing = out.suffix if out.suffix in PACKED else ""
    name = Path(out.name.removesuffix(packing))
    return name.stem, name.suffix + packing


def _write_windows(conversion: Conversion, workload: Workload, length: float, echo: Echo) -> None:
    files = window_count(workload, length)
    if files > conversion.most:
        raise InputError(
            f"there are {files:,} windows, and as many files",
            field="`length`",
            remedy=f"give a longer one, or `most={files}`",
        )
    written = set()
    crossing = cut = 0
    for part in split(workload, length, whole=conversion.whole):
        crossing, cut = crossing + part.crossing, cut + part.cut
        if len(part.workload):
            path = part_path(conversion.out, part.number)
            save(part.workload, conversion.exporter, path, echo)
            written.add(path)
    were = "was" if cut == 1 else "were"
    windows, links = plural(len(written), "window"), plural(cut, "link")
    echo(f"{windows} of {length:.12g} s; {links} to jobs of others {were} cut")
    if crossing:
        echo(f"{plural(crossing, 'job')} dropped: they do not end in the window that they start in")
    stem, suffixes = map(glob.escape, _stem_and_suffixes(conversion.out))
    others = sorted(set(conversion.out.parent.glob(f"{stem}-[0-9]*{suffixes}")) - written)
    if others:
        echo(f"not of this split: {', '.join(map(str, others))}")
