"""Processors, lengths of time and memory as PBS and Torque write them."""

from __future__ import annotations

import re

from swfx.accounting.quantities import duration, memory, whole
from swfx.accounting.record_error import NOT_A_SIZE, RecordError
from swfx.base.columns import LIMIT

__all__ = [
    "allocated",
    "gpus",
    "kilobytes",
    "nodes",
    "of_cray",
    "requested",
    "seconds",
]

_NUMBER = "([0-9]{1,6})"
_WHOLE = re.compile(_NUMBER)
_SLOTS = re.compile(rf"{_NUMBER}(?:-{_NUMBER})?")
_STARRED = re.compile(rf"{_NUMBER}\*{_NUMBER}")
_OF_CHUNK = re.compile(rf":ncpus={_NUMBER}")
_OF_NODE = re.compile(rf":ppn={_NUMBER}")
_GPUS_OF_CHUNK = re.compile(rf":ngpus={_NUMBER}")
_GPUS_OF_NODE = re.compile(rf":gpus={_NUMBER}")
_COUNT = re.compile(rf"{_NUMBER}(?:[:#]|$)")
_WORD = 8  # bytes


def seconds(text: str, field: str) -> float | None:
    """Length of time (s) as Torque writes it, which may begin with days and a colon.

    >>> seconds("01:00:00", "walltime"), seconds("2:00:00:00", "walltime")
    (3600.0, 172800.0)
    """
    with_days = text.count(":") == 3
    return duration(text.replace(":", "-", 1) if with_days else text, field)


def kilobytes(text: str, field: str) -> float | None:
    """Size of memory (KB of 1024 bytes): `16gb`, `123kb`, or `5mw`, which are words of 8 bytes.

    >>> kilobytes("16gb", "mem"), kilobytes("1kw", "mem")
    (16777216.0, 8.0)
    """
    if text[-1:].casefold() != "w":
        size = memory(text, field)
        return size and size.kilobytes
    words = memory(text[:-1], field)
    if words is None or words.kilobytes * _WORD > LIMIT:
        raise RecordError(NOT_A_SIZE, text, field)
    return words.kilobytes * _WORD


def allocated(exec_host: str) -> int:
    """Count the processors of an `exec_host`; 0 where it cannot be read.

    Torque lists the slots of each node, one by one or as ranges; PBS Professional writes how many
    there are after a star.

    >>> allocated("n1/0+n1/1+n2/0"), allocated("n1/0-3,6+n2/0"), allocated("n1/0*4+n2/2")
    (3, 6, 5)
    """
    counts = [_slots(host.partition("/")[2]) for host in exec_host.split("+")]
    return sum(counts) if all(counts) else 0


def requested(select: str, nodes: str = "", ncpus: str = "", procs: str = "") -> int:
    """Return the processors that a `Resource_List` asks for, 0 for none.

    `select` of PBS Professional says it alone. Of `nodes`, `ncpus` and `procs` of Torque the
    largest counts: where one is asked for, another may be there with its default of 1.

    >>> requested("2:ncpus=8:mem=4gb+1"), requested("", nodes="2:ppn=8+n7")
    (17, 17)
    >>> requested("", nodes="1", ncpus="4"), requested("")
    (4, 0)
    """
    if select:
        return _chunks(select, _OF_CHUNK)
    plain = [int(text) if _WHOLE.fullmatch(text) else 0 for text in (ncpus, procs)]
    return max(_chunks(nodes, _OF_NODE) if nodes else 0, *plain)


def of_cray(width: str, depth: str, size: str) -> int:
    """Count the processors that a job of a Cray asked for; 0 where it is none.

    Beside these, `select` and `exec_host` tell of the one processor on which its script runs.

    Parameters
    ----------
    width, depth, size : str
        Values of `mppwidth`, `mppdepth` and `size`.

    >>> of_cray("256", "4", ""), of_cray("", "", "64")
    (1024, 64)

    Raises
    ------
    RecordError
        A number cannot be read.
    """
    if width:
        return whole(width, "mppwidth") * max(whole(depth or "1", "mppdepth"), 1)
    return whole(size or "0", "size")


def nodes(exec_host: str) -> int:
    """Count the nodes of an `exec_host`.

    >>> nodes("n1/0*4+n2/2"), nodes("n1/0+n1/1")
    (2, 1)
    """
    return len({host.partition("/")[0] for host in exec_host.split("+") if host})


def gpus(ngpus: str, select: str, nodes: str) -> int:
    """Count the GPUs that a job asked for in its `Resource_List`.

    >>> gpus("", "2:ncpus=4:ngpus=2", ""), gpus("", "", "3:ppn=2:gpus=1")
    (4, 3)

    Raises
    ------
    RecordError
        A number cannot be read.
    """
    return (
        whole(ngpus or "0", "ngpus")
        or _chunks(select, _GPUS_OF_CHUNK, otherwise=0)
        or _chunks(nodes, _GPUS_OF_NODE, otherwise=0)
    )


def _slots(text: str) -> int:
    starred = _STARRED.fullmatch(text)
    if starred:
        return int(starred[2])
    ranges = [_SLOTS.fullmatch(part) for part in text.split(",")]
    return sum(int(r[2] or r[1]) - int(r[1]) + 1 for r in ranges if r) if all(ranges) else 0


def _chunks(text: str, each: re.Pattern[str], otherwise: int = 1) -> int:
    """Add up count x amount of chunks `COUNT:...` or `NAME:...` that are joined by plus."""
    total = 0
    for chunk in text.split("+"):
        count = _COUNT.match(chunk)
        amount = each.search(f":{chunk}")
        total += (int(count[1]) if count else 1) * (int(amount[1]) if amount else otherwise)
    return total
