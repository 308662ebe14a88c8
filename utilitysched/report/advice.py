"""Advice on checkpoints as tables: of one job, and of a workload."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from checkpoint import best_interval, daly_interval, expected_time, young_interval
from checkpoint.advice import VERDICTS, Advice, Costs, Hours, Stops, advise
from swfx import Workload
from swfx.base.columns import Bools
from swfx.base.numbers import percent, plural, significant, span, whole
from utilitysched.analysis.documents import (
    Column,
    Description,
    Line,
    LineChart,
    Panel,
    Point,
    ReferenceLine,
    ResultTable,
)

Groups = Mapping[str, Mapping[str, Bools]]
"""Jobs by kind of label and its name."""

NOTES = """\
overhead: expected time for checkpoints, restarts and work done again, in % of the work (run times \
up to the requests).
medians: of the jobs that take checkpoints, and of those that should.
too often: interval below half the best; too rarely: above twice the best. A job that ends before \
its first checkpoint writes none."""


HOUR = 3600.0

RANGE, STEPS = 10.0, 61
"""Of a chart of intervals: from a tenth of the one in the middle to ten times it, in so many."""

NO_BEST = "best: no checkpoints; half and twice are of Daly's interval"


class OneJob(NamedTuple):
    """A job to be advised: its work, and what stops and checkpoints take (s)."""

    work: float
    cost: float
    restart: float
    mtbf: float

    @classmethod
    def of(cls, work: float, nodes: int, stops: Stops, costs: Costs) -> OneJob:
        """Return a job that works for `work` (s) on so many nodes.

        Raises
        ------
        InputError
            Nothing can be computed for it.
        """
        alone = Workload.from_columns(run=[work], processors=[nodes * stops.node_size])
        between = stops.between(alone.size)
        advise(alone, between, costs)
        cost, restart = costs.of(alone)
        return cls(float(alone.run[0]), float(cost[0]), float(restart[0]), float(between[0]))

    def to_dict(self) -> dict[str, object]:
        """Return the job, and what each interval worth a look leads to, for JSON."""
        return {**self._asdict(), "intervals": rows_of(self)}

    def time(self, interval: float) -> float:
        """Return the expected run time (s)."""
        return float(
            expected_time(self.work, interval, cost=self.cost, restart=self.restart, mtbf=self.mtbf)
        )


def intervals_of(job: OneJob) -> dict[str, float]:
    """Return intervals (s) worth a look, by name; infinite = none."""
    best = float(best_interval(job.work, job.cost, job.mtbf))
    base = best if np.isfinite(best) else float(daly_interval(job.cost, job.mtbf))
    return {
        "none": np.inf,
        "best": best,
        "Daly": float(daly_interval(job.cost, job.mtbf)),
        "Young": float(young_interval(job.cost, job.mtbf)),
        "half as long": base / 2,
        "twice as long": 2 * base,
    }


def rows_of(job: OneJob) -> list[dict[str, object]]:
    """Return a row per interval: checkpoints, run time, overhead, stops."""
    named = intervals_of(job)
    best = job.time(named["best"])
    rows: list[dict[str, object]] = []
    for name, interval in named.items():
        time = job.time(interval)
        written = 0 if interval >= job.work else int(np.ceil(job.work / interval - 1e-9)) - 1
        rows.append(
            {
                "interval": name,
                "seconds": interval if np.isfinite(interval) else None,
                "checkpoints": written,
                "run_time": time if np.isfinite(time) else None,
                "overhead": time / job.work - 1 if np.isfinite(time) else None,
                "above_best": time / best - 1 if np.isfinite(time) else None,
                "stops": time / job.mtbf if np.isfinite(time) else None,
            }
        )
    return rows


def job_description(job: OneJob) -> Description:
    """Return the advice on one job as a document."""
    rows = {str(row["interval"]): row for row in rows_of(job)}
    best, none = rows["best"], rows["none"]
    optimal = intervals_of(job)["best"]
    if np.isinf(optimal):
        sentence = f"Write no checkpoints: the run takes {_more(none)} longer than its work."
    else:
        sentence = (
            f"Write a checkpoint every {span(optimal)}: the run takes {_more(best)} longer than "
            f"its work, without checkpoints {_more(none)}."
        )
    chart = _courses(
        min(float(daly_interval(job.cost, job.mtbf)), job.work) if np.isinf(optimal) else optimal,
        lambda interval: job.time(interval) / job.work - 1,
        {"without checkpoints": none["overhead"]},
        caption="What the run takes beyond its work. Marked: the best interval, if any is.",
    )
    notes = [NO_BEST] if np.isinf(optimal) else []
    table = replace(_intervals(job), key="intervals", caption="Intervals", notes=notes)
    return Description("Checkpoints of one job", [chart, table], [sentence, f"{_situation(job)}."])


def _courses(
    centre: float,
    overhead: Callable[[float], float],
    levels: Mapping[str, object],
    *,
    caption: str,
) -> LineChart:
    """Return the chart of the overhead by interval, around one (s).

    The least overhead is marked, unless no checkpoints are best: that of the longest interval.

    Parameters
    ----------
    centre : float
        Interval in the middle (s).
    overhead : callable
        From an interval (s) to the share of the work.
    levels : mapping of str to float or None
        Shares of the work to set beside, by name; those beyond the chart are left out.
    caption : str
        What the line shows.
    """
    intervals = centre * np.geomspace(1 / RANGE, RANGE, STEPS)
    shares = np.array([overhead(interval) for interval in intervals.tolist()])
    drawn = np.isfinite(shares)
    intervals, shares = intervals[drawn], shares[drawn]
    least = int(np.argmin(shares))
    best = f"{span(intervals[least])}: {percent(shares[least])}%"
    point = Point(best, intervals[least] / HOUR, 100 * shares[least])
    return LineChart(
        "overhead",
        "Overhead by interval between checkpoints",
        caption,
        "% of the work",
        "interval (h)",
        [Line("with the interval", (100 * shares).tolist())],
        [
            ReferenceLine(f"{name}: {percent(level)}%", 100 * level)
            for name, level in levels.items()
            if isinstance(level, float) and level <= shares.max()
        ],
        (intervals / HOUR).tolist(),
        [point] if shares[least] < shares[-1] else [],
    )


def _more(row: Mapping[str, object]) -> str:
    return "endlessly" if row["overhead"] is None else f"{_cell(row['overhead'], percent)}%"


def _situation(job: OneJob) -> str:
    return (
        f"{job.work / 3600:,.3g} h of work; stopped every {job.mtbf / 3600:,.4g} h on average;"
        f" a checkpoint takes {job.cost:g} s, a restart {job.restart:g} s"
    )


def _intervals(job: OneJob) -> ResultTable:
    columns = {
        "interval": Column("interval", left=True),
        "seconds": Column("length\n(s)", write=partial(_cell, write=whole)),
        "checkpoints": Column("checkpoints", write=partial(_cell, write=whole)),
        "run_time": Column("run time\n(h)", write=partial(_cell, write=_hours)),
        "overhead": Column("overhead\n(%)", write=partial(_cell, write=percent)),
        "above_best": Column("above best\n(%)", write=partial(_cell, write=percent)),
        "stops": Column("stops", write=partial(_cell, write=significant)),
    }
    rows = [[row[name] for name in columns] for row in rows_of(job)]
    return ResultTable(list(columns.values()), rows, broken=False)


def _hours(seconds: float) -> str:
    return significant(seconds / HOUR, 5)


def document(advice: Advice, groups: Groups, stops: Stops) -> dict[str, object]:
    """Return the advice on a workload for machines."""
    return {
        "stops": str(stops),
        "should_take_none": advice.none_best,
        "all": advice.hours()._asdict(),
        "verdicts": {
            name: advice.hours(advice.verdict == i)._asdict() for i, name in enumerate(VERDICTS)
        },
        **{
            kind: {name: advice.hours(jobs)._asdict() for name, jobs in members.items()}
            for kind, members in groups.items()
        },
    }


def groups_of(workload: Workload) -> Groups:
    """Return the jobs of each queue and each user; users of most processor-seconds first."""
    groups: dict[str, dict[str, Bools]] = {}
    for field in ("queue", "user"):
        labels = workload.labels.in_field(field)
        keys = np.unique(labels.numbers)
        if field == "user":
            area = workload.size * workload.effective_run
            used = [-area[labels.numbers == key].sum() for key in keys]
            keys = keys[np.argsort(used, kind="stable")]
        groups[labels.kind] = {labels.name(key): labels.numbers == key for key in keys.tolist()}
    return groups


def advice_description(
    advice: Advice, groups: Groups, stops: Stops, users: int | None = None
) -> Description:
    """Return the advice on a workload as a document, with so many users, or with all."""
    tables = [replace(_verdicts(advice), key="verdicts", caption="Checkpoints as they are")]
    folded: list[ResultTable] = []
    for kind, members in groups.items():
        of_users = kind == "user"
        shown = list(members.items())[: users if of_users else None]
        others = len(members) - len(shown)
        notes = [f"and {plural(others, 'other user')}"] if others else []
        table = replace(_table(kind, shown, advice), key=kind, caption=f"By {kind}", notes=notes)
        if len(members) > 1:
            (folded if of_users else tables).append(table)
    tables[-1] = replace(tables[-1], notes=NOTES.splitlines())
    hours = advice.hours()
    panels: list[Panel] = [*tables]
    if hours.best_interval is not None:
        chart = _courses(
            hours.best_interval,
            lambda interval: advice.common(interval) / hours.work - 1,
            {
                "as it is": _over(hours.stated, hours),
                "each job at its best": _over(hours.best, hours),
            },
            caption="Checkpoints, restarts and work done again if all jobs had the same interval;"
            " the best one is marked.",
        )
        panels.insert(0, chart)
    return Description("Checkpoints of a workload", panels, list(_lead(advice, stops)), folded)


def _lead(advice: Advice, stops: Stops) -> Iterator[str]:
    """Yield what checkpoints take, for how many jobs they do not pay, and what stops jobs."""
    hours = advice.hours()
    yield (
        f"Checkpoints, restarts and work done again take {percent(_over(hours.stated, hours))}% of "
        f"the work; at the best intervals {percent(_over(hours.best, hours))}%, which saves "
        f"{whole(hours.stated - hours.best)} processor-hours."
    )
    everybody = plural(len(advice.best), "job")
    yield f"{advice.none_best:,} of {everybody} should take no checkpoints at all."
    yield f"Stops: {stops}."


def _verdicts(advice: Advice) -> ResultTable:
    verdicts = ((name, advice.verdict == i) for i, name in enumerate(VERDICTS))
    return _table("checkpoints", [("all jobs", None), *verdicts], advice)


def _table(title: str, groups: Iterable[tuple[str, Bools | None]], advice: Advice) -> ResultTable:
    columns = [
        Column(title, left=True),
        Column("jobs"),
        Column("proc.-\nhours"),
        Column("median\ninterval (s)"),
        Column("best\n(s)"),
        Column("overhead\n(%)", main=True),
        Column("at best\n(%)", main=True),
        Column("to save\n(proc.-h)", main=True),
    ]
    rows = []
    for name, jobs in groups:
        hours = advice.hours(jobs)
        rows.append(
            (
                name,
                whole(hours.jobs),
                whole(hours.work),
                _cell(hours.interval, whole),
                _cell(hours.best_interval, whole),
                percent(_over(hours.stated, hours)),
                percent(_over(hours.best, hours)),
                whole(hours.stated - hours.best),
            )
        )
    return ResultTable(columns, rows, broken=False)


def _over(hours: float, lost: Hours) -> float | None:
    return hours / lost.work - 1 if lost.work else None


def _cell(value: object, write: Callable[[float], str]) -> str:
    return "" if value is None else write(float(str(value)))
