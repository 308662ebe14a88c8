"""Listings of squeue and sinfo: what they are asked for, and how their text becomes rows.

Text takes Slurm a tenth of the time of JSON, and has one shape from 22.05 on. Users may write
anything into names and comments, lines and separators among it, so that each listing has a
separator of its own, which nobody can guess.
"""

import re
from collections.abc import Callable, Mapping, Sequence

Row = Mapping[str, str]
"""Cells of a job, or of a node in a partition, by what ``--Format`` calls their columns."""

JOB_COLUMNS = (
    "jobid", "arrayjobid", "arraytaskid", "hetjobid", "state", "reason", "prioritylong", "nice",
    "numcpus", "timelimit", "submittime", "eligibletime", "starttime", "endtime", "username",
    "account", "partition", "qos", "requeue", "batchflag", "restartcnt", "dependency",
    "admin_comment", "name", "comment",
)  # fmt: skip
"""Columns of squeue that are asked for."""

NODE_COLUMNS = ("nodelist", "partitionname", "cpusstate", "statecomplete")
"""Columns of sinfo that are asked for."""

AT_ONCE = "tasks at once"
"""Column that no listing has: how many tasks of the array may run at a time, 0 for any number."""

MOST_ASKED = 50
"""Arrays that are asked for their limits at one look; others have none until the next."""

NONE = {"", "(null)", "N/A", "NONE"}
"""Cells that say nothing."""


def format_of(columns: Sequence[str], mark: str) -> str:
    """Return what ``--Format`` is, for columns that a mark ends.

    Examples
    --------
    >>> format_of(["jobid", "name"], "|7e|")
    'jobid:|7e|,name:|7e|'
    """
    return ",".join(f"{name}:{mark}" for name in columns)


def rows_of(text: str, columns: Sequence[str], mark: str) -> list[dict[str, str]]:
    r"""Return the rows of a listing.

    Raises
    ------
    ValueError
        It is none of these columns.

    Examples
    --------
    >>> rows_of("7#two" + chr(10) + "lines#" + chr(10), ["jobid", "name"], "#")
    [{'jobid': '7', 'name': 'two\nlines'}]
    """
    *cells, end = text.split(mark)
    count = len(columns)
    starts = cells[::count]
    if len(cells) % count or end.strip() or any(not each.startswith("\n") for each in starts[1:]):
        raise ValueError("prints another listing than known")
    cells[::count] = [each.removeprefix("\n") for each in starts]
    return [
        dict(zip(columns, cells[first : first + count], strict=True))
        for first in range(0, len(cells), count)
    ]


class ArrayLimits:
    """Numbers of tasks of arrays that may run at a time, which no listing of single tasks has.

    They are asked for once of each array with tasks that wait.

    Parameters
    ----------
    ask : callable
        Returns what scontrol shows of the jobs of an array.
    """

    def __init__(self, ask: Callable[[str], str]) -> None:
        self._ask = ask
        self._known: dict[str, str] = {}

    def fill(self, rows: Sequence[dict[str, str]]) -> None:
        """Write the limits into the rows of a listing."""
        tasks = [row for row in rows if row["arraytaskid"] not in NONE]
        there = dict.fromkeys(row["arrayjobid"] for row in tasks)
        waiting = dict.fromkeys(row["arrayjobid"] for row in tasks if row["state"] == "PENDING")
        self._known = {array: self._known[array] for array in there if array in self._known}
        for array in [each for each in waiting if each not in self._known][:MOST_ASKED]:
            self._known[array] = _limit_in(self._ask(array))
        for row in rows:
            row[AT_ONCE] = self._known.get(row["arrayjobid"], "0")


def _limit_in(text: str) -> str:
    """Return the limit in what ``scontrol show job --oneliner`` prints of the jobs of an array."""
    found = re.match(r"JobId=\d+ ArrayJobId=\d+ ArrayTaskId=\S+ ArrayTaskThrottle=(\d+)\b", text)
    return found[1] if found else "0"
