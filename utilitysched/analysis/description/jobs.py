"""Sizes, run times, requests and statuses of jobs; their users, accounts and queues."""

from collections.abc import Iterator

import numpy as np

from swfx import MISSING, Header, Workload
from swfx.eligibility import first_submission, time_held
from swfx.labels import UNKNOWN, LabelNames, label_column, label_names, meaning
from swfx.offered_load import processor_seconds
from utilitysched.analysis.description.tally import (
    SECONDS_PER_HOUR,
    NumberTally,
    Sums,
    quantile_panel,
    shares,
)
from utilitysched.analysis.documents import Panel, ResultTable, column, panel
from utilitysched.analysis.metrics.summary import gini
from utilitysched.model.state import Floats, Integers

WAIT = "wait in the log (s)"
EVERY_LEVEL = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)
PLACES = 4
"""Decimal places of p/p~ that are told apart."""

MINUTE, HOUR, DAY = 60, 3_600, 86_400
RUN_BOUNDS = {
    "0 s": 0,
    "below 1 min": 1e-9,
    "1 to 10 min": MINUTE,
    "10 to 60 min": 10 * MINUTE,
    "1 to 4 h": HOUR,
    "4 to 12 h": 4 * HOUR,
    "12 to 24 h": 12 * HOUR,
    "1 to 3 days": DAY,
    "3 days and more": 3 * DAY,
}
"""Classes of run times by where they begin (s)."""

STATUSES = {
    -1: "unknown",
    0: "failed",
    1: "completed",
    2: "partial, to be continued",
    3: "last partial, completed",
    4: "last partial, failed",
    5: "cancelled",
}

PARTS = (column("jobs", "count", "jobs"), column("% of jobs", "percent", "share_of_jobs"))
WORK = column("% of proc-hours", "percent", "share_of_work")


class Jobs:
    """Quantiles of the jobs' numbers, and classes by size, run time, accuracy and status."""

    def __init__(self) -> None:
        self._numbers = {
            name: NumberTally()
            for name in ("processors", "run time (s)", "requested time (s)", WAIT)
        }
        self._eligible, self._submitted, self._held = NumberTally(), NumberTally(), 0.0
        self._accuracy, self._tenths = NumberTally(), Sums(1)
        self._sizes, self._runs, self._statuses = Sums(2), Sums(2), Sums(2)

    def add(self, part: Workload) -> None:
        """Take the next jobs into account."""
        run, area, ones = part.effective_run, processor_seconds(part), np.ones(len(part))
        requested = part.requested_time > 0
        columns: tuple[Floats | Integers, ...] = (
            part.size,
            np.rint(run),
            np.rint(part.requested_time[requested]),
            np.rint(part.wait[part.wait >= 0]),
        )
        for tally, values in zip(self._numbers.values(), columns, strict=True):
            tally.add(values)
        self._add_waits(part[part.wait >= 0])
        self._accuracy.add(np.round(run[requested] / part.request[requested], PLACES))
        self._tenths.add(_tenths(run[requested], part.request[requested]), ones[requested])
        self._sizes.add(_size_class(part.size), ones, area)
        bounds = np.array(list(RUN_BOUNDS.values()))
        self._runs.add(np.searchsorted(bounds, run, side="right") - 1, ones, area)
        self._statuses.add(part.status, ones, area)

    def _add_waits(self, part: Workload) -> None:
        """Take waits of jobs into account from eligibility, and from the users' submissions."""
        held, before = time_held(part), part.submit - first_submission(part)
        self._eligible.add(np.rint(part.wait - held))
        self._submitted.add(np.rint(part.wait + before))
        self._held += float((held + before).sum())

    def panels(self) -> Iterator[Panel]:
        """Yield a table of quantiles and four of classes."""
        note = (
            "x%: that share of the jobs has at most this. Times in whole seconds; run times end at "
            "the request. Accuracy: run time p over requested time p~, of jobs with a request."
        )
        named = {**self._numbers, "accuracy p/p~": self._accuracy}
        if self._held:  # both waits, from submission in the row of the others
            named = {
                **self._numbers,
                WAIT: self._submitted,
                "wait from eligibility (s)": self._eligible,
                "accuracy p/p~": self._accuracy,
            }
            note += (
                " Jobs became eligible after begin times, holds and dependencies; the wait in the"
                " log is from submission."
            )
        heads = ("quantiles", "Jobs in numbers", "of all jobs")
        yield quantile_panel(heads, note, named, EVERY_LEVEL)
        sizes = list(self._sizes)
        names = ["1" if k == 0 else f"{2 ** (k - 1) + 1:,} to {2**k:,}" for k in sizes]
        names = [name if name != "2 to 2" else "2" for name in names]
        yield classes_panel("sizes", "Sizes", "processors", names, self._sizes.rows(sizes))
        runs = list(self._runs)
        names = [list(RUN_BOUNDS)[i] for i in runs]
        yield classes_panel("run_times", "Run times", "run time", names, self._runs.rows(runs))
        yield from self._accuracies()
        statuses = list(self._statuses)
        names = [f"{STATUSES.get(i, 'not defined')} ({i})" for i in statuses]
        yield classes_panel("statuses", "Statuses", "status", names, self._statuses.rows(statuses))

    def _accuracies(self) -> Iterator[ResultTable]:
        if not self._accuracy.count:
            return
        counts = self._tenths.rows(list(range(11)))[:, 0]
        names = [f"{10 * i} to {10 * i + 10} %" for i in range(10)] + ["100 %"]
        rows = [
            (name, int(jobs), float(jobs / self._accuracy.count))
            for name, jobs in zip(names, counts, strict=True)
        ]
        caption = (
            "Run time in percent of the requested time; 100 %: killed at the limit, or exact. "
            "Upper ends excluded."
        )
        columns = [column("p/p~", "text", "accuracy"), *PARTS]
        yield panel("accuracy", "Accuracy of requests", caption, columns, rows, "share_of_jobs")


def _tenths(run: Floats, request: Floats) -> Integers:
    """Return how many whole tenths of its request each job ran, compared exactly."""
    tenths: Integers = np.floor_divide(10 * run, request).astype(np.int64)
    return np.where(run < request, np.minimum(tenths, 9), 10)


def _size_class(size: Integers) -> Integers:
    """Return the exponent of the least power of two that is at least the size."""
    classes: Integers = np.ceil(np.log2(np.maximum(size, 1))).astype(np.int64)
    return classes


def classes_panel(key: str, title: str, label: str, names: list[str], sums: Floats) -> ResultTable:
    """Make a table of classes of jobs from their sums of jobs and work, shape (classes, 2)."""
    jobs, work = shares(sums).T
    rows = [
        (name, int(count), float(of_jobs), float(of_work))
        for name, count, of_jobs, of_work in zip(names, sums[:, 0], jobs, work, strict=True)
    ]
    columns = [column(label, "text", "class"), *PARTS, WORK]
    return panel(key, title, f"Bars: jobs by {label}.", columns, rows, "share_of_jobs")


TOP = 10

METRICS = (
    column("jobs", "count", "jobs"),
    column("% of jobs", "percent", "share_of_jobs"),
    column("proc-hours", "count", "processor_hours"),
    column("% of proc-hours", "percent", "share_of_work"),
)


_SPLITTING = ("partition", "qos")
"""Kinds of labels of which a single one says nothing."""


class Owners:
    """Jobs and processor-hours of users, accounts, projects, queues, partitions and QOS."""

    def __init__(self, header: Header) -> None:
        fields = (meaning(header, "queue"), "partition", "qos")
        kinds = tuple(dict.fromkeys(("user", "account", "project", *fields)))
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
        """Yield a table of the largest of each kind."""
        for names, sums in zip(self._names, self._sums, strict=True):
            keys = [key for key in sums if key != MISSING]
            if len(keys) < (2 if names.kind in _SPLITTING else 1):
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


def _largest(labels: LabelNames, caption: str, sums: Sums) -> ResultTable:
    ending = "" if labels.kind.endswith("s") else "s"  # QOS is its own plural
    key, title = f"{labels.kind}{ending}", f"{labels.words[0].upper()}{labels.words[1:]}{ending}"
    keys = list(sums)
    totals = sums.rows(keys)
    parts = shares(totals)
    order = np.argsort(-totals[:, 1], kind="stable")
    rows = [(_named(keys[i], labels), *_row(totals[i], parts[i])) for i in order[:TOP].tolist()]
    rest = order[TOP:]
    if len(rest):
        rows.append((f"{len(rest):,} others", *_row(totals[rest].sum(0), parts[rest].sum(0))))
    columns = [column(labels.words, "text", labels.words), *METRICS]
    return panel(key, title, caption, columns, rows, "share_of_work", rest=bool(len(rest)))


def _row(totals: Floats, parts: Floats) -> tuple[int, float, float, float]:
    jobs, area = totals.tolist()
    return int(jobs), float(parts[0]), area / SECONDS_PER_HOUR, float(parts[1])


def _named(key: int, labels: LabelNames) -> str:
    if key == MISSING:
        return UNKNOWN
    name = labels.names.get(key)
    return str(key) if name is None else f"{key} {name}"
