"""Markets that were played, as documents of results."""

from __future__ import annotations

from collections.abc import Iterator

from swfx.base.numbers import percent, plural
from utilitysched.analysis.documents import Column, Description, ResultTable
from utilitysched.market.agents.study import MarketStudy


def market_description(study: MarketStudy) -> Description:
    """Return what became of a market: who gained, and month by month whether it settled."""
    users = plural(len(study.courses[0].grant), "user")
    return Description(
        f"Market of {users} with {plural(len(study.workload), 'job')}",
        [_strategies(study), *_markets(study)],
    )


def _strategies(study: MarketStudy) -> ResultTable:
    columns = [
        Column("mechanism", left=True, key="mechanism", fold=True),
        Column("strategy", left=True, key="strategy", fold=True),
        Column("users", key="users"),
        Column("value\n(%)", write=percent, key="value"),
        Column("charges\n(%)", write=percent, key="charge"),
        Column("gain\n(%)", write=percent, key="gain"),
        Column("interval\n(%)", key="interval"),
        Column("more\nvalue (%)", write=percent, key="value_gain"),
    ]
    rows = [
        (
            row.mechanism,
            row.strategy,
            row.users,
            row.value,
            row.charge,
            row.gain,
            "" if row.low is None else f"{percent(row.low)} to {percent(row.high)}",
            row.value_gain,
        )
        for row in study.strategies
    ]
    note = (
        "All shares are of what jobs would have been worth if they had completed at once. gain:"
        " value less charges, more than if everybody had told the truth with the same budgets."
        " interval: 95%, users resampled. more value: the gain of those who have no other use for"
        " their money."
    )
    return ResultTable(columns, rows, "Who gains", [note], key="strategies")


def _markets(study: MarketStudy) -> Iterator[ResultTable]:
    """Yield a table for each mechanism."""
    columns = [
        Column("month", key="month"),
        Column("jobs", key="jobs"),
        Column("welfare\n(%)", write=percent, key="welfare"),
        Column("all honest\n(%)", write=percent, key="truth"),
        Column("revenue\n(%)", write=percent, key="revenue"),
        Column("bid\n(x truth)", write=_factor, key="bid"),
        Column("moved\n(x)", write=_factor, key="moved"),
        Column("nothing to\nbid (%)", write=percent, key="broke"),
    ]
    for number, course in enumerate(study.courses):
        rows = [row[1:] for row in study.months if row.mechanism == course.mechanism]
        last = number == len(study.courses) - 1
        note = (
            "bid: reported over true value, mean weighted by worth. moved: by which factor"
            " users' bids differ from those of the month before; 1.00: the market has settled."
        )
        yield ResultTable(
            columns,
            rows,
            f"{course.mechanism}, month by month",
            [note] if last else [],
            key=f"months_{number + 1}",
        )


def _factor(factor: float | None) -> str:
    return "-" if factor is None else f"{factor:.2f}"
