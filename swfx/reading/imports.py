"""Logs of other formats, as workloads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from glob import glob
from pathlib import Path

from swfx.base.compression import unpacked
from swfx.base.errors import InputError, placed
from swfx.families.formats.registry import IMPORTERS, Imported, Importer
from swfx.reading.cleaning import clean
from swfx.reading.reader import Loaded
from swfx.reading.report import LoadReport, located
from swfx.reading.streaming import ReadOptions, selected
from swfx.reading.text import BYTE_ORDER_MARK, HEAD, pieces_of, source_name

__all__ = ["cleaned", "files_of", "find_importer", "import_log", "is_pattern"]


def find_importer(text: str) -> Importer | None:
    """Make an importer from ``NAME[,key=value,...]``; None if no format has that name.

    Raises
    ------
    InputError
        An option that is not known or of no use.
    """
    name, _, options = text.partition(",")
    if name.strip() not in IMPORTERS.names():
        return None
    return IMPORTERS.make(f"{name}:{options}")


def is_pattern(text: str) -> bool:
    """Whether a text may stand for several files.

    >>> is_pattern("2026*"), is_pattern("log[1].txt")
    (True, False)
    """
    return not {"*", "?"}.isdisjoint(text)


def files_of(source: str | Path) -> list[str | Path]:
    """Return the files of a log by name: one, or all that fit a pattern such as ``2026*``.

    Raises
    ------
    InputError
        No file fits the pattern.

    Examples
    --------
    >>> files_of("sacct.txt")
    ['sacct.txt']
    """
    if not is_pattern(str(source)) or Path(source).exists():
        return [source]
    files: list[str | Path] = [*sorted(glob(str(source)))]  # noqa: PTH207 - any folder
    if not files:
        raise InputError(
            f"no file fits the pattern {str(source)!r}", remedy="give the path of a log"
        )
    return files


def import_log(importer: Importer, source: str | Path) -> Imported:
    """Return all jobs of a log before any cleaning.

    Parameters
    ----------
    importer : Importer
        What reads the format.
    source : str or Path
        File, plain or packed by gzip, xz or zstd; a pattern of the names of several, which are
        read as one, such as the files of each day or month; `-` is standard input.

    Raises
    ------
    InputError
        If a file cannot be read, or the importer refuses it.
    """
    name = source_name(source)
    joined = _Joined(files_of(source))
    try:
        log = importer.read_pieces(joined, name)
    except InputError as error:
        from swfx.reading.recognition import explained  # noqa: PLC0415  knows all formats

        error = explained(error, bytes(joined.head), str(source), importer)
        raise located(error, joined.files, name) from error
    return log._replace(report=replace(log.report, files=joined.files[1:] and joined.files))


class _Joined:
    """Unpacked bytes of files, one after the other; each file begins a line.

    Attributes
    ----------
    files : list of tuple of (str, int)
        Name of each file so far, and the number of lines before it.
    head : bytearray
        First bytes of all.
    """

    def __init__(self, sources: list[str | Path]) -> None:
        self.files: list[tuple[str, int]] = []
        self.head = bytearray()
        self._sources = sources

    def __iter__(self) -> Iterator[bytes]:
        end, lines = b"\n", 0
        for file in self._sources:
            if end != b"\n":
                yield b"\n"
                end, lines = b"\n", lines + 1
            self.files.append((source_name(file), lines))
            try:
                for place, piece in enumerate(unpacked(pieces_of(file))):
                    is_next = len(self.files) > 1 and not place
                    self.head += piece[: max(0, HEAD - len(self.head))]
                    yield piece.removeprefix(BYTE_ORDER_MARK) if is_next else piece
                    end, lines = piece[-1:] or end, lines + piece.count(b"\n")
            except InputError as error:
                raise placed(error, source_name(file)) from error


def cleaned(log: Imported, options: ReadOptions) -> Loaded:
    """Clean an imported log as `swfx.read` cleans SWF.

    The report lists, by line of the log, what the importer found and what cleaning did. In strict
    cleaning a record that cannot be read is an error.

    Raises
    ------
    InputError
        The options ask for what is not there, or refuse what is.
    """
    workload, report, line = log
    try:
        if options.cleaning == "strict":
            _refuse_malformed(report)
        rows = selected(options.jobs or slice(None), len(workload))
        if options.machine_size is not None:
            header = workload.header.with_value("MaxProcs", options.machine_size)
            workload = workload.replace(header=header)
        left_out = len(workload) - (rows.stop - rows.start)
        asked_for = replace(report, job_lines=report.job_lines - left_out)
        return Loaded(*clean(workload[rows], asked_for, line[rows], options.cleaning))
    except InputError as error:
        raise located(error, report.files, report.source) from error


def _refuse_malformed(report: LoadReport) -> None:
    for line, code in zip(report.line.tolist(), report.rule.tolist(), strict=True):
        rule = report.rules[code]
        if rule.malformed:
            raise InputError(
                rule.meaning, line=line, remedy="correct the line, or use standard cleaning"
            )
