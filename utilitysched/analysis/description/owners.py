"""Owners of the jobs: users and queues."""

from collections.abc import Iterator

import numpy as np

from swfx import MISSING, Header, Workload
from swfx.labels import UNKNOWN, LabelNames, label_column, label_names, meaning
from swfx.offered_load import processor_seconds
from utilitysched.analysis.description.tally import SECONDS_PER_HOUR, Sums, shares
from utilitysched.analysis.documents import Panel, ResultTable, column, panel
from utilitysched.analysis.metrics.distribution import gini
from utilitysched.model.state import Floats

TOP = 10

METRICS = (
    column("jobs", "count", "jobs"),
    column("% of jobs", "percent", "share_of_jobs"),
    column("proc-hours", "count", "processor_hours"),
    column("% of proc-hours", "percent", "share_of_work"),
)


class Owners:
    """Jobs and processor-hours of users, of accounts and projects, and of queues."""

    def __init__(self, header: Header) -> None:
        kinds = ("user", "account", "project", meaning(header, "queue"))
        self._names = [label_names(header, kind) for kind in kinds]
        self._columns = [label_column(header, kind) for kind in kinds]
        self._sums = [Sums(2) for _ in kinds]

    def add(self, part: Workload) -> None:
        """Take the next jobs into account."""
        ones, area = np.ones(len(part)), processor_seconds(part)
        for name, sums in zip(self._columns, self._sums, strict=True):
            if name is not None:
                sums.add(part.column(name), ones, area)

    def panels(self) -> Iterator[Panel]:
        """Yield tables of the largest users, accounts, projects and queues."""
        for names, sums in zip(self._names, self._sums, strict=True):
            keys = [key for key in sums if key != MISSING]
            if not keys:
                continue
            spread = ""
            count = len(list(sums))
            if names.kind == "user":
                jobs, work = (gini(column) for column in sums.rows(keys).T)
                spread = (
                    " Gini coefficient, 0 = all equal:"
                    f" {jobs:.2f} of jobs, {work:.2f} of processor-hours."
                )
                count = len(keys)
            caption = f"The largest by processor-hours of {count:,}.{spread} Bars: processor-hours."
            yield _largest(names, caption, sums)


def _largest(whose: LabelNames, caption: str, sums: Sums) -> ResultTable:
    ending = "" if whose.kind.endswith("s") else "s"  # QOS is its own plural
    key, title = f"{whose.kind}{ending}", f"{whose.words[0].upper()}{whose.words[1:]}{ending}"
    keys = list(sums)
    totals = sums.rows(keys)
    parts = shares(totals)
    order = np.argsort(-totals[:, 1], kind="stable")
    rows = [(_named(keys[i], whose), *_row(totals[i], parts[i])) for i in order[:TOP].tolist()]
    rest = order[TOP:]
    if len(rest):
        rows.append((f"{len(rest):,} others", *_row(totals[rest].sum(0), parts[rest].sum(0))))
    columns = [column(whose.words, "text", whose.words), *METRICS]
    return panel(key, title, caption, columns, rows, "share_of_work", rest=bool(len(rest)))


def _row(totals: Floats, parts: Floats) -> tuple[int, float, float, float]:
    jobs, area = totals.tolist()
    return int(jobs), float(parts[0]), area / SECONDS_PER_HOUR, float(parts[1])


def _named(key: int, whose: LabelNames) -> str:
    if key == MISSING:
        return UNKNOWN
    name = whose.names.get(key)
    return str(key) if name is None else f"{key} {name}"
