"""Bills: statements in the terminal, and one page with why each job is charged."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pricing import Charges, Readings, Replays, check_charges, make_mechanism, statement
from pricing.basis import Basis
from pricing.counterfactual import JOBS, USERS, players_of
from pricing.evidence import LossesByCause, for_later, own_losses, reserve_of
from pricing.keys import MONTH, keys, words
from pricing.ledger import amount, to_ledger
from pricing.pivots import Reserve
from pricing.resources import CPU, GPU, resource_hour, resource_hours
from pricing.statements import DisplacedTotal, WasteTotal, displaced_total, waste_total
from pricing.states import general, states_of
from swfx.base.numbers import CENTS, plural, span, whole
from swfx.base.options import as_text
from utilitysched.analysis.documents import Description, ResultTable, plain_table
from utilitysched.report.sentences import (
    few,
    loss_text,
    stop_sentences,
    uncharged_sentences,
    usual,
)
from utilitysched.report.terminal import filled, print_table

SHOWN = 20
"""Lines of a statement that are printed; the file has them all."""

FOR_STOPS = ("waste_charge", "displacement_charge", "compensation")
"""Columns of a statement with what is paid for stops, twice, and got."""

ROUND_HOURS = 1000
"""Total of processor-hours from which on they are printed without decimals."""


def print_warnings(basis: Basis | None) -> None:
    """Print what whoever reads on has to know first: that it is a simulation, values drawn."""
    if basis and basis.notices:
        print(filled(" ".join(basis.notices)))
        print()


def print_bill(charges: Charges, by: str, *, shown: int = SHOWN) -> None:
    """Print a statement and the total: months in order, anything else the most expensive first.

    Parameters
    ----------
    charges : Charges
        What every job pays.
    by : str
        What each line is for.
    shown : int
        Lines to print; of months all are printed.
    """
    charges = as_billed(charges)
    print(filled(heading(charges, by)))
    print()
    print_table(statement_table(charges, by, shown))
    print()
    for sentence in bill_sentences(charges):
        print(filled(sentence))


def heading(charges: Charges, by: str) -> str:
    """Return the line above a statement: the mechanism, how many jobs are charged, the total."""
    total = f"{charges.billed:,f} SU in all"
    return f"Bill under {charges.mechanism}, per {words(by)}: {_counted(charges)}, {total}"


def bill_sentences(charges: Charges) -> Iterator[str]:
    """Yield the total of a bill, what stops cost, how sure charges are, and failed checks."""
    total = f"{charges.billed:,f} SU (service units)"
    yield f"The lines add up to {total}, exactly the sum of the charges."
    yield from _unpaid(charges)
    if stops := waste_total(charges):
        yield _stops(stops, priced=bool(charges.shares and charges.shares.work.price.any()))
    if displaced := displaced_total(charges):
        yield _displaced(displaced)
    if isinstance(charges.evidence, Replays):
        yield _certainty(charges, charges.evidence)
    if reserve := reserve_of(charges):
        yield _for_later(charges, reserve)
    yield from own_sentences(charges)
    yield from uncharged_sentences(charges)
    for check in check_charges(charges):
        if not check.holds:
            yield f"{check.name}: {check.detail}"
            if check.name == "rationality" and isinstance(charges.evidence, Readings):
                yield READ_BEFORE
    if charges.weaknesses:
        yield WEAK.format("; ".join(weakness.brief for weakness in charges.weaknesses))


def _unpaid(charges: Charges) -> Iterator[str]:
    """Yield how many jobs are charged nothing that did run."""
    if small := int(np.count_nonzero((charges.charge > 0) & (charges.ledger.units == 0))):
        yield SMALL.format(plural(small, "job"), amount(1, charges.ledger.decimals))
    if killed := int(np.count_nonzero(charges.outcome.let_off)):
        yield KILLED.format(plural(killed, "job"))


SMALL = "{} cost less than {} SU each and are charged nothing; a bill of more decimals has them."

KILLED = "Not charged: {}, slowed by neighbours and killed before the work was done."

WEAK = "Not prevented by these terms: {} (statements.json says why, with remedies)."

READ_BEFORE = (
    "They pay the value by which they were ranked when they started, but ended "
    "later than was assumed then. With the scheduler's option duration=requested "
    "only jobs that are stopped do."
)
"""Said where charges by the scheduler's reading exceed what jobs turned out to be worth."""


def _for_later(charges: Charges, reserve: Reserve) -> str:
    """Return the sentence on the reserve: the sum charged for later submissions, and its price."""
    later = for_later(charges)
    assert later is not None
    paid = f"{later.total:,f} SU of the charges are for later submissions"
    if not len(reserve.price):
        return f"{paid}."
    return f"{paid}, at {reserve.price[0]:.4f} SU per processor-hour."


def own_sentences(charges: Charges) -> Iterator[str]:
    """Yield what of the charges is for delaying jobs of the same user, where jobs are players."""
    rule = make_mechanism(charges.mechanism).pivots
    if rule is not None and rule.players == JOBS:
        user = players_of(charges.workload, USERS)
        own = own_losses(charges, np.where(user < 0, -1 - np.arange(len(user)), user))
        yield f"{math.fsum(own):,.2f} SU of the charges are for delaying jobs of the same user."


def _stops(total: WasteTotal, *, priced: bool) -> str:
    """Say what lost work and restarts cost, and who pays; as said, both add up to the price."""
    if not total.preemptions + total.failures:
        return "No job was preempted, or stopped by a failure."
    times = plural(total.preemptions, "preemption")
    if total.failures:
        times += f" and {plural(total.failures, 'failure')}"
    lost = f"{times} lost {total.hours:,.4g} processor-hours"
    if not priced:
        return f"{lost}, at no price."
    return (
        f"{lost}, at {total.price:,f} SU: {total.paid:,f} SU of that is charged,"
        f" {total.borne:,f} SU borne by the centre."
    )


def _displaced(total: DisplacedTotal) -> str:
    """Return the sentence on value lost by displaced jobs, its payment and the payee."""
    taken = f"{plural(total.stops, 'stop')} took {total.price:,f} SU from displaced jobs"
    if not total.paid:
        return f"{taken}, for which no one is charged apart."
    shares = []
    if total.received:
        shares.append(f"{total.received:,f} SU to the displaced jobs' owners")
    if total.kept:
        shares.append(f"{total.kept:,f} SU to the centre")
    return f"{taken}: the jobs that displaced them pay {' and '.join(shares)}."


def as_billed(charges: Charges) -> Charges:
    """Return charges rounded, to cents if nobody has chosen; they are printed so."""
    return charges.rounded() if charges.decimals is None else charges


def _certainty(charges: Charges, replays: Replays) -> str:
    """Say how sure the charges are."""
    billed = charges.outcome.position
    negative = int(np.count_nonzero(replays.mean[billed] < 0))
    defaulted = f"{plural(negative, 'mean')} below 0 charged as 0."
    if not replays.draws:
        return f"{replays.scheduler} is deterministic: charges have no standard error. {defaulted}"
    if len(replays.seeds) == 1:
        return f"One seed: the standard error of the charges is not known. {defaulted}"
    error = float(replays.error[billed].mean()) if len(billed) else 0.0
    seeds = len(replays.seeds)
    return f"Standard error over {seeds} seeds, mean of the jobs: {error:,.2f} SU. {defaulted}"


def _counted(charges: Charges) -> str:
    parts = [f"{plural(charges.outcome.jobs, 'job')} charged"]
    failed = 0
    if charges.failures:
        failed = len(charges.failures)
        states = sorted(set(map(general, states_of(charges.failures.workload))))
        parts.append(f"{failed:,} let off as {', '.join(states)}")
    if charges.excluded > failed:
        parts.append(f"{charges.excluded - failed:,} excluded by status")
    if charges.unstarted:
        parts.append(f"{charges.unstarted:,} never started")
    return ", ".join(parts)


def statement_table(charges: Charges, by: str, shown: int = SHOWN) -> ResultTable:
    """Return a statement: months in order, anything else the most expensive first.

    Parameters
    ----------
    charges : Charges
        What every job pays.
    by : str
        What each line is for.
    shown : int
        Lines, of which the last is all others; of months each has one.
    """
    table = statement(charges, by)
    owners = np.asarray(keys(charges, by).of)
    table["utility"] = _utilities(charges, owners, table.index)
    hours = table["processor_hours"]
    table["processor_hours"] = _adding_up(hours, 0 if hours.sum() >= ROUND_HOURS else CENTS)
    resource = GPU if charges.per == CPU else charges.per
    beside = charges.per != CPU or f"{GPU}_hours" in table
    if beside:
        of_jobs = pd.Series(charges.outcome.hours_of(resource))
        sums = of_jobs.groupby(owners).sum()
        table["resource_hours"] = _adding_up(sums.reindex(table.index, fill_value=0.0), CENTS)
    paid = [name for name in FOR_STOPS if name in table]
    lines: list[Any] = list(table.itertuples())
    if by == MONTH:
        shown = len(lines)
    else:
        lines.sort(key=lambda line: line.charge, reverse=True)
    heads = [words(by), "jobs", "processor-hours", "utility (SU)", "charge (SU)", "share (%)"]

    def row(name: str, some: Sequence[Any]) -> list[str]:
        cells = _cells(name, some, lines) + (_for_stops(some, paid) if charges.shares else [])
        cells += [f"{_sum(some, 'resource_hours'):,f}"] if beside else []
        return cells + (_failures(some) if "failures" in table else [])

    rows = [row(str(getattr(line, "name", line.Index)), [line]) for line in lines[:shown]]
    if lines[shown:]:
        rows.append(row(f"{len(lines) - shown:,} others", lines[shown:]))
    heads += ["times preempted", "for stops (SU)"] if charges.shares else []
    heads += ["received (SU)"] if paid[2:] else []
    heads += [resource_hours(resource)] if beside else []
    if "failures" in table:
        heads += ["failures", "hours lost"] if charges.shares else ["let off", "hours"]
    return plain_table(heads, rows, total=[row("total", lines)])


def _utilities(charges: Charges, owners: npt.NDArray[Any], index: pd.Index[Any]) -> pd.Series:
    """Return utilities (SU), rounded by job as charges are: by first price the two are the same."""
    decimals = charges.ledger.decimals
    units = to_ledger(charges.outcome.utility, decimals, charges.workload.user).units
    sums = pd.Series(units).groupby(owners).sum().reindex(index, fill_value=0)
    return pd.Series([amount(each, decimals) for each in sums.tolist()], index, dtype=object)


def _adding_up(column: pd.Series, decimals: int) -> pd.Series:
    """Return rounded amounts, the rounding spread so that the total is the rounded exact sum."""
    lines = to_ledger(column.to_numpy(), decimals)
    exact = [amount(units, lines.decimals) for units in lines.units.tolist()]
    return pd.Series(exact, index=column.index, dtype=object)


def _cells(name: str, lines: Sequence[Any], everyone: Sequence[Any]) -> list[str]:
    charge, total = _sum(lines, "charge"), _sum(everyone, "charge")
    return [
        name,
        whole(sum(line.jobs for line in lines)),
        f"{_sum(lines, 'processor_hours'):,f}",
        f"{_sum(lines, 'utility'):,f}",
        f"{charge:,f}",
        f"{100 * charge / total:.1f}" if total else "-",
    ]


def _for_stops(lines: Sequence[Any], names: Sequence[str]) -> list[str]:
    """Return the cells on preemptions: their number, payments and compensation (SU)."""
    pays = sum((_sum(lines, name) for name in names[:2]), Decimal(0))
    gets = [f"{_sum(lines, name):,f}" for name in names[2:]]
    return [whole(sum(line.preemptions for line in lines)), f"{pays:,f}", *gets]


def _failures(lines: Sequence[Any]) -> list[str]:
    hours = math.fsum(line.failure_hours for line in lines)
    return [whole(sum(line.failures for line in lines)), f"{hours:,.2f}"]


def _sum(lines: Sequence[Any], column: str) -> Decimal:
    return sum((getattr(line, column) for line in lines), Decimal(0))


LOSERS = 5
"""Jobs that lost by another are named, the most first; the files have them all."""

EXPLAINED = 1000
"""Jobs that have a line; charges.csv has them all."""


def write_bill_page(charges: Charges, by: str, path: Path) -> None:
    """Write a bill as a page that needs nothing but itself; ``-`` is standard output.

    Parameters
    ----------
    charges : Charges
        What every job pays.
    by : str
        What each line of the statement is for.
    path : Path
        Of the page.

    Raises
    ------
    InputError
        The log does not say `by`, or the page cannot be written.
    """
    from utilitysched.report.templating import write_page  # noqa: PLC0415 - loads templates

    charges = as_billed(charges)
    lead = [*(charges.basis.notices if charges.basis else ()), f"{heading(charges, by)}."]
    statement = statement_table(charges, by, shown=len(charges))
    panels = [statement, jobs_table(charges)]
    total, *more = bill_sentences(charges)
    lead += [total, charges.about, *more]
    write_page(Description(f"Bill under {charges.mechanism}", panels, lead), path)


def jobs_table(charges: Charges) -> ResultTable:
    """Return the most expensive jobs, each with why it is charged."""
    jobs, outcome, losses = charges.workload, charges.outcome, LossesByCause(charges)
    order = np.argsort(-charges.ledger.units, kind="stable").tolist()
    common = usual(_priced_by(charges, place) for place in order[:EXPLAINED])
    users = jobs.labels.in_field("user").of_jobs()
    rows = [
        (
            jobs.job_name(place),
            users[place],
            f"{outcome.start[place]:,.0f}",
            span(outcome.held.item(place)),
            str(jobs.size[place]),
            f"{outcome.processor_hours[place]:,.2f}",
            f"{charges.amount(place):,f}",
            " ".join(charge_sentences(charges, losses, place, common)),
        )
        for place in order[:EXPLAINED]
    ]
    heads = ["job", "user", "started (s)", "ran", "processors", "processor-hours", "charge (SU)"]
    more = order[EXPLAINED:]
    caption = "Jobs, the most expensive first"
    if common:
        caption += f". Unless a line says otherwise: {common[:1].lower()}{common[1:]}"
    if more:
        caption += f" ({plural(len(more), 'other')} in charges.csv)"
    return plain_table([*heads, "why"], rows, left=2, caption=caption)


def charge_sentences(
    charges: Charges, losses: LossesByCause, place: int, common: str = ""
) -> Iterator[str]:
    """Yield sentences on a job's charge: rate or reason, losers, stops.

    Parameters
    ----------
    charges : Charges
        What every job pays.
    losses : LossesByCause
        Of these charges.
    place : int
        Of the job, among those that pay.
    common : str
        What most charges rest on, and is not said again.
    """
    if (price := _priced_by(charges, place)) != common:
        yield f"{price}."
    if charges.per != CPU and not np.isnan(charges.rate[place]):
        hours = charges.outcome.useful.hours_of(charges.per).item(place)
        yield f"It used {hours:,.6g} {resource_hours(charges.per)}."
    if lost := lost_by(charges, losses, place):
        yield f"{lost}."
    yield from stop_sentences(charges, place)


def _priced_by(charges: Charges, place: int) -> str:
    """Return what the charge of a job rests on: a rate, or a reason."""
    rate = charges.rate.item(place)
    if np.isnan(rate):
        reason = charges.reason[place]
        return f"{reason[:1].upper()}{reason[1:]}"
    return f"{as_text(rate)} SU per {resource_hour(charges.per)}"


def lost_by(charges: Charges, losses: LossesByCause, place: int) -> str:
    """Return the jobs that lost by a job, with amounts; empty if the charge counts no losses."""
    if charges.asked.units[place] == 0:
        return ""
    number, jobs = charges.outcome.everybody, charges.workload.job_names
    lost = losses.of(charges.outcome.position.item(place))
    amounts = [f"{jobs.title(int(number[one.job]))} ({loss_text(one)} SU)" for one in lost]
    return f"It cost {few(amounts, LOSERS)}" if amounts else ""
