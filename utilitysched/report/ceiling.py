"""Ceilings of logs, as documents of results."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from swfx.base.numbers import fixed, percent, plural, significant, span
from utilitysched.analysis.documents import (
    Column,
    ColumnChart,
    Description,
    Fact,
    Facts,
    ResultTable,
)
from utilitysched.analysis.metrics import aggregate_utility
from utilitysched.exact.ceiling import UtilityCeiling, free_share
from utilitysched.model.schedule import Schedule
from utilitysched.model.state import Floats

STRETCHES = 120
"""Columns of the chart of prices."""

LISTED = 10
"""Jobs in the table of those that lose most."""

HOUR, DAY = 3600.0, 86_400.0


def ceiling_description(ceiling: UtilityCeiling, schedule: Schedule) -> Description:
    """Return a ceiling as a document: bounds, prices over time, and who cannot be served better.

    Parameters
    ----------
    ceiling : UtilityCeiling
        The bounds.
    schedule : Schedule
        The best one found.
    """
    jobs = plural(len(ceiling.workload), "job")
    size = plural(ceiling.workload.machine_size or 0, "processor")
    return Description(
        f"Ceiling of {jobs} on {size}",
        [
            _bounds(ceiling, schedule),
            _facts(ceiling),
            _prices(ceiling),
            _jobs(ceiling, schedule),
        ],
        [_verdict(ceiling, aggregate_utility(ceiling.workload, schedule))],
    )


def _verdict(ceiling: UtilityCeiling, found: float) -> str:
    bound = ceiling.bound
    easy, best = (percent(worth / bound if bound else None) for worth in (ceiling.easy, found))
    return (
        f"No schedule earns more than {_amount(bound)} SU: EASY earns {easy}% of this ceiling,"
        f" the best schedule found {best}%."
    )


def _bounds(ceiling: UtilityCeiling, schedule: Schedule) -> ResultTable:
    lines = {
        "EASY": ceiling.easy,
        "best schedule found": aggregate_utility(ceiling.workload, schedule),
        "ceiling": ceiling.bound,
    }
    if ceiling.preemptive is not None:
        lines["ceiling with preemption at no cost"] = ceiling.preemptive.bound
    lines["ceiling without any waiting"] = ceiling.prices.trivial
    rows = [
        (
            name,
            worth,
            worth / ceiling.easy if ceiling.easy else None,
            ceiling.gap_share(worth),
            worth / ceiling.bound if ceiling.bound else None,
        )
        for name, worth in lines.items()
    ]
    columns = [
        Column("schedules", left=True, key="name", fold=True),
        Column("utility\n(SU)", write=_amount, key="utility"),
        Column("ratio\nto EASY", write=_ratio, key="ratio"),
        Column("of the\ngap (%)", write=percent, key="gap_share"),
        Column("of the\nceiling (%)", write=percent, key="ceiling_share"),
    ]
    note = (
        "No schedule that runs each job in one piece is worth more than the ceiling, whoever"
        " makes it and whatever they know. Gap: between EASY (0) and the ceiling (100). SU:"
        " service units."
    )
    return ResultTable(
        columns, rows, "How much could be earned", [note], key="bounds", broken=False
    )


def _facts(ceiling: UtilityCeiling) -> Facts:
    prices = ceiling.prices
    free = free_share(prices)
    rent = prices.rent / ceiling.bound if ceiling.bound else 0.0
    highest = float(prices.price.max(initial=0.0)) * HOUR
    return Facts(
        "prices",
        "Prices that prove the ceiling",
        [
            Fact("free_share", "processors cost nothing", free, f"{percent(free)}% of the time"),
            Fact(
                "highest",
                "highest price",
                highest,
                f"{significant(highest)} SU a processor-hour",
            ),
            Fact(
                "rent",
                "cost of the whole machine",
                prices.rent,
                f"{significant(prices.rent)} SU, {percent(rent)}% of the ceiling",
            ),
            Fact("iterations", "iterations", prices.iterations, f"{prices.iterations:,}"),
            Fact("price_steps", "price steps", len(prices.time), f"{len(prices.time):,}"),
        ],
    )


def _prices(ceiling: UtilityCeiling) -> ColumnChart:
    time = ceiling.prices.time
    length = float(time[-1] - time[0])
    edges = np.linspace(time[0], time[-1], STRETCHES + 1)
    means = np.diff(_rent_until(ceiling, edges)) / max(length / STRETCHES, 1.0) * HOUR
    decimals = 1 if length > STRETCHES * DAY / 10 else 2  # so that neighbours differ
    middles = (edges[:-1] + edges[1:]) / 2 - time[0]
    return ColumnChart(
        "prices_over_time",
        "Price of processor time",
        f"Mean price in stretches of {significant(length / STRETCHES / HOUR)} hours, days since"
        " the first submission.",
        "SU a processor-hour",
        [f"{middle / DAY:.{decimals}f}" for middle in middles.tolist()],
        means.tolist(),
    )


def _rent_until(ceiling: UtilityCeiling, when: Floats) -> Floats:
    """Return what a processor costs until each time (SU)."""
    rent = ceiling.prices.steps.rent * ceiling.prices.problem.unit
    rents: Floats = np.interp(when, ceiling.prices.time, rent)
    return rents


def _jobs(ceiling: UtilityCeiling, schedule: Schedule) -> ResultTable:
    columns = [
        Column("job", write=ceiling.workload.job_names.name, key="job_id"),
        Column("processors", key="processors"),
        Column("run", write=_span, key="run"),
        Column("worth at\nonce (SU)", write=_amount, key="most"),
        Column("profit (SU)", write=_amount, key="profit"),
        Column("found (SU)", write=_amount, key="found"),
    ]
    note = (
        "Jobs that lose most in the best schedule found, in SU. Worth at once: if they started"
        " at once. Profit: the value less the price of the processors."
    )
    return ResultTable(columns, list(_rows(ceiling, schedule)), "Who loses", [note], key="jobs")


def _rows(ceiling: UtilityCeiling, schedule: Schedule) -> Iterator[tuple[object, ...]]:
    workload = ceiling.workload
    most = workload.utility.evaluate(workload.effective_run)
    value = schedule.utility(workload)
    profit = ceiling.in_workload_order(ceiling.prices.profit)
    for job in np.argsort(value - most, kind="stable")[:LISTED].tolist():
        yield (
            int(workload.job_id[job]),
            int(workload.size[job]),
            float(workload.effective_run[job]) / HOUR,
            float(most[job]),
            float(profit[job]),
            float(value[job]),
        )


def _amount(amount: float) -> str:
    return fixed(amount)


def _span(hours: float) -> str:
    return span(hours * HOUR)


def _ratio(ratio: float | None) -> str:
    return "-" if ratio is None else fixed(ratio)
