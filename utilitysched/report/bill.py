"""A bill: one statement, and the total that its lines add up to."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
from rich.table import Table

from pricing import Charges, Replays, check_charges, statement
from pricing.ledger import amount, coarser, to_ledger
from pricing.waste_total import WasteTotal, waste_total
from utilitysched.report.console import console, grid, show
from utilitysched.report.numbers import plural, whole

SHOWN = 20
"""Lines of a statement that are printed; the file has them all."""

CENTS = 2
"""Decimals that are printed unless others are asked for."""

ROUND_HOURS = 1000
"""Total of processor-hours from which on they are printed without decimals."""

MONTH = "month"


def print_bill(
    charges: Charges, by: str, *, decimals: int | None = None, shown: int = SHOWN
) -> None:
    """Print a statement and the total: months in order, anything else the dearest first.

    Parameters
    ----------
    charges : Charges
        What every job pays.
    by : {"user", "group", "queue", "month"}
        What each line is for.
    decimals : int, optional
        Of charges and utilities, `CENTS` without it; as printed, lines add up to the total.
    shown : int
        Lines to print; of months all are printed.
    """
    to = console()
    to.print(f"Bill by {charges.mechanism}, per {by}: {_counted(charges)}")
    to.print()
    show(to, _lines(charges, by, CENTS if decimals is None else decimals, shown))
    to.print()
    to.print(f"The lines add up to {charges.billed:,f} SU, the exact sum of the charges.")
    if stops := waste_total(charges):
        to.print(_stops(stops, CENTS if decimals is None else decimals))
    if isinstance(charges.evidence, Replays):
        to.print(_certainty(charges, charges.evidence))
    for check in check_charges(charges):
        if not check.holds:
            to.print(f"{check.name}: {check.detail}")


def _stops(total: WasteTotal, decimals: int) -> str:
    """Say what lost work and restarts cost, and who pays; as said, both add up to the price."""
    if not total.bumps + total.failures:
        return "No job was bumped, or stopped by a failure."
    times = plural(total.bumps, "bump")
    if total.failures:
        times += f" and {plural(total.failures, 'failure')}"
    lost = f"{times} lost {total.hours:,.4g} processor-hours"
    if not total.price:
        return f"{lost}, at no price."
    price, paid = (_rounded(money, decimals) for money in (total.price, total.paid))
    return (
        f"{lost}, at {price:,f} SU: {paid:,f} SU of the charges are for that,"
        f" {price - paid:,f} SU borne by the centre."
    )


def _rounded(money: Decimal, decimals: int) -> Decimal:
    """Round as the lines of the table are: what has fewer decimals stays as it is."""
    finer = -int(money.as_tuple().exponent) > decimals
    return round(money, decimals) if finer else money


def _certainty(charges: Charges, replays: Replays) -> str:
    """Say how sure the charges are."""
    billed = charges.outcome.position
    negative = int(np.count_nonzero(replays.mean[billed] < 0))
    defaulted = f"{plural(negative, 'mean')} below 0 charged as 0."
    if not replays.draws:
        return f"{replays.scheduler} draws nothing: charges have no standard error. {defaulted}"
    if len(replays.seeds) == 1:
        return f"One seed: the standard error of the charges is not known. {defaulted}"
    error = float(replays.error[billed].mean()) if len(billed) else 0.0
    seeds = len(replays.seeds)
    return f"Standard error over {seeds} seeds, mean of the jobs: {error:,.2f} SU. {defaulted}"


def _counted(charges: Charges) -> str:
    parts = [f"{plural(len(charges), 'job')} charged"]
    if charges.excluded:
        parts.append(f"{charges.excluded:,} excluded by status")
    if charges.unstarted:
        parts.append(f"{charges.unstarted:,} never started")
    return ", ".join(parts)


def _lines(charges: Charges, by: str, decimals: int, shown: int) -> Table:
    table = statement(charges, by, decimals=decimals)
    table["exact"] = statement(charges, by)["charge"]
    table["utility"] = _adding_up(table["utility"], decimals)
    hours = table["processor_hours"]
    table["processor_hours"] = _adding_up(hours, 0 if hours.sum() >= ROUND_HOURS else CENTS)
    lines: list[Any] = list(table.itertuples())
    if by == MONTH:
        shown = len(lines)
    else:
        lines.sort(key=lambda line: line.charge, reverse=True)
    heads = [by, "jobs", "processor-hours", "utility (SU)", "charge (SU)", "share (%)"]
    grown = grid(heads + (["bumps", "for stops (SU)"] if charges.shares else []))

    def row(name: str, some: Sequence[Any]) -> list[str]:
        return _cells(name, some, lines) + (_for_stops(some) if charges.shares else [])

    for line in lines[:shown]:
        grown.add_row(*row(str(line.Index), [line]))
    if lines[shown:]:
        grown.add_row(*row(f"{len(lines) - shown:,} others", lines[shown:]))
    grown.add_section()
    grown.add_row(*row("total", lines))
    return grown


def _adding_up(column: pd.Series, decimals: int) -> pd.Series:
    """Round numbers so that they add up to their rounded sum."""
    lines = coarser(to_ledger(column.to_numpy()), decimals)
    exact = [amount(units, lines.decimals) for units in lines.units.tolist()]
    return pd.Series(exact, index=column.index, dtype=object)


def _cells(name: str, lines: Sequence[Any], everyone: Sequence[Any]) -> list[str]:
    exact, total = _sum(lines, "exact"), _sum(everyone, "exact")
    return [
        name,
        whole(sum(line.jobs for line in lines)),
        f"{_sum(lines, 'processor_hours'):,f}",
        f"{_sum(lines, 'utility'):,f}",
        f"{_sum(lines, 'charge'):,f}",
        f"{100 * exact / total:.1f}" if total else "-",
    ]


def _for_stops(lines: Sequence[Any]) -> list[str]:
    return [whole(sum(line.bumps for line in lines)), f"{_sum(lines, 'waste_charge'):,f}"]


def _sum(lines: Sequence[Any], column: str) -> Decimal:
    return sum((getattr(line, column) for line in lines), Decimal(0))
