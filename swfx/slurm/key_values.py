"""Jobs as ``Key=value``: what `scontrol show job` prints and jobcomp/filetxt writes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from swfx.accounting.listing import Listing
from swfx.accounting.record_error import NOT_A_RECORD
from swfx.accounting.table import LARGEST, Columns, Row
from swfx.accounting.text import LogText
from swfx.reading.report import Rule
from swfx.slurm.keyed import KEYS, keyed_rows

__all__ = ["BEGINS", "key_value_rows"]

KEY_TWICE = Rule(
    "key-twice", "dropped", "a key stands twice, one in a text of the user's", malformed=True
)

BEGINS = re.compile(r"JobId=\d")
"""How a record begins."""

_NAME = re.compile(r"\s(?:Job)?Name=")
_BEHIND_NAME = re.compile(r"\sUserId=\S*\(\d+\)\s+GroupId=|\sJobState=\S+\s+Partition=")
"""What follows a name: in scontrol the user, in jobcomp the state."""

_FOLDERS = re.compile(r"\sWorkDir=.*?(?=\sReservationName=)|\s(?:Command|WorkDir)=.*", re.DOTALL)
"""What may hold blanks: in jobcomp the folder, in scontrol all from the command on."""

_PAIR = re.compile(r"(?:^|\s)([A-Z][A-Za-z]*)=(\S*)")
_COMMENT = re.compile(r"\s(Comment|AdminComment)=(.*?)(?=\s[A-Z]\w*=|\Z)", re.DOTALL)
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_USER = re.compile(r"(.*)\((\d+)\)")
_NOTHING = frozenset({"(null)", "N/A"})
_READ = frozenset(key for keys in KEYS.values() for key in keys) | {"user_id"}


def key_value_rows(
    lines: Iterable[tuple[int, str]], text: LogText
) -> tuple[Columns, Iterator[Row], Listing]:
    """Read numbered lines of a text: records of one line or of several, which are indented.

    References
    ----------
    src/api/job_info.c and src/plugins/jobcomp/filetxt of Slurm 22.05 to 25.05.
    """
    listing = Listing(text.name)
    return *keyed_rows(_jobs(lines, listing, text), listing, LARGEST), listing


def _jobs(
    lines: Iterable[tuple[int, str]], listing: Listing, text: LogText
) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Yield line and values of each record; lines that are part of none are listed."""
    begin, held = 0, ""
    for number, line in chain(lines, [(0, "JobId=0")]):
        if BEGINS.match(line):
            if held and (values := _values(held)):
                yield begin, values
            elif held:
                listing.add(begin, KEY_TWICE)
            begin, held = number, line
            listing.records += number > 0
        elif line.strip():
            indented = line[0] == " "
            if not indented:
                listing.records += 1
                listing.add(number, NOT_A_RECORD)
            if indented or "UserId=" not in held:  # a name goes on
                held += f"\n{line}"
    listing.count(text.lines, listing.records)


def _values(record: str) -> dict[str, str]:
    """Return the values of a record by key in small letters; none if a text holds a key, too."""
    if (bounds := _name_bounds(record)) is None:
        return {}
    begin, end = bounds
    name, rest = record[begin:end], f"{record[:begin]} {record[end:]}"
    pairs = _PAIR.findall(_FOLDERS.sub("", rest))
    keys = [key for key, _ in pairs if _small(key) in _READ]
    if len(keys) > len(set(keys)):
        return {}
    values = {_small(key): "" if value in _NOTHING else value for key, value in pairs}
    if user := _USER.fullmatch(values.pop("user_id", "")):
        values["user_name"], values["user_id"] = user.groups()
    if not values.get("array_task_id", "0").isdecimal():
        values["array_task_string"] = values.pop("array_task_id")
    for key in ("num_cpus", "num_nodes"):  # 2-4 of a job that waits
        values[key] = values.get(key, "").partition("-")[0]
    comments = {_small(key): comment.rstrip() for key, comment in _COMMENT.findall(rest)}
    name = name.partition("=")[2].partition("\n")[0].partition(" HetJobIdSet=")[0]
    return {**values, **comments, "name": name.rstrip()}


def _name_bounds(record: str) -> tuple[int, int] | None:
    """Return where key and name of a job begin and end; None if that is not certain.

    Before the first folder what may follow a name is the name's but for the last; behind it may
    be the command's.
    """
    name = _NAME.search(record)
    begin = name.start() if name else 0
    ends = [behind.start() for behind in _BEHIND_NAME.finditer(record, begin)] if name else []
    folders = _FOLDERS.search(record, begin) if len(ends) > 1 else None
    if folders and folders.start() < ends[-1]:
        return None
    return begin, ends[-1] if ends else begin


def _small(key: str) -> str:
    """Return a key in small letters.

    >>> _small("JobId"), _small("NumCPUs"), _small("QOS")
    ('job_id', 'num_cpus', 'qos')
    """
    return _HUMP.sub("_", key).lower()
