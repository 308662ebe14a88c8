"""Documents as TOML that people can read and change."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

import numpy as np

__all__ = ["toml_text", "without_defaults"]

_BARE = re.compile("[A-Za-z0-9_-]+")
_WIDEST = 100
"""Characters of a list that is written on one line."""


def without_defaults(table: Any) -> dict[str, Any]:
    """Return a dataclass of a document as a dictionary, without what every document has.

    Parameters
    ----------
    table : DocumentTable
        The dataclass; its fields hold texts, numbers, dictionaries, and dataclasses like it.
    """
    document = {}
    for each in fields(table):
        factory = each.default_factory
        default = each.default if factory is MISSING else factory()
        value = getattr(table, each.name)
        if value != default:
            document[each.name] = _plain(value)
    return document


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return without_defaults(value)
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return value.item() if isinstance(value, np.generic) else value


def toml_text(document: Mapping[str, Any]) -> str:
    """Return a document as TOML: values first, then tables and lists of tables.

    Tables inside these are written in braces.

    Examples
    --------
    >>> print(toml_text({"pools": [{"name": "batch", "capacity": {"gpu": 4}}], "nodes": 8}))
    nodes = 8
    <BLANKLINE>
    [[pools]]
    name = "batch"
    capacity = {gpu = 4}
    <BLANKLINE>
    """
    values = {key: value for key, value in document.items() if not _are_tables(value)}
    blocks = [_pairs(values)] if values else []
    for key, value in document.items():
        if _are_tables(value):
            header = f"[{_key(key)}]" if isinstance(value, dict) else f"[[{_key(key)}]]"
            tables = [value] if isinstance(value, dict) else value
            blocks += [f"{header}\n{_pairs(table)}" for table in tables]
    return "\n".join(blocks)


def _are_tables(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and isinstance(value[0], dict))


def _pairs(table: Mapping[str, Any]) -> str:
    return "".join(f"{_key(key)} = {_value(value)}\n" for key, value in table.items())


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _value(value: Any) -> str:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(key)} = {_value(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        members = [_value(each) for each in value]
        line = f"[{', '.join(members)}]"
        lines = "".join(f"  {member},\n" for member in members)
        return line if len(line) <= _WIDEST else f"[\n{lines}]"
    return repr(value).lower()


def _text(text: str) -> str:
    # JSON's escapes are TOML's; only DEL, which JSON leaves as it is, needs one in TOML
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
