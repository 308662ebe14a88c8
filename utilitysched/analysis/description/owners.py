"""Owners of the jobs: users and queues."""

import re
from collections.abc import Iterator

import numpy as np

from swfx import MISSING, Header, Workload
from swfx.offered_load import processor_seconds
from utilitysched.analysis.description.tally import SECONDS_PER_HOUR, Sums, shares
from utilitysched.analysis.documents import Panel, ResultTable, column, panel
from utilitysched.analysis.metrics.fairness import gini
from utilitysched.model.state import Floats

TOP = 10

METRICS = (
    column("jobs", "count", "jobs"),
    column("% of jobs", "percent", "share_of_jobs"),
    column("proc-hours", "count", "processor_hours"),
    column("% of proc-hours", "percent", "share_of_work"),
)


class Owners:
    """Jobs and processor-hours of users and queues."""

    def __init__(self, header: Header) -> None:
        self._names = queue_names(header)
        self._users, self._queues = Sums(2), Sums(2)

    def add(self, part: Workload) -> None:
        """Take the next jobs into account."""
        ones, area = np.ones(len(part)), processor_seconds(part)
        self._users.add(part.user, ones, area)
        self._queues.add(part.queue, ones, area)

    def panels(self) -> Iterator[Panel]:
        """Yield a table of the largest users and one of the largest queues."""
        users = [key for key in self._users if key != MISSING]
        if users:
            jobs, work = (gini(column) for column in self._users.rows(users).T)
            caption = (
                f"The largest by processor-hours of {len(users):,}. Gini coefficient, 0 = all "
                f"equal: {jobs:.2f} of jobs, {work:.2f} of processor-hours. Bars: processor-hours."
            )
            yield _largest("users", "Users", "user", caption, self._users, {})
        if list(self._queues) != [MISSING]:
            caption = (
                f"The largest by processor-hours of {len(self._queues):,}. Bars: processor-hours."
            )
            yield _largest("queues", "Queues", "queue", caption, self._queues, self._names)


def queue_names(header: Header) -> dict[int, str]:
    """Return the queues that header lines such as ``Queue: 1 express`` name.

    >>> queue_names(Header((" Queue: 1 express", " Queue:  2  high", " Queue: many")))
    {1: 'express', 2: 'high'}
    """
    found = (re.match(r"(\d+)\s+(\S+)", value) for value in header.all("Queue"))
    return {int(match[1]): match[2] for match in found if match}


def _largest(
    key: str, title: str, label: str, caption: str, sums: Sums, names: dict[int, str]
) -> ResultTable:
    keys = list(sums)
    totals = sums.rows(keys)
    parts = shares(totals)
    order = np.argsort(-totals[:, 1], kind="stable")
    rows = [(_named(keys[i], names), *_row(totals[i], parts[i])) for i in order[:TOP].tolist()]
    rest = order[TOP:]
    if len(rest):
        rows.append((f"{len(rest):,} others", *_row(totals[rest].sum(0), parts[rest].sum(0))))
    columns = [column(label, "text", label), *METRICS]
    return panel(key, title, caption, columns, rows, "share_of_work", rest=bool(len(rest)))


def _row(totals: Floats, parts: Floats) -> tuple[int, float, float, float]:
    jobs, area = totals.tolist()
    return int(jobs), float(parts[0]), area / SECONDS_PER_HOUR, float(parts[1])


def _named(key: int, names: dict[int, str]) -> str:
    if key == MISSING:
        return "unknown"
    return f"{key} {names[key]}" if key in names else str(key)
