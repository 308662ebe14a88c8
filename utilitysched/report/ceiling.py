"""Ceilings of logs, as documents of results."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from swfx.base.numbers import fixed, percent, plural, significant, span
from swfx.machine import PROCESSORS
from utilitysched.analysis.documents import (
    Column,
    ColumnChart,
    Description,
    Fact,
    Facts,
    ResultTable,
)
from utilitysched.analysis.metrics import aggregate_utility
from utilitysched.exact.ceiling import HOUR, PoolCeiling, UtilityCeiling, free_share
from utilitysched.model.schedule import Schedule
from utilitysched.model.state import Floats

STRETCHES = 120
"""Columns of the chart of prices."""

LISTED = 10
"""Jobs in the table of those that lose most."""

DAY = 86_400.0


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
    prices: ResultTable | Facts
    if ceiling.has_pools:
        size = plural(len(ceiling.pools), "pool")
        prices = _resources(ceiling)
    else:
        size = plural(ceiling.workload.machine_size or 0, "processor")
        prices = _facts(ceiling)
    charts = [
        _prices(pool, place)
        for pool in ceiling.pools
        for place in range(len(pool.resources))
        if place == 0 or pool.prices.rents[place]
    ]
    return Description(
        f"Ceiling of {jobs} on {size}",
        [_bounds(ceiling, schedule), prices, *charts, _jobs(ceiling, schedule)],
        [
            _verdict(ceiling, aggregate_utility(ceiling.workload, schedule)),
            *_exchange(ceiling),
        ],
    )


def _verdict(ceiling: UtilityCeiling, found: float) -> str:
    bound = ceiling.bound
    easy, best = (percent(worth / bound if bound else None) for worth in (ceiling.easy, found))
    return (
        f"No schedule earns more than {_amount(bound)} SU: EASY earns {easy}% of this ceiling,"
        f" the best schedule found {best}%."
    )


def _exchange(ceiling: UtilityCeiling) -> Iterator[str]:
    """Yield what an hour of each priced resource is worth in processor-hours of its pool."""
    free = {pool.name: free_share(pool.prices) for pool in ceiling.pools}
    for price in ceiling.resource_prices:
        if price.resource == PROCESSORS or not price.rent:
            continue
        compared = "; processors are not scarce, so there is no rate of exchange"
        if price.processor_hours is not None:
            compared = f", as much as {significant(price.processor_hours)} processor-hours"
            if free[price.pool]:
                compared += f" (processors are free {percent(free[price.pool])}% of the time)"
        worth = f"an hour of 1 {price.resource} is worth {significant(price.mean)} SU"
        yield f"Pool {price.pool}: {worth}{compared}."


def _resources(ceiling: UtilityCeiling) -> ResultTable:
    columns = [
        Column("pool", left=True, key="pool"),
        Column("resource", left=True, key="resource"),
        Column("capacity", write=_whole, key="capacity"),
        Column("price of 1\nhour (SU)", write=_price, key="mean"),
        Column("highest\n(SU)", write=_price, key="highest"),
        Column("processor-\nhours", write=_price, key="processor_hours"),
        Column("cost of\nall (SU)", write=_amount, key="rent"),
        Column("of the\nceiling (%)", write=percent, key="ceiling_share"),
    ]
    bound = ceiling.bound
    rows = [
        (
            *price[:3],
            price.mean,
            price.highest,
            price.processor_hours,
            price.rent,
            price.rent / bound if bound else None,
        )
        for price in ceiling.resource_prices
    ]
    note = (
        "Price of an hour of one of the resource, mean over the whole time, and the"
        " processor-hours of the pool that cost as much; none where the ceiling is as low without"
        " the price of processors. A price is 0 where there is enough for all. Limits and windows"
        " are left out: no schedule that keeps them is worth more either."
    )
    title = "Prices that prove the ceiling"
    return ResultTable(columns, rows, title, [note], key="resources", broken=False)


def _bounds(ceiling: UtilityCeiling, schedule: Schedule) -> ResultTable:
    lines = {
        "EASY": ceiling.easy,
        "best schedule found": aggregate_utility(ceiling.workload, schedule),
        "ceiling": ceiling.bound,
    }
    if ceiling.preemptive is not None:
        lines["ceiling with preemption at no cost"] = ceiling.preemptive
    lines["ceiling without any waiting"] = ceiling.trivial
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


def _prices(pool: PoolCeiling, resource: int) -> ColumnChart:
    time = pool.prices.time
    length = float(time[-1] - time[0])
    edges = np.linspace(time[0], time[-1], STRETCHES + 1)
    means = np.diff(_rent_until(pool, resource, edges)) / max(length / STRETCHES, 1.0) * HOUR
    decimals = 1 if length > STRETCHES * DAY / 10 else 2  # so that neighbours differ
    middles = (edges[:-1] + edges[1:]) / 2 - time[0]
    key, title, unit = "prices_over_time", "Price of processor time", "processor"
    if pool.name:
        unit = "processor" if resource == 0 else pool.resources[resource]
        key, title = f"{key}_{pool.name}_{unit}", f"Price of 1 {unit} of pool {pool.name}"
    return ColumnChart(
        key,
        title,
        f"Mean price in stretches of {significant(length / STRETCHES / HOUR)} hours, days since"
        " the first submission.",
        f"SU a {unit}-hour",
        [f"{middle / DAY:.{decimals}f}" for middle in middles.tolist()],
        means.tolist(),
    )


def _rent_until(pool: PoolCeiling, resource: int, when: Floats) -> Floats:
    """Return what one of a resource costs until each time (SU)."""
    problem = pool.prices.problem
    rent = pool.prices.steps.rent[resource] * (problem.unit / problem.grain[resource])
    rents: Floats = np.interp(when, pool.prices.time, rent)
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
    profit, _ = ceiling.profits
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


def _whole(amount: int) -> str:
    return f"{amount:,}"


def _price(price: float | None) -> str:
    return "-" if price is None else significant(price)


def _span(hours: float) -> str:
    return span(hours * HOUR)


def _ratio(ratio: float | None) -> str:
    return "-" if ratio is None else fixed(ratio)
