"""Certificates that anybody can verify on a set of charges."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from typing import NamedTuple

import numpy as np

from pricing.charges import Charges
from pricing.keys import written_kinds
from pricing.ledger import TOLERANCE
from pricing.outcome import SECONDS_PER_HOUR
from pricing.parts import ExactDues, Parts, exact_sum
from pricing.properties import Check
from pricing.resources import amounts_of, resource_hours
from pricing.shares import Dues, Shares
from pricing.statements import displaced_total, statement, waste_total
from pricing.waste import NOBODY
from swfx.base.columns import Floats, Ints

__all__ = ["Check", "Rationality", "check_charges", "individual_rationality"]


class Rationality(NamedTuple):
    """Jobs that pay more than they earned: individual rationality is broken for them.

    Attributes
    ----------
    job_ids : ndarray of int64
        The jobs charged above their realised utility.
    overcharge : float
        What they pay beyond it, together (SU).
    judged : int
        Jobs with a utility function; the others cannot be judged.
    """

    job_ids: Ints
    overcharge: float
    judged: int


def individual_rationality(charges: Charges) -> Rationality:
    """Find the jobs with a utility function whose charge is above their realised utility."""
    judged = charges.workload.utility.defined
    excess = charges.charge - charges.outcome.utility
    over = judged & (excess > 0)
    return Rationality(
        charges.workload.job_id[over], math.fsum(excess[over]), int(np.count_nonzero(judged))
    )


def check_charges(charges: Charges) -> tuple[Check, ...]:
    """Every certificate of this module, none of which relies on how the lines were made.

    Returns
    -------
    tuple of Check
        ``total``: the job lines add up to the total digit for digit. ``lines``: no line differs
        from its charge by more than rounding. ``statements``: each kind of statement adds up to the
        same total and counts every job once. ``evidence``: where a rate is given, rate x
        processor-hours is the charge, lost work and restarts left out on both sides. ``waste``,
        where jobs could be stopped: what a job pays for itself and for stops is its line, and what
        jobs pay and the centre bears is what stops cost. ``displaced``, where the scheduler named a
        price: what jobs pay for those that they displaced is what these and the centre get, and no
        job gets more than it was worth when it was stopped, or than it pays but for displacing
        others. ``interference``, where jobs shared nodes: at its rate nobody is charged for longer
        than the job takes on nodes of its own, nor for a job that its neighbours slowed until it
        was killed, whatever the mechanism.
        ``rationality``: nobody pays more than the job earned; asserted where the mechanism promises
        it, else reported.
    """
    checks: tuple[Callable[[Charges], Check], ...] = (
        _total,
        _lines,
        _statements,
        _evidence,
        *((_waste,) if charges.shares else ()),
        *((_displaced,) if displaced_total(charges) else ()),
        *((_interference,) if charges.outcome.shared else ()),
        _rationality,
    )
    return tuple(check(charges) for check in checks)


def _total(charges: Charges) -> Check:
    total = Decimal(repr(charges.total))
    return Check(
        "total",
        charges.billed == round(total, charges.ledger.decimals),
        f"{len(charges)} lines add up to {charges.billed} SU; the exact sum is {total} SU",
    )


def _lines(charges: Charges) -> Check:
    unit = 10.0**-charges.ledger.decimals
    billed = charges.ledger.units * unit
    parts, size = np.ones(len(charges)), np.abs(charges.charge)
    if shares := charges.shares:  # each part is rounded by itself
        size = shares.gross + shares.received
        parts = _amounts(shares)
    # a float total is itself off by half its last bit, which the lines share
    allowed = 2 * parts * unit + math.ulp(charges.total) + parts * np.spacing(size)
    worst = float(np.max(np.abs(billed - charges.charge), initial=0.0))
    return Check(
        "lines",
        bool(np.all(np.abs(billed - charges.charge) <= allowed)),
        f"the largest rounding of a line is {worst:.1e} SU",
    )


def _amounts(shares: Shares) -> Floats:
    """Return how many amounts, each rounded by itself, are in the line of each job, (n,)."""
    count = np.ones(len(shares.own))
    for place in (shares.work.payer, shares.displaced.payer, shares.displaced.receiver):
        count += np.bincount(place[place != NOBODY], minlength=len(count))
    return count


def _statements(charges: Charges) -> Check:
    off = []
    for by in written_kinds(charges.workload):
        table = statement(charges, by)
        if sum(table["charge"], Decimal(0)) != charges.billed or table["jobs"].sum() != (
            charges.outcome.jobs
        ):
            off.append(by)
    held = "all kinds add up to the total" if not off else f"not adding up: {', '.join(off)}"
    return Check("statements", not off, held)


def _evidence(charges: Charges) -> Check:
    rated = ~np.isnan(charges.rate)
    own = charges.shares.own if charges.shares else charges.charge
    expected = charges.rate[rated] * charges.outcome.useful.hours_of(charges.per)[rated]
    agrees = np.allclose(own[rated], expected, rtol=TOLERANCE, atol=0.0)
    count, hours = np.count_nonzero(rated), resource_hours(charges.per)
    return Check("evidence", bool(agrees), f"{count} charges are rate x {hours}")


def _waste(charges: Charges) -> Check:
    shares, parts, total = charges.shares, charges.parts, waste_total(charges)
    assert shares is not None
    assert parts is not None
    assert total is not None
    whole = parts.own.copy()
    for dues in (parts.work, parts.displaced):
        for place, units in ((dues.payer, dues.paid.units), (dues.receiver, -dues.received.units)):
            known = place != NOBODY
            np.add.at(whole, place[known], units[known])
    exact = np.array_equal(whole, charges.ledger.units)
    return Check(
        "waste",
        exact and _adds_up(shares.work, parts.work),
        f"{total.hours:,.6g} processor-hours were lost at {total.price} SU: {total.paid} SU are"
        f" paid, {total.borne} SU borne by the centre",
    )


def _displaced(charges: Charges) -> Check:
    shares, parts, total = charges.shares, charges.parts, displaced_total(charges)
    assert shares is not None
    assert parts is not None
    assert total is not None
    dues = parts.displaced
    kept = parts.money(dues.paid.units - dues.received.units)
    lines = (parts.money(each) for each in (parts.for_displaced, parts.received))
    adds_up = [total.paid, total.received] == [*lines] and total.kept == kept
    return Check(
        "displaced",
        adds_up and _adds_up(shares.displaced, dues) and _is_no_gain(shares, parts),
        f"jobs pay {total.paid} SU for those that they displaced: {total.received} SU go to these,"
        f" {total.kept} SU to the centre",
    )


def _is_no_gain(shares: Shares, parts: Parts) -> bool:
    """Return whether no job gets more than it was worth when it was stopped, or than it pays."""
    value, unit = np.zeros(len(shares.own)), 10.0**-parts.decimals
    np.maximum.at(value, shares.stopped, shares.value_left)
    most = np.minimum(value, parts.asked.units * unit)
    slack = 2 * _amounts(shares) * unit + TOLERANCE * most
    return bool(np.all(parts.received * unit <= most + slack))


def _adds_up(dues: Dues, exact: ExactDues) -> bool:
    """Return whether nothing is paid where nobody pays, and prices are those of the dues."""
    if exact.paid.units[dues.payer == NOBODY].any():
        return False
    whole = exact_sum(exact.price)
    if whole != exact_sum((exact.paid.total, exact.borne.total)):
        return False
    price = np.array([float(each) for each in exact.price])
    units = sum(10.0**-ledger.decimals for ledger in (exact.paid, exact.borne))
    allowed = (len(price) + 2) * units + 2 * np.spacing(price.sum()) + np.spacing(price)
    return bool(np.all(np.abs(price - dues.price) <= allowed))


def _interference(charges: Charges) -> Check:
    outcome, killed = charges.outcome, charges.outcome.let_off
    # at most rate x what it takes alone; what comes from no rate is a value, read at the real end
    own = charges.shares.own if charges.shares else charges.charge
    alone = np.nan_to_num(amounts_of(outcome.workload, charges.per))
    most = charges.rate * alone * outcome.workload.effective_run / SECONDS_PER_HOUR
    over = np.where(killed, own > 0, own > most * (1 + TOLERANCE))
    hours = math.fsum(outcome.workload.size * outcome.spared) / SECONDS_PER_HOUR
    return Check(
        "interference",
        not over.any(),
        f"{int(np.count_nonzero(outcome.spared)):,} jobs were slowed by neighbours,"
        f" {int(np.count_nonzero(killed)):,} of them until they were killed, and are not charged"
        f" for {hours:,.2f} processor-hours of it;"
        f" {int(np.count_nonzero(over)):,} are charged for longer than they take alone",
    )


def _rationality(charges: Charges) -> Check:
    rationality = individual_rationality(charges)
    return Check(
        "rationality",
        len(rationality.job_ids) == 0,
        f"{len(rationality.job_ids):,} of {rationality.judged:,} jobs with a utility function pay"
        f" more than they earned, {rationality.overcharge:,.2f} SU in all",
        asserted="rationality" in charges.promises,
    )
