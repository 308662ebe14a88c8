"""Listings of jobs as ``Key=value``, as the table that `sacct -P` prints: scontrol, jobcomp."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from swfx.accounting.listing import Listing
from swfx.accounting.record_error import TOO_FEW_FIELDS, RecordError
from swfx.accounting.table import Columns, Row
from swfx.accounting.text import LogText
from swfx.reading.report import Rule
from swfx.slurm.cells import as_of_now, job_id_cell, memory_of

__all__ = ["BEGINS", "KEYS", "key_value_rows"]

AMBIGUOUS = Rule(
    "key-twice", "dropped", "a key stands twice, as in a job's name: who ran what is unsure",
    malformed=True,
)  # fmt: skip

KEYS = {
    "JobIDRaw": ("JobId",),
    "Cluster": ("Cluster",),
    "User": ("UserId",),
    "Account": ("Account",),
    "Partition": ("Partition",),
    "QOS": ("QOS",),
    "WCKey": ("WCKey", "WcKey"),
    "Submit": ("SubmitTime",),
    "Eligible": ("EligibleTime",),
    "Start": ("StartTime",),
    "End": ("EndTime",),
    "Elapsed": ("RunTime",),
    "State": ("JobState",),
    "AllocCPUS": ("NumCPUs", "ProcCnt"),
    "AllocTRES": ("AllocTRES", "TRES", "Tres"),
    "ReqTRES": ("ReqTRES",),
    "NNodes": ("NumNodes", "NodeCnt"),
    "Timelimit": ("TimeLimit",),
    "Restarts": ("Restarts",),
}
"""Columns of sacct(1), and the keys of scontrol(1) and of jobcomp/filetxt that have them."""

_ID = ("ArrayJobId", "ArrayTaskId", "HetJobId", "HetJobOffset")
_ANY = "|".join((*_ID, *chain.from_iterable(KEYS.values())))
_PAIR = re.compile(rf"(?:^|\s)({_ANY})=(\S*)")
_NAME = re.compile(r"\s(?:Job)?Name=(.*?)\s+(?=(?:UserId|HetJobIdSet|JobState)=)", re.DOTALL)
_FOLDERS = re.compile(r"\sWorkDir=.*?(?=\sReservationName=)|\s(?:Command|WorkDir)=.*", re.DOTALL)
"""What may hold blanks: in jobcomp the folder, in scontrol all from the command on."""

_COMMENT = re.compile(r"\s(Comment|AdminComment)=(.*?)(?=\s+[A-Z]\w*=|\s*$)", re.DOTALL)
_USER = re.compile(r"(.*)\((\d+)\)")
_NOTHING = frozenset({"(null)", "N/A"})
BEGINS = re.compile(r"JobId=\d")
"""How a record begins."""


def key_value_rows(
    lines: Iterable[tuple[int, str]], text: LogText
) -> tuple[Columns, Iterator[Row], Listing]:
    """Read what ``scontrol show job``, with or without ``-o``, or jobcomp/filetxt has written.

    There is a column for each of `KEYS` that the first job has.

    Parameters
    ----------
    lines : iterable of tuple of (int, str)
        Numbers and texts of the lines.
    text : LogText
        Their source.

    References
    ----------
    src/common/slurm_protocol_api.c and jobcomp_filetxt.c of Slurm 22.05 to 25.05.
    """
    listing = Listing(text.name)
    records = _records(lines, listing, text)
    line, first = next(records)
    keys = {key for key, _ in _PAIR.findall(first)}
    names = [name for name, those in KEYS.items() if not keys.isdisjoint(those)]
    columns = Columns(["JobID", "UID", "JobName", "ReqMem", "Comment", "AdminComment", *names])

    def rows() -> Iterator[Row]:
        for number, record in chain([(line, first)], records):
            try:
                cells = _cells(record)
            except RecordError as error:
                listing.refuse(number, error)
            else:
                yield Row(number, [cells.get(name, "") for name in columns.names])

    return columns, rows(), listing


def _records(
    lines: Iterable[tuple[int, str]], listing: Listing, text: LogText
) -> Iterator[tuple[int, str]]:
    """Yield line and text of each record; other lines are listed."""
    begin, held = 0, ""
    for number, line in chain(lines, [(0, "JobId=0")]):
        if BEGINS.match(line):
            if held:
                yield begin, held
            begin, held = number, line
        elif line.strip():
            inside = line[0] == " "
            if not inside:
                listing.records += 1
                listing.add(number, TOO_FEW_FIELDS)
            if inside or "UserId=" not in held:  # a line break in the name
                held += f"\n{line}"
            continue
        listing.records += bool(number and line.strip())
    listing.count(text.lines, listing.records)


def _cells(record: str) -> dict[str, str]:
    """Return the cells of a record by column.

    Raises
    ------
    RecordError
        A text that users write holds one of the keys.
    """
    name = _NAME.search(record)
    rest = record if name is None else f"{record[: name.start()]} {record[name.end() :]}"
    pairs = _PAIR.findall(_FOLDERS.sub("", rest))
    values = {key: "" if value in _NOTHING else value for key, value in pairs}
    if len(values) < len(pairs):
        raise RecordError(AMBIGUOUS, record)
    cells = {name: values[key] for name, keys in KEYS.items() for key in keys if key in values}
    array, task, *part = (values.get(key, "") for key in _ID)
    task = task if task.isdecimal() or not task else f"[{task}]"
    user = _USER.fullmatch(cells.get("User", ""))
    cells |= dict(_COMMENT.findall(record))
    cells["JobName"] = name[1].partition("\n")[0] if name else ""
    cells["JobID"] = job_id_cell(cells.get("JobIDRaw", ""), array, task, *part)
    cells["ReqMem"] = memory_of(cells.get("ReqTRES", ""))
    if user:
        cells["User"], cells["UID"] = user.groups()
    for counted in ("AllocCPUS", "NNodes"):  # 2-4 of a job that waits
        cells[counted] = cells.get(counted, "").partition("-")[0]
    return as_of_now(cells)
