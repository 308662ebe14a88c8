"""Kinds of files that their reader refuses, and the commands that read them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from mmap import ACCESS_READ, mmap
from pathlib import Path
from shlex import quote
from typing import Any

from swfx.base.errors import InputError
from swfx.base.parquet import parquet_file
from swfx.families.formats.accounting_csv import AccountingCsv, preset_of
from swfx.families.formats.registry import Importer, recognised
from swfx.header import ENCODING
from swfx.reading.foreign import JSON, PARQUET, TEXT, WITHOUT_NAMES, Foreign, foreign_kind
from swfx.reading.text import BYTE_ORDER_MARK
from swfx.reading.usual_columns import column_names, column_options, missing_columns

__all__ = ["explained"]

_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_SWF = re.compile(rb"\A\s*(;|[-+.\d]+[ \t]+[-+.\d]+\s)|^[ \t]*([-+.\d]+[ \t]+){11}", re.MULTILINE)
_UNPACKERS = {b"\x1f\x8b": "gzip -dc", b"\xfd7": "xz -dc", b"\x28\xb5": "zstd -dc"}
_NO_COLUMN = "has no column"
_MOST_NAMES = 8
"""Names of columns that are shown."""


def explained(error: InputError, head: bytes, file: str, importer: Importer | None) -> InputError:
    """Return the error that names the kind of a file which its reader refused.

    Parameters
    ----------
    error : InputError
        Refusal of the reader.
    head : bytes
        First bytes of the file, unpacked.
    file : str
        Name of the file, - for standard input.
    importer : Importer or None
        Format that was named for the file; None for SWF.

    Returns
    -------
    InputError
        Given error, where no other reader or program would help.
    """
    if importer and error.line and error.line > 1:
        return error  # of a line below some that its format has
    reader = importer.name if importer else "SWF"
    kind = _kind(head.removeprefix(BYTE_ORDER_MARK), file, of_swf=importer is None)
    as_it_is = isinstance(importer, AccountingCsv) and importer.label != importer.name
    if kind is None or (kind.format and as_it_is):
        return error
    what = kind.what and f"is {kind.what}"
    if kind.format == reader:
        if kind.what or not error.message.startswith(_NO_COLUMN):
            return error
        what = error.message  # columns have usual names, but not the default ones
    given = f"{importer.label.replace(':', ',', 1)}:" if importer else ""
    return InputError(
        what or f"begins like a log of {kind.format}, not {reader}",
        remedy=kind.remedy.format(given=given, **_names(file)),
    )


def _kind(head: bytes, file: str, *, of_swf: bool) -> Foreign | None:
    """Kind of a file by its first bytes; without a format's name more kinds are of use."""
    if kind := _utf_16(head) or foreign_kind(head):
        return kind
    if PARQUET.fits(head):
        return _parquet(file, of_swf=of_swf)
    if b"\0" in head or not head.strip():
        return None
    if _SWF.search(head):
        return Foreign("", "", "write: utilitysched check {file}", "SWF")
    name, above = recognised(head)
    if name and name != AccountingCsv.name:
        return Foreign("", "", f"write: {_check(name, above, file)}", name)
    others = (WITHOUT_NAMES, JSON, TEXT) if of_swf else ()
    return _table(head, above, file) or next((kind for kind in others if kind.fits(head)), None)


def _utf_16(head: bytes) -> Foreign | None:
    if not head.startswith(_UTF_16):
        return None
    text = head.decode("utf-16", "replace").encode(*ENCODING)
    reader = f"{name}:" if (name := recognised(text)[0]) else "{given}"
    command = f"iconv -f UTF-16 -t UTF-8 {{file}} | utilitysched check {reader}-"
    return Foreign("text in UTF-16", "", f"write: {command}")


def _check(reader: str, above: int, file: str) -> str:
    """Command that reads a log below so many lines of something else."""
    reader = quote(f"{reader}:").replace("{", "{{").replace("}", "}}")
    if not above:
        return f"utilitysched check {reader}{{file}}"
    magic = b""
    with suppress(OSError), Path(file).open("rb") as stream:
        magic = stream.read(2)
    unpack = f"{_UNPACKERS[magic]} {{file}} | " if magic in _UNPACKERS else ""
    tail = f"tail -n +{above + 1}{'' if unpack else ' {file}'}"
    return f"{unpack}{tail} | utilitysched check {reader}-"


def _table(head: bytes, above: int, file: str) -> Foreign | None:
    """Kind of a table with column names, which `accounting-csv` reads once it knows them."""
    lines = [line for line in head.decode(*ENCODING).splitlines()[above:] if line.strip()]
    names = lines and column_names(lines[:2])
    return _of_columns(names, above, file) if names else None


def _of_columns(names: Sequence[str], above: int, file: str) -> Foreign:
    """Kind of a table by its column names."""
    options = column_options(names)
    defaults = AccountingCsv.defaults()
    texts = [f"{key}={name}" for key, name in options.items() if defaults[key] != name]
    missing = missing_columns(options)
    if not missing:
        check = _check(",".join([AccountingCsv.name, *texts]), above, file)
        return Foreign("", "", f"write: {check}", AccountingCsv.name)
    shown = ", ".join(names[:_MOST_NAMES]) + ", ..." * (len(names) > _MOST_NAMES)
    texts += [f"{option}=COLUMN" for option in missing]
    return Foreign(
        f"a table of no format that is read; its columns are {shown}",
        "",
        f"say which are the {' and '.join(missing)}, as in {','.join([AccountingCsv.name, *texts])}"
        ":{file}",
        AccountingCsv.name,
    )


def _parquet(file: str, *, of_swf: bool) -> Foreign | None:
    """Kind of a Parquet file, by the names of its columns where they can be read."""
    names: list[str] = []
    with suppress(OSError, ValueError), Path(file).open("rb") as stream:
        data: Any = mmap(stream.fileno(), 0, access=ACCESS_READ)
        with parquet_file(data, file) as table:
            names = table.schema_arrow.names
    if not names:
        return PARQUET if of_swf else None
    if {"submit", "run"} <= {*names}:
        return PARQUET
    if preset := preset_of(names):
        return Foreign("", "", f"write: {_check(preset, 0, file)}", preset)
    return _of_columns(names, 0, file)


def _names(file: str) -> dict[str, str]:
    """Name of a file as a word of a shell, and names beside it for what is exported instead."""
    path = Path("jobs" if file == "-" else file)
    while path.suffix in {".gz", ".xz", ".zst"}:
        path = path.with_suffix("")
    others = {kind: path.with_suffix(f".{kind}") for kind in ("csv", "txt", "json")}
    unlike = {k: p if p != path else p.with_stem(f"{p.stem}-jobs") for k, p in others.items()}
    return {"file": quote(file)} | {kind: quote(str(path)) for kind, path in unlike.items()}
