"""Tariffs tried on what ran: what each would have brought in, and from whom."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

import pricing
from swfx import InputError
from swfx.base.columns import Floats, Ints
from swfx.reading.notes import Echo
from utilitysched.analysis.metrics.distribution import gini
from utilitysched.analysis.statistics.interval import LEAST, LEVEL, Interval
from utilitysched.market.billing import BillPlan, charges_of, run_to_charge
from utilitysched.workers.executor import Executor
from utilitysched_centre.rules import Invoice, Rules, invoice, read_rules
from utilitysched_centre.rules.statements import ACCOUNT, payers_or_keys

WEEK = 7 * 86_400.0
"""Seconds; people work by weeks, so weeks are what is drawn anew."""

MONDAY = 4 * 86_400.0
"""Unix time (s) of the first Monday."""

DRAWS, SEED = 1999, 0
"""Of the bootstrap."""


class Tariff(NamedTuple):
    """A mechanism, and what rules make of its charges.

    Attributes
    ----------
    text : str
        As it was named.
    mechanism : str
        Label of the mechanism.
    rules : Rules
        Those that change nothing by default.
    """

    text: str
    mechanism: str
    rules: Rules


def read_tariff(text: str) -> Tariff:
    """Read ``MECHANISM`` or ``MECHANISM@RULES``, rules being a file.

    Raises
    ------
    InputError
        There is no such mechanism, or the rules cannot be read.
    """
    mechanism, _, rules = text.partition("@")
    label = pricing.make_mechanism(mechanism).label
    return Tariff(text, label, read_rules(Path(rules)) if rules else Rules())


@dataclass(frozen=True, eq=False)
class TariffStudy:
    """What tariffs would have brought in.

    Attributes
    ----------
    bills : tuple of Invoice
        By each tariff, the present one first.
    tariffs : tuple of Tariff
        Which.
    by : str
        Kind of the payers.
    """

    tariffs: tuple[Tariff, ...]
    bills: tuple[Invoice, ...]
    by: str

    @cached_property
    def payers(self) -> list[str]:
        """Names of all payers, in order."""
        return sorted({name for names in self._names for name in names})

    @cached_property
    def _names(self) -> list[list[str]]:
        return [_names(bill, self.by) for bill in self.bills]

    @cached_property
    def paid(self) -> Floats:
        """What is to be paid, tax included, by tariff, payer and week of completion."""
        weeks = list(map(_weeks, self.bills))
        first = min((int(week.min()) for week in weeks if len(week)), default=0)
        last = max((int(week.max()) for week in weeks if len(week)), default=first)
        place = {name: number for number, name in enumerate(self.payers)}
        paid = np.zeros((len(self.bills), len(place), last - first + 1))
        for tariff, (bill, names) in enumerate(zip(self.bills, self._names, strict=True)):
            units = np.zeros(paid.shape[1:], np.int64)
            payer = np.array([place[name] for name in names], np.int64)
            np.add.at(units, (payer, weeks[tariff] - first), bill.to_pay)
            paid[tariff] = units / 10.0**bill.decimals
        return paid

    def revenue(self, tariff: int) -> float:
        """Sum of what is to be paid by a tariff."""
        return float(self.bills[tariff].total)

    def fairness(self, tariff: int) -> float | None:
        """Gini coefficient of what payers pay: 0 = all the same."""
        return gini(self.paid[tariff].sum(axis=1))

    def fairness_interval(self, tariff: int) -> Interval | None:
        """95% interval of that, weeks being drawn anew."""
        paid = self.paid[tariff]
        return self._interval(np.array([gini(paid @ weeks) or 0.0 for weeks in self._draws]))

    def change(self, tariff: int, payers: Sequence[int]) -> tuple[float | None, Interval | None]:
        """Ratio of what payers, by place, pay to what they pay by the first tariff.

        Returns
        -------
        float or None, Interval or None
            And its 95% interval, weeks being drawn anew. None where they pay nothing by the first.
        """
        others, first = (self.paid[number, payers].sum(axis=0) for number in (tariff, 0))
        if not first.sum():
            return None, None
        with np.errstate(divide="ignore", invalid="ignore"):
            drawn = (self._draws @ others) / (self._draws @ first)
        return float(others.sum() / first.sum()), self._interval(drawn)

    def pay_more(self, tariff: int) -> int:
        """How many payers pay more than by the first tariff."""
        totals = self.paid.sum(axis=2)
        return int(np.count_nonzero(totals[tariff] > totals[0]))

    @cached_property
    def _draws(self) -> Floats:
        """How often each week is drawn, (draws, weeks)."""
        weeks = self.paid.shape[2]
        rng = np.random.default_rng(SEED)
        return rng.multinomial(weeks, np.full(weeks, 1 / weeks), DRAWS).astype(np.float64)

    def _interval(self, drawn: Floats) -> Interval | None:
        if self.paid.shape[2] < LEAST or not np.isfinite(drawn).all():
            return None
        tail = (1 - LEVEL) / 2
        low, high = np.quantile(drawn, [tail, 1 - tail])
        return Interval(float(low), float(high))


def tariff_study(
    directory: Path,
    tariffs: Sequence[Tariff],
    by: str = ACCOUNT,
    *,
    executor: Callable[[str], Executor | None] = lambda _: None,
    echo: Echo = lambda _: None,
) -> TariffStudy:
    """Try tariffs on a run: jobs are what they were, whatever they would have cost.

    Parameters
    ----------
    directory : Path
        Of the run.
    tariffs : sequence of Tariff
        The first is what others are compared with.
    by : str
        Kind of payers: account, user, or another label of the log.
    executor : callable
        Gives where the log is replayed for a mechanism that replays it.
    echo : callable
        Takes lines for people.

    Raises
    ------
    InputError
        A tariff cannot charge the run, or they are in different currencies.
    """
    codes = {tariff.rules.code for tariff in tariffs}
    if len(codes) > 1:
        raise InputError(
            f"tariffs are in {' and '.join(sorted(codes))}",
            field="--tariff",
            remedy="give them rules with the same [currency]",
        )
    run, bills = run_to_charge(directory), []
    for tariff in tariffs:
        plan = BillPlan(directory, tariff.mechanism, rules=tariff.rules, drawn_values=True)
        charges = charges_of(plan, run, executor=executor(tariff.mechanism), echo=echo)
        bills.append(invoice(charges, tariff.rules))
    return TariffStudy(tuple(tariffs), tuple(bills), by)


def _names(bill: Invoice, by: str) -> list[str]:
    """Name the payer of each job."""
    found = payers_or_keys(bill, by)
    return [found.names.get(key, str(key)) for key in found.of]


def _weeks(bill: Invoice) -> Ints:
    """Week in which each job completed, from Monday on, (n,)."""
    clock = bill.charges.workload.header.unix_start_time or 0
    week: Ints = np.floor((bill.charges.outcome.end + clock - MONDAY) / WEEK).astype(np.int64)
    return week
