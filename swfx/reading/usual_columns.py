"""Usual names of the columns of accounting tables, for `accounting-csv`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

__all__ = ["column_names", "column_options", "missing_columns"]


_NAME = re.compile(r"[A-Za-z_][\w .%()/-]{0,39}")
_USUAL = {
    "job_id": "jobid idjob jobnumber jobidraw jobno id",
    "submit": "submittime timesubmit submit submissiontime submitted submission qtime queuetime"
    " creationtime createtime",
    "start": "starttime timestart start started begintime",
    "end": "endtime timeend end ended finishtime completiontime",
    "run": "runtime elapsed duration elapsedraw",
    "processors": "processorsused alloccpus cpusalloc numcoresalloc ncpus cpus cores numcores"
    " coresused slots processors procs nprocs",
    "requested_processors": "processorsreq reqcpus cpusreq numcoresreq requestedcores",
    "requested_time": "wallclockreq timelimit timelimitraw walltime requestedtime reqwalltime",
    "status": "state status jobstate",
    "user": "user userid iduser username owner",
    "group": "account group project accountname projectname",
    "executable": "name jobname",
    "queue": "qos queue queuename",
    "partition": "partition partitionname",
}
"""Names of columns by option, in small letters and digits alone, the likeliest first."""


def column_names(lines: Sequence[str]) -> list[str]:
    """Names of the columns in the first of some lines; none if it is no heading of a table.

    Examples
    --------
    >>> column_names(['id;"user";submit time', "1;ann;60"]), column_names(["1,2,3"])
    (['id', 'user', 'submit time'], [])
    """
    line = lines[0]
    separator = max(",;\t|", key=line.count)
    names = [cell.strip().strip("\"'") for cell in line.split(separator)]
    is_heading = len(names) > 2 and all(_NAME.fullmatch(name) for name in names)
    is_table = is_heading and all(other.count(separator) >= len(names) - 1 for other in lines)
    return names if is_table else []


def column_options(names: Sequence[str]) -> dict[str, str]:
    """Options of `accounting-csv` for a table whose columns have usual names.

    Examples
    --------
    >>> column_options(["id", "time_submit", "mood"])
    {'job_id': 'id', 'submit': 'time_submit'}
    """
    plain = {re.sub("[^a-z0-9]", "", name.casefold()): name for name in reversed(names)}
    options = {}
    for option, usual in _USUAL.items():
        name = next((plain[text] for text in usual.split() if text in plain), None)
        if name is not None:
            options[option] = name
    return options


def missing_columns(options: Mapping[str, str]) -> list[str]:
    """Options that `accounting-csv` needs, too: submission, run time or both ends, and size.

    Examples
    --------
    >>> missing_columns({"submit": "qtime", "start": "began"})
    ['end', 'processors']
    """
    times = ("submit",) if "run" in options else ("submit", "start", "end")
    missing = [option for option in times if option not in options]
    sized = not {"processors", "requested_processors"}.isdisjoint(options)
    return missing if sized else [*missing, "processors"]
