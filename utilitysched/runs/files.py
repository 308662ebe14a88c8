"""Files that appear under their name complete, or not at all."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from errno import EDQUOT, ENOSPC
from pathlib import Path

import numpy as np

from swfx import InputError
from swfx.base.atomic import atomic_write
from swfx.base.errors import failed


def unwritable(path: Path, error: OSError) -> InputError:
    """Say that a path cannot be written, and why."""
    full = error.errno in (ENOSPC, EDQUOT)
    remedy = "make room there" if full else "choose a directory that you may write to"
    return failed("cannot be written", error, path, remedy)


def write_json(path: Path, value: object, *, indent: int | None = 2) -> None:
    """Write strict JSON, whole or not at all; see `json_text`.

    Raises
    ------
    InputError
        The file cannot be written.
    """
    with atomic_write(path) as stream:
        for piece in json_pieces(value, indent=indent):
            stream.write(piece.encode())
        stream.write(b"\n")


def text_at(path: Path, *keys: str) -> str | None:
    """Return the text that keys lead to in a file of JSON, None if it cannot be had."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        for key in keys:
            value = value[key]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return str(value)


def json_text(value: object, *, indent: int | None = 2) -> str:
    """Return `value` as strict JSON.

    numpy scalars and arrays become plain ones; NaN and infinity, which JSON does not have,
    become null.

    Examples
    --------
    >>> json_text({"mean": float("nan"), "jobs": np.int64(3)}, indent=None)
    '{"mean": null, "jobs": 3}'
    """
    return "".join(json_pieces(value, indent=indent))


def json_pieces(value: object, *, indent: int | None = 2) -> Iterator[str]:
    """Pieces of `json_text`: a large document need not be held twice."""
    encoder = json.JSONEncoder(indent=indent, allow_nan=False, ensure_ascii=False)
    return encoder.iterencode(plain(value))


def plain(value: object) -> object:
    """Return `value` in terms of dict, list, str, int, float, bool and None."""
    if isinstance(value, np.generic | np.ndarray):
        return plain(value.tolist())
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, str | bool | int | None):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Sequence):
        return [plain(item) for item in value]
    return str(value)
