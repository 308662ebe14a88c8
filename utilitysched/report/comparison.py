"""Schedulers beside each other: the columns of LEE's table 4.1, and ratios to a baseline."""

import re
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from swfx import InputError
from swfx.base.numbers import fixed, percent, plural, shortened, significant, whole
from swfx.base.options import nearest
from utilitysched.analysis.documents import Column, Estimate, ResultTable
from utilitysched.analysis.metrics import LEE_LEVELS, LeeRow, lee_table_row
from utilitysched.analysis.metrics.catalogue import own_metrics
from utilitysched.analysis.statistics import (
    LEAST,
    SIGNIFICANT,
    Comparison,
    MeanName,
    to_baseline,
)
from utilitysched.model.schedule import SEARCH, Schedule
from utilitysched.report.tables import (
    Significance,
    change_text,
    effect_text,
    estimate_text,
    number_text,
    significance_text,
)
from utilitysched.report.terminal import filled, print_table
from utilitysched.runs.records import PreparedWorkload, SimulatedRun, SimulationPlan

NOTES = """\
x%: share of the jobs that waited at most this long, or earned at least this much.
expansion factor: (wait + p) / p with the requested time p, as in LEE's figures; summary.json and \
--json also have it by run times.
utility: in service units (SU); ratio: relative to that of the first scheduler.
used: share of the machine in use, from the first submission to the last end.
time: wall-clock time of the simulation."""

SUBMISSION_NOTES = """\
the tables above count from when a job became eligible, after begin times, holds and \
dependencies."""

CUT_NOTES = """\
killed: at their limits, before their work was done; they earn nothing, and have no slowdown."""

HELD_NOTES = """\
hours waited: by all jobs together, for room (free resources, or a turn in the queue), for limits, \
and for windows of the calendar. Why one job waited: utilitysched decision explain."""

SHARED_NOTES = """\
deviation from shares: part of a week's usage that by shares belonged to other users who had jobs; \
mean of the weeks, weighted by usage."""

STOPPED_NOTES = """\
work lost, overhead: processor-hours of work done again, and of restarts.
useful: share of the machine in use, less both.
time in queue: mean of all waits of a job (wait: up to its first start)."""


SCHEDULER = Column("scheduler", left=True)


class ComparedRun(NamedTuple):
    """One scheduler's summary of metrics, and the wall-clock time of the simulation (s)."""

    summary: Mapping[str, Any]
    seconds: float


def print_runs(
    plan: SimulationPlan, prepared: PreparedWorkload, runs: Sequence[SimulatedRun]
) -> None:
    """Print conditions, the comparison of schedulers, waits by group, and the effort of searches.

    See `print_comparison`.
    """
    compared = [ComparedRun(run.summary, run.schedule.elapsed) for run in runs]
    print_comparison(comparison_titles(plan, prepared), compared)
    if plan.machine is not None:
        from utilitysched.report.groups import print_groups  # noqa: PLC0415 - of few runs

        grouped = {run.schedule.scheduler: (prepared.workload, run.schedule) for run in runs}
        print_groups(grouped, plan.trim)
    print_effort([run.schedule for run in runs])


def print_effort(schedules: Sequence[Schedule]) -> None:
    """Print what schedulers bred, a line each; nothing where none bred anything."""
    lines = [line for schedule in schedules for line in effort(schedule)]
    if lines:
        print()
    for line in lines:
        print(filled(line))


def effort(schedule: Schedule) -> Iterator[str]:
    """Yield how many generations and plans a schedule took; nothing if none was bred."""
    search: dict[str, Any] = schedule.provenance.get(SEARCH, {})  # type: ignore[assignment]
    if search.get("generations"):
        bred, decisions = search["generations"], search["decisions"]
        yield (
            f"{schedule.scheduler} bred {plural(bred, 'generation')}"
            f" in {plural(decisions, 'decision')}: {plural(search['plans'], 'plan')}."
        )


def print_comparison(titles: Sequence[str], runs: Sequence[ComparedRun]) -> None:
    """Print the verdict, titles, and two tables with the columns of LEE's table 4.1 and more.

    Percentiles of waits and expansion factors count upward, those of the share of the start value
    from the best downward: 25 means that a quarter of the jobs earned at least this.
    """
    rows = [lee_table_row(run.summary) for run in runs]
    for title in (*verdict(rows), *titles):
        print(filled(title))
    tables = [_waits(rows, runs), replace(_shares(rows), notes=NOTES.splitlines())]
    if own := own_metrics():
        columns = {each.name: Column(each.title, each.unit, number_text) for each in own}
        tables.append(replace(_summaries(runs, columns), broken=True))
    if any("submission_wait_mean" in run.summary for run in runs):
        tables.append(replace(_summaries(runs, SUBMISSION), notes=SUBMISSION_NOTES.splitlines()))
    if any("limit_wait_hours" in run.summary for run in runs):
        tables.append(replace(_summaries(runs, HELD), notes=HELD_NOTES.splitlines()))
    if any(run.summary.get("share_deviation") is not None for run in runs):
        tables.append(replace(_summaries(runs, SHARED), notes=SHARED_NOTES.splitlines()))
    if any(run.summary.get("jobs_cut_short") for run in runs):
        tables.append(replace(_summaries(runs, CUT), notes=CUT_NOTES.splitlines()))
    if any("preemptions" in run.summary for run in runs):
        tables.append(replace(_summaries(runs, STOPPED), notes=STOPPED_NOTES.splitlines()))
    for table in tables:
        print()
        print_table(table)


def verdict(rows: Sequence[LeeRow]) -> Iterator[str]:
    """Yield which scheduler earns most, or slows jobs least where no job is worth anything."""
    earned = {row.scheduler: row.aggregate_utility for row in rows}
    slowed = {row.scheduler: row.bounded_slowdown or 0.0 for row in rows}
    if any(earned.values()):
        best = max(earned, key=earned.__getitem__)
        others = _beside_others(best, earned)
        most = " the most," if len(rows) > 1 and not others.startswith(": as much") else ""
        yield f"{best} earns{most} {fixed(earned[best])} SU{others}."
    elif all(slowed.values()):
        best = min(slowed, key=slowed.__getitem__)
        least = (
            "the least mean bounded slowdown," if len(rows) > 1 else "a mean bounded slowdown of"
        )
        yield (f"{best} has {least} {significant(slowed[best])}{_beside_others(best, slowed)}.")


def _beside_others(best: str, values: Mapping[str, float]) -> str:
    """Return how much the best value is beside the first one, or beside the next if it is first."""
    first, *others = values
    if best != first:
        return f": {beside(values[best] / values[first])} {first}" if values[first] else ""
    if not others:
        return ""
    after = min(others, key=lambda name: abs(values[name] - values[best]))
    return f": {beside(values[best] / values[after])} {after}" if values[after] else ""


def _levels(group: str, write: Callable[[float | None], str]) -> list[Column]:
    return [Column(f"{level}%", write=write, group=group) for level in LEE_LEVELS]


def _waits(rows: Sequence[LeeRow], runs: Sequence[ComparedRun]) -> ResultTable:
    of_resources = any("limit_wait_hours" in run.summary for run in runs)
    others = (
        Column("bounded\nslowdown", write=significant, group=" "),
        Column("utility\n(SU)", write=significant, group=" ", main=True),
        Column("\nratio", write=significant, group=" ", main=True),
        Column("processors\nused (%)" if of_resources else "used\n(%)", write=percent, group=" "),
        Column("time\n(s)", write=_seconds, group=" "),
    )
    cells = [
        (
            row.scheduler,
            *row.wait,
            row.bounded_slowdown,
            row.aggregate_utility,
            _utility_ratio(row, rows[0]),
            run.summary["utilisation"],
            run.seconds,
        )
        for row, run in zip(rows, runs, strict=True)
    ]
    return ResultTable([SCHEDULER, *_levels("wait (s)", whole), *others], cells, broken=False)


def _shares(rows: Sequence[LeeRow]) -> ResultTable:
    factors = _levels("expansion factor", significant)
    earned = _levels("% of start value earned", percent)
    cells = [
        (row.scheduler, *row.requested_expansion_factor, *row.start_value_share) for row in rows
    ]
    return ResultTable([SCHEDULER, *factors, *earned], cells, broken=False)


SUBMISSION = {
    f"submission_wait_p{level}": column
    for level, column in zip(LEE_LEVELS, _levels("wait from submission (s)", whole), strict=True)
} | {"submission_bounded_slowdown_mean": Column("bounded\nslowdown", write=significant, group=" ")}
"""Waits and slowdowns from the users' submissions on, beside those from eligibility."""

CUT = {
    "jobs_cut_short": Column("jobs\nkilled", write=whole, group=" "),
    "share_cut_short": Column("jobs\nkilled (%)", write=percent, group=" "),
}
"""How many jobs did not succeed."""

HELD = {
    "room_wait_hours": Column("for\nroom", write=significant, group="hours waited"),
    "limit_wait_hours": Column("for\nlimits", write=significant, group="hours waited"),
    "window_wait_hours": Column("for\nwindows", write=significant, group="hours waited"),
    "share_held_by_limits": Column("by\nlimits", write=percent, group="jobs held (%)"),
    "share_held_by_windows": Column("by\nwindows", write=percent, group="jobs held (%)"),
}
"""What jobs waited for on the machine of a machine file."""

SHARED = {"share_deviation": Column("deviation from\nshares (%)", write=percent, group=" ")}
"""How far usage was from shares."""

STOPPED = {
    "preemptions": Column("times\npreempted", write=whole, group=" "),
    "share_preempted": Column("jobs\npreempted (%)", write=percent, group=" "),
    "failures": Column("failures", write=whole, group=" "),
    "queued_mean": Column("time in\nqueue (s)", write=whole, group=" "),
    "processor_hours_lost": Column("work lost\n(h)", write=significant, group=" "),
    "processor_hours_overhead": Column("overhead\n(h)", write=significant, group=" "),
    "effective_utilisation": Column("useful\n(%)", write=percent, group=" "),
}
"""What became of jobs that could be stopped."""


def _summaries(runs: Sequence[ComparedRun], columns: Mapping[str, Column]) -> ResultTable:
    """Return figures of the summaries by name; those that a run has not are unknown."""
    cells = [
        (run.summary["scheduler"], *(run.summary.get(name) for name in columns)) for run in runs
    ]
    return ResultTable([SCHEDULER, *columns.values()], cells, broken=False)


def _seconds(value: float) -> str:
    return significant(value, 2)


def _utility_ratio(row: LeeRow, first: LeeRow) -> float | None:
    return row.aggregate_utility / first.aggregate_utility if first.aggregate_utility else None


def comparison_titles(plan: SimulationPlan, prepared: PreparedWorkload) -> list[str]:
    """Return the lines above the tables: workload, transformations, conditions, utilities."""
    lines = [_jobs(plan, prepared), _transformed(plan, prepared)]
    return [*filter(None, lines), _conditions(plan, prepared), _utilities(prepared)]


def _jobs(plan: SimulationPlan, prepared: PreparedWorkload) -> str:
    report = prepared.loaded.report
    read = "all job lines" if plan.source.jobs is None else f"job lines {plan.source.slice_text}"
    cleaned = f"{report.dropped:,} dropped, {report.repaired:,} repaired"
    return (
        f"{report.source}, {read}: {plural(report.kept, 'job')} "
        f"({plan.source.cleaning} cleaning: {cleaned})"
    )


def _transformed(plan: SimulationPlan, prepared: PreparedWorkload) -> str:
    if not plan.apply:
        return ""
    return f"transformed by {', '.join(plan.apply)}: {plural(len(prepared.workload), 'job')}"


def _conditions(plan: SimulationPlan, prepared: PreparedWorkload) -> str:
    workload = prepared.workload
    span = float(workload.submit.max() - workload.submit.min()) / 86400
    counted = f"without the first and last {plan.trim:.1%}" if plan.trim else "all jobs counted"
    machine = prepared.machine
    pools = f" in {plural(len(machine.pools), 'pool')} of {plan.machine}" if machine else ""
    processors = plural(workload.machine_size or 0, "processor")
    return (
        f"{processors}{pools}, {span:,.1f} days of submissions, "
        f"{counted}, tau {plan.tau:g} s, scheduler seed {plan.seeds.scheduler}"
    )


def _utilities(prepared: PreparedWorkload) -> str:
    workload = prepared.workload
    without = len(workload) - int(workload.utility.defined.sum())
    if without == len(workload):
        return "utilities: none, no job is worth anything"
    model = "; ".join(workload.header.all("UtilityModel")) or "as in the workload"
    missing = f"; {plural(without, 'job')} without" if without else ""
    spaced = re.sub(r",(?=[^ \d])", ", ", shortened(model))  # so that the line can be broken
    return f"utilities: {spaced}{missing}"


ALIKE = 5e-4
"""Share by which values may differ to be called the same: half of the last digit of percents."""

WIDE_RANGE = 5.0
"""Pictures of ratios that differ by more than this factor have a logarithmic scale."""

LISTED = 3
"""Circumstances left out that are told by name."""

_EFFECT = """\
effect: rank-biserial correlation of the pairs; +1: none is below the baseline, -1: none above"""
_MEANS: dict[MeanName, str] = {
    "arithmetic": "of means over the pairs",
    "geometric": "of geometric means over the pairs",
    "median": "of medians over the pairs",
    "difference": "of means over the pairs",
}
_UNDEFINED: dict[MeanName, str] = {
    "arithmetic": "the baseline's mean is not above 0",
    "geometric": "values of 0 have no geometric mean",
    "median": "the baseline's median is not above 0",
    "difference": "a value is missing",
}


class ComparisonSetting(NamedTuple):
    """What a table of comparisons is about.

    Attributes
    ----------
    metric, unit : str
        What was measured.
    baseline : str
        Name of the candidate that the others are compared with.
    mean : str
        As it was given to `utilitysched.analysis.statistics`.
    """

    metric: str
    unit: str
    baseline: str
    mean: MeanName = "arithmetic"

    @property
    def word(self) -> str:
        """Noun for the estimate: ratio or difference."""
        return "difference" if self.mean == "difference" else "ratio"


class _Line(NamedTuple):
    name: str
    found: Comparison
    is_baseline: bool
    published: float | None
    published_ratio: float | None


_Part = tuple[Column, Callable[[_Line], Any]]


def is_wide(ratios: Sequence[float]) -> bool:
    """Whether a picture of these ratios needs a logarithmic scale."""
    return min(ratios) > 0 and max(ratios) / min(ratios) > WIDE_RANGE


def check_baseline(baseline: str, labels: Sequence[str]) -> None:
    """Refuse a baseline that is none of the labels."""
    if baseline not in labels:
        raise InputError(
            f"no run is of {baseline!r}", field="`baseline`", remedy=nearest(baseline, labels)
        )


def beside(ratio: float) -> str:
    """Return how much more or less a ratio is, to be followed by what it is of.

    Examples
    --------
    >>> [beside(ratio) for ratio in (1.0968, 0.5, 1.0001, 2.64)]
    ['9.7% more than', '50.0% less than', 'as much as', '2.64 times as much as']
    """
    if abs(ratio - 1) < ALIKE:
        return "as much as"
    if 0 <= ratio < 2:
        return f"{percent(abs(ratio - 1))}% {'more' if ratio > 1 else 'less'} than"
    return f"{ratio:.3g} times as much as"


def comparison_table(
    comparisons: Mapping[str, Comparison],
    setting: ComparisonSetting,
    *,
    caption: str = "",
    published: Mapping[str, float] | None = None,
    published_ratios: Mapping[str, float] | None = None,
    remarks: Sequence[str] = (),
) -> ResultTable:
    """Return a table with a row per candidate, the baseline's own among them.

    Parameters
    ----------
    comparisons : mapping of str to Comparison
        By name, in the order of the rows; corrected by `utilitysched.analysis.statistics.correct`.
    setting : ComparisonSetting
        Words for headings and notes.
    caption : str
        One line.
    published : mapping of str to float, optional
        Means that others published, in our unit, by name: these, what ours is more than them, and
        their ratios stand beside ours.
    published_ratios : mapping of str to float, optional
        Ratios to the baseline that others published without the means, by name.
    remarks : sequence of str
        What else is to be said below the table: where the pairs come from.
    """
    values = published or {}
    ratios = {**to_baseline(values, setting.baseline), **(published_ratios or {})}
    lines = [
        _Line(name, comparison, name == setting.baseline, values.get(name), ratios.get(name))
        for name, comparison in comparisons.items()
    ]
    parts = [*_measured(setting), *_published(setting, lines), *_judged(setting, lines)]
    return ResultTable(
        columns=[column for column, _ in parts],
        rows=[[cell(line) for _, cell in parts] for line in lines],
        caption=caption,
        notes=[*_notes(comparisons, setting), *remarks],
    )


def _measured(setting: ComparisonSetting) -> Iterator[_Part]:
    yield Column("scheduler", left=True), lambda line: line.name
    yield Column("pairs", write=whole), lambda line: line.found.pairs
    yield Column(setting.metric, setting.unit, number_text), lambda line: line.found.mean


def _published(setting: ComparisonSetting, lines: Sequence[_Line]) -> Iterator[_Part]:
    if any(line.published is not None for line in lines):
        yield Column("published", setting.unit, number_text), lambda line: line.published
        yield Column("difference", "%", change_text), _difference


def _judged(setting: ComparisonSetting, lines: Sequence[_Line]) -> Iterator[_Part]:
    write = partial(estimate_text, apart=_null(setting))
    yield Column(f"{setting.word} [95%]", write=write), _ratio
    if any(line.published_ratio is not None for line in lines):
        yield Column("published ratio", write=number_text), lambda line: line.published_ratio
    yield Column("p", write=significance_text), _significance
    yield Column("effect", write=effect_text), lambda line: line.found.rank_biserial


def _null(setting: ComparisonSetting) -> float:
    return 0.0 if setting.mean == "difference" else 1.0


def _difference(line: _Line) -> float | None:
    if line.found.mean is None or not line.published:
        return None
    return 100 * (line.found.mean / line.published - 1)


def _ratio(line: _Line) -> Estimate:
    if line.is_baseline or line.found.interval is None:
        return Estimate(line.found.ratio)
    return Estimate(line.found.ratio, *line.found.interval)


def _significance(line: _Line) -> Significance | None:
    if line.is_baseline:
        return None
    return Significance(line.found.p, line.found.corrected_p, line.found.pairs)


def _notes(comparisons: Mapping[str, Comparison], setting: ComparisonSetting) -> Iterator[str]:
    others = {
        name: comparison for name, comparison in comparisons.items() if name != setting.baseline
    }
    yield f"{setting.word}: {_MEANS[setting.mean]}, to {setting.baseline}"
    yield from interval_notes(others.values())
    yield from _gap_notes(list(others.values()), setting)
    yield (
        f"p: of the same test, below {SIGNIFICANT:g} exactly where the interval does not include "
        f"{_null(setting):g}; n/a: no test"
    )
    yield _EFFECT
    if setting.unit == "SU":
        yield "SU: service units"
    for name, comparison in comparisons.items():
        if comparison.left_out:
            yield f"{name}: {_left_out(comparison)}"


def interval_notes(comparisons: Collection[Comparison]) -> Iterator[str]:
    """Yield what the intervals in brackets are, if there are any."""
    if any(each.interval for each in comparisons):
        tests = max(each.tests for each in comparisons)
        yield "in brackets: " + (
            f"intervals of the paired t test; all {tests} together hold the true values in 95% of "
            "cases (Bonferroni's correction)"
            if tests > 1
            else "95% interval of the paired t test"
        )


def _gap_notes(others: Sequence[Comparison], setting: ComparisonSetting) -> Iterator[str]:
    if any(comparison.ratio is None and comparison.pairs for comparison in others):
        yield f"no {setting.word}: {_UNDEFINED[setting.mean]}"
    if any(comparison.ratio is not None and comparison.interval is None for comparison in others):
        yield (f"no interval: fewer than {LEAST} pairs, or the same {setting.word} in all of them")


def _left_out(comparison: Comparison) -> str:
    reasons = [f"{_key_text(key)}: {reason}" for key, reason in comparison.left_out[:LISTED]]
    more = len(comparison.left_out) - len(reasons)
    rest = [f"{more} more"] if more else []
    return f"{len(comparison.left_out)} left out: {'; '.join(reasons + rest)}"


def _key_text(key: Hashable) -> str:
    """Return the key of a pair as text: a plain tuple joined by spaces, any other by `str`."""
    return " ".join(map(str, key)) if type(key) is tuple else str(key)
