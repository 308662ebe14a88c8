"""Advice on checkpoints as tables: of one job, and of a workload."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import numpy as np

from checkpoint import best_interval, daly_interval, expected_time, young_interval
from checkpoint.advice import VERDICTS, Advice, Costs, Hours, advise
from checkpoint.stops import Stops
from swfx import Workload
from swfx.base.columns import Bools
from swfx.base.numbers import percent, plural, significant, whole
from swfx.labels import field_labels
from utilitysched.analysis.documents import ResultTable, plain_table
from utilitysched.report.terminal import console, paragraph, print_table

Groups = Mapping[str, Mapping[str, Bools]]
"""Jobs by kind of label and its name."""

NOTES = """\
overhead: checkpoints, restarts and work done again, expected, in % of the work (run times up to the
requests). Medians: of the jobs that take checkpoints, and of those that should. too often: interval
below half the best; too rarely: above twice the best. A job that is over before its first
checkpoint writes none."""


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
    """Return what each of these intervals leads to."""
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


def print_job(job: OneJob) -> None:
    """Print intervals of one job, and what they cost."""
    to = console()
    to.print(
        f"{job.work / 3600:,.3g} h of work; stopped every {job.mtbf / 3600:,.4g} h on average;"
        f" a checkpoint takes {job.cost:g} s, a restart {job.restart:g} s"
    )
    heads = ["interval", "(s)", "checkpoints", "run time\n(h)", "overhead\n(%)"]
    rows = [
        (
            str(row["interval"]),
            _cell(row["seconds"], whole),
            _cell(row["checkpoints"], whole),
            _cell(row["run_time"], lambda time: significant(time / 3600, 5)),
            _cell(row["overhead"], percent),
            _cell(row["above_best"], percent),
            _cell(row["stops"], significant),
        )
        for row in rows_of(job)
    ]
    print_table(plain_table([*heads, "above best\n(%)", "stops"], rows))
    if intervals_of(job)["best"] == np.inf:
        to.print("best: no checkpoints; half and twice are of Daly's interval")


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
    found: dict[str, dict[str, Bools]] = {}
    for field in ("queue", "user"):
        labels = field_labels(workload, field)
        keys = np.unique(labels.numbers)
        if field == "user":
            area = workload.size * workload.effective_run
            used = [-area[labels.numbers == key].sum() for key in keys]
            keys = keys[np.argsort(used, kind="stable")]
        found[labels.kind] = {labels.name(key): labels.numbers == key for key in keys.tolist()}
    return found


def print_advice(advice: Advice, groups: Groups, stops: Stops, shown: int) -> None:
    """Print what checkpoints cost by verdict, queue and user; so many users."""
    to = console()
    to.print(f"stops: {stops}")
    to.print()
    verdicts = ((name, advice.verdict == i) for i, name in enumerate(VERDICTS))
    print_table(_table("checkpoints", [("all jobs", None), *verdicts], advice))
    for kind, members in groups.items():
        rows = list(members.items())
        if len(rows) > 1:
            to.print()
            print_table(_table(kind, rows[:shown] if kind == "user" else rows, advice))
            if kind == "user" and len(rows) > shown:
                to.print(f"and {plural(len(rows) - shown, 'other user')}")
    to.print()
    everybody = plural(len(advice.best), "job")
    to.print(f"{advice.none_best:,} of {everybody} should take no checkpoints at all.")
    paragraph(NOTES)


def _table(title: str, groups: Iterable[tuple[str, Bools | None]], advice: Advice) -> ResultTable:
    heads = [title, "jobs", "processor-\nhours", "median\ninterval (s)", "best\n(s)"]
    rows = []
    for name, jobs in groups:
        found = advice.hours(jobs)
        rows.append(
            (
                name,
                whole(found.jobs),
                whole(found.work),
                _cell(found.interval, whole),
                _cell(found.best_interval, whole),
                percent(_over(found.stated, found)),
                percent(_over(found.best, found)),
                whole(found.stated - found.best),
            )
        )
    return plain_table([*heads, "overhead\n(%)", "at best\n(%)", "to save\n(proc.-h)"], rows)


def _over(hours: float, found: Hours) -> float | None:
    return hours / found.work - 1 if found.work else None


def _cell(value: object, write: Callable[[float], str]) -> str:
    return "" if value is None else write(float(str(value)))
