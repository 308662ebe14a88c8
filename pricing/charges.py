"""Charges of a realised schedule, one line per job that pays."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from pricing.basis import Basis
from pricing.counterfactual import Counterfactual
from pricing.ledger import Ledger, amount, to_ledger
from pricing.months import months
from pricing.outcome import Outcome
from pricing.parts import Parts, parts_of
from pricing.pivots import run_shares
from pricing.readings import ReadingMechanism
from pricing.reasons import BELOW, CUT, CUT_SHORT, UNSAID, reason
from pricing.registry import ABOUT, Evidence, Mechanism, Prices, make_mechanism
from pricing.resources import CPU
from pricing.shares import Shares, shares_of
from pricing.states import MACHINE_FAULTS, BillTerms, in_states, with_failures
from pricing.waste import Waste, WasteRule
from pricing.weaknesses import Weakness
from swfx import InputError, Workload
from swfx.base.columns import Bools, Floats, Ints
from swfx.base.displayed import Displayed
from swfx.base.numbers import CENTS, money
from swfx.clock import calendar_of

if TYPE_CHECKING:
    import pandas as pd

RATIONALITY, VALUE_BLINDNESS = "rationality", "value-blindness"


@dataclass(frozen=True, eq=False)
class Charges(Displayed):
    """What every job pays, with the evidence.

    Attributes
    ----------
    mechanism : str
        Label of the price mechanism.
    outcome : Outcome
        The n jobs that pay, in workload order, and when they ran.
    charge : ndarray of float64, shape (n,)
        SU, as the mechanism computed it; below 0 for a job that gets more than it pays.
    rate : ndarray of float64, shape (n,)
        SU per hour of `per`; NaN where the charge does not come from a rate.
    excluded : int
        Jobs that ran and do not pay because of their status or state.
    unstarted : int
        Jobs that never started and so do not pay.
    capped : int
        Jobs whose charge was cut to their realised utility.
    evidence : Pivots, Replays, Rounds or Readings, optional
        What would have been without each job of the whole schedule, by position in its workload:
        that of these jobs is ``outcome.position``. Or whose bids are the prices of these jobs,
        or what the scheduler read each of their starts to be worth.
    promises : frozenset of str
        Which of `pricing.PROPERTIES` the mechanism promises.
    why : tuple of str
        Why each of these jobs is charged, or not, in a few words; empty if the mechanism does not
        say.
    terms : BillTerms
        Who was let off, and whether charges were cut.
    uncut : ndarray of float64, shape (n,)
        SU, before any charge was cut; empty if none was.
    shares : Shares, optional
        Who pays for stops, and whom; None where no job could be stopped.
    per : str
        The resource that the rates are for.
    failures : Charges, optional
        Jobs that ran and are let off because of their states, each charged 0.
    about : str
        What a user pays for, in two sentences.
    basis : Basis, optional
        Where the schedule and the utility functions come from; None if nobody says.
    weaknesses : tuple of Weakness
        Scenarios that are known to pay under the conditions of the bill; empty if nobody says.
    decimals : int, optional
        To which the bill is rounded, once: see `pricing.ledger`; None: its lines are exact.
    """

    mechanism: str
    outcome: Outcome
    charge: Floats
    rate: Floats
    excluded: int = 0
    unstarted: int = 0
    capped: int = 0
    evidence: Evidence | None = None
    promises: frozenset[str] = frozenset()
    why: tuple[str, ...] = ()
    terms: BillTerms = field(default_factory=BillTerms)
    uncut: Floats = field(default_factory=lambda: np.empty(0))
    shares: Shares | None = None
    per: str = CPU
    failures: Charges | None = None
    about: str = ""
    basis: Basis | None = None
    weaknesses: tuple[Weakness, ...] = ()
    decimals: int | None = None

    def __post_init__(self) -> None:
        self.charge.setflags(write=False)
        self.rate.setflags(write=False)

    def __len__(self) -> int:
        return len(self.charge)

    def __repr__(self) -> str:
        return f"<Charges: {len(self):,} jobs by {self.mechanism}, {money(self.charge.sum())} SU>"

    @property
    def workload(self) -> Workload:
        """The jobs that pay."""
        return self.outcome.workload

    @property
    def reads_values(self) -> bool:
        """Whether charges may depend on utility functions."""
        return self.terms.cap or VALUE_BLINDNESS not in self.promises

    @cached_property
    def total(self) -> float:
        """Exact sum of what the centre gets by the charges, a float (SU)."""
        return math.fsum(self.charge if self.shares is None else self.shares.to_centre)

    @cached_property
    def ledger(self) -> Ledger:
        """The charges as whole decimal units that add up to `billed`; see `pricing.ledger`."""
        if self.parts is not None:
            return self.parts.ledger
        return to_ledger(self.charge, self.decimals, self._owner)

    @property
    def _owner(self) -> Ints | None:
        """Users, whose sums a rounded bill has to the unit; None where nothing is rounded."""
        return None if self.decimals is None else self.workload.user

    @cached_property
    def parts(self) -> Parts | None:
        """What of each line is for stops; None where no job could be stopped."""
        if self.shares is None:
            return None
        return parts_of(self.shares, self.decimals, self._owner)

    @property
    def asked(self) -> Ledger:
        """What each job pays without what is due for displaced jobs."""
        return self.ledger if self.parts is None else self.parts.asked

    @property
    def billed(self) -> Decimal:
        """Sum of the decimal lines (SU): `total`, rounded to the unit of the bill."""
        return self.ledger.total

    def amount(self, place: int) -> Decimal:
        """Return the line of a job, as it stands wherever the bill is printed (SU)."""
        return amount(int(self.ledger.units[place]), self.ledger.decimals)

    def rounded(self, decimals: int = CENTS) -> Charges:
        """Return the same charges, billed in an amount of so many decimals for each job.

        Parameters
        ----------
        decimals : int
            Of an SU: 2 for cents.

        Examples
        --------
        >>> jobs = Workload.from_columns(submit=[0] * 3, run=[1200] * 3, processors=[1] * 3)
        >>> third = charge(jobs, [0] * 3, [1200] * 3, "single-price").rounded()
        >>> [str(third.amount(place)) for place in range(3)], str(third.billed)
        (['0.34', '0.33', '0.33'], '1.00')
        """
        return replace(self, decimals=decimals)

    @cached_property
    def reason(self) -> list[str]:
        """Why each job is charged, or not; see `pricing.reasons`."""
        units, decimals = self.ledger
        below = BELOW.format(amount(1, decimals))
        lines = zip(
            self.charge.tolist(), units.tolist(), self.why or ("",) * len(self), strict=True
        )
        return [
            reason(0, below)
            if paid and not line
            else reason(paid, text or ("" if paid else UNSAID))
            for paid, line, text in lines
        ]

    @cached_property
    def month(self) -> npt.NDArray[np.str_]:
        """Month of each job's completion, ``2000-04`` or ``unknown``; see `pricing.months`."""
        return months(self.outcome.end, calendar_of(self.workload.header))

    def to_frame(self) -> pd.DataFrame:
        """Table of one row per job that pays, with the columns of ``charges.csv``.

        Numbers of jobs and of labels, and counts, are int64, other numbers float64, NaN where the
        file has an empty cell; the rest is text. The exact decimal of a ``charge`` is in `ledger`;
        here it is rounded once.

        Returns
        -------
        pandas.DataFrame
            n rows in workload order: s for times, SU for money; docs/files.md has each column.

        Examples
        --------
        >>> jobs = Workload.from_columns(submit=[0], run=[3600], processors=[2], user=[7])
        >>> charge(jobs, [0], [3600], "single-price:rate=0.5").to_frame()[["user", "charge"]]
           user  charge
        0     7     1.0
        """
        from pricing.files import charge_frame  # noqa: PLC0415 - it knows charges

        return charge_frame(self)


def charge(  # noqa: PLR0913 - one keyword per choice
    workload: Workload,
    start: npt.ArrayLike,
    end: npt.ArrayLike,
    mechanism: str | Mechanism = "first-price",
    *,
    exclude_statuses: Collection[int] = (),
    exclude_states: Collection[str] = MACHINE_FAULTS,
    cap: bool = False,
    counterfactual: Counterfactual | None = None,
    used: npt.ArrayLike | None = None,
    waste: Waste | None = None,
    cut_short: npt.ArrayLike | None = None,
    shared: bool = False,
) -> Charges:
    """Charge every job that started, whatever its status, by one mechanism.

    Parameters
    ----------
    workload : Workload
        n jobs.
    start, end : array_like, shape (n,)
        Realised start and completion on the log's clock (s); NaN for a job that never started.
    mechanism : str or Mechanism
        Name and options, as for `make_mechanism`, or the mechanism itself. By default a job pays
        what its utility function says it is worth at its requested end.
    exclude_statuses : collection of int
        Jobs with these values in the status field do not pay.
    exclude_states : collection of str
        Nor do jobs that ended in these states, where the log tells them: by default where the
        machine was at fault.
    cap : bool, default False
        Nobody with a utility function pays more than its realised value: charges above it are cut
        to it, and no longer come from a rate.
    counterfactual : Counterfactual, optional
        What would have been without each job, for mechanisms that ask: see
        `utilitysched.counterfactual.charges`.
    used : array_like, shape (n,), optional
        For how long each held its processors (s), where jobs were preempted and went on later;
        default: from start to end. What is charged by the hour is charged for this.
    waste : Waste, optional
        What was lost where jobs were stopped, if they could be: who pays for it is an option of
        every mechanism (``lost``, see `pricing.shares`), and so is who gets what jobs pay for those
        that they displaced (``displaced``). It is part of what was `used`.
    cut_short : array_like of bool, shape (n,), optional
        Jobs that were killed at their limits before their work was done: worth nothing, and of
        status 0, failed. By default none was.
    shared : bool, default False
        Jobs shared nodes. No job pays for what its neighbours slowed it by: see
        `Outcome.held`.

    Returns
    -------
    Charges

    Raises
    ------
    InputError
        If the mechanism is unknown or cannot price this workload, or the times are not those of a
        schedule of it, or who pays cannot be said without knowing what was lost.

    Examples
    --------
    >>> jobs = Workload.from_columns(submit=[0, 0], run=[3600, 1800], processors=[2, 4])
    >>> charge(jobs, [0, 0], [3600, 1800], "single-price:rate=0.5").total
    2.0
    """
    if isinstance(mechanism, str):
        mechanism = make_mechanism(mechanism)
    begin, finish = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
    cut = np.zeros(len(workload), np.bool_) if cut_short is None else np.asarray(cut_short, bool)
    workload = with_failures(workload, cut)
    terms = BillTerms.of(workload, exclude_statuses, exclude_states, cap=cap)
    ran = _started(workload, begin, finish)
    WasteRule.of(mechanism).require_known(mechanism.label, used, waste)
    free = terms.free(workload)
    pays = ran & ~free
    held = None if used is None else np.asarray(used, dtype=np.float64)
    those = workload[pays], begin[pays], finish[pays], np.flatnonzero(pays)
    outcome = Outcome(
        *those,
        counterfactual,
        workload.job_id,
        None if held is None else held[pays],
        None if waste is None else waste.of_those(pays),
        run_share=run_shares(workload, finish),
        cut_short=cut[pays],
        shared=shared,
    )
    charges = charge_outcome(outcome, mechanism, terms)
    failed = np.flatnonzero(ran & in_states(workload, terms.exclude_states))
    times = begin, finish, held
    return replace(
        charges,
        excluded=int(np.count_nonzero(ran & free)),
        unstarted=int(np.count_nonzero(~ran)),
        failures=_charged_nothing(outcome, workload, times, failed) if len(failed) else None,
    )


def _charged_nothing(
    outcome: Outcome, workload: Workload, times: tuple[Floats, Floats, Floats | None], jobs: Ints
) -> Charges:
    """Charge jobs nothing."""
    start, end, used = times
    more = outcome.counterfactual, outcome.everybody, None if used is None else used[jobs]
    run = Outcome(workload[jobs], start[jobs], end[jobs], jobs, *more)
    return Charges("", run, np.zeros(len(jobs)), np.full(len(jobs), np.nan))


def charge_outcome(outcome: Outcome, mechanism: Mechanism, terms: BillTerms) -> Charges:
    """Charge jobs that all pay; see `charge`."""
    if terms.cap and isinstance(mechanism, ReadingMechanism):
        mechanism.refuse_cap()
    prices = _let_off(outcome, mechanism.price(outcome.useful))
    _check_prices(outcome, prices.charge, mechanism.label)
    rule = WasteRule.of(mechanism)
    shares = shares_of(outcome, rule, prices.charge, prices.rate, prices.per)
    gross = shares.gross if shares else prices.charge
    _check_prices(outcome, gross, mechanism.label)
    uncut = shares.charge if shares else gross
    above = outcome.workload.utility.defined & (gross > outcome.utility) & terms.cap
    if shares and above.any():
        shares = shares.within(np.where(above, outcome.utility, np.inf))
    reasons = list(prices.why) or [""] * len(outcome)
    why = shares.reasons(reasons, above) if shares else np.where(above, CUT, reasons).tolist()
    pays = np.where(above, outcome.utility, gross)
    return Charges(
        mechanism.label,
        outcome,
        pays - shares.received if shares else pays,
        np.where(above, np.nan, prices.rate),
        capped=int(np.count_nonzero(above)),
        evidence=prices.evidence,
        promises=_promises(mechanism, shares, cap=terms.cap),
        why=tuple(why),
        terms=terms,
        uncut=uncut if above.any() else np.empty(0),
        shares=shares,
        per=prices.per,
        about=getattr(mechanism, "about", ABOUT.format(mechanism.label)),
    )


def _let_off(outcome: Outcome, prices: Prices) -> Prices:
    free = outcome.let_off
    if not free.any():
        return prices
    why = np.where(free, CUT_SHORT, list(prices.why) or [""] * len(outcome)).tolist()
    return prices._replace(charge=np.where(free, 0.0, prices.charge), why=why)


def _promises(mechanism: Mechanism, shares: Shares | None, *, cap: bool) -> frozenset[str]:
    declared: frozenset[str] = getattr(mechanism, "promises", frozenset())
    if shares and (shares.work.paid > 0).any():
        declared -= {RATIONALITY}  # what was lost comes on top of what the mechanism asks
    if shares and (shares.displaced.paid > 0).any():
        declared = frozenset()  # nor does it know what jobs pay each other
    return declared | {RATIONALITY} if cap else declared


def _started(workload: Workload, start: Floats, end: Floats) -> Bools:
    for name, times in (("start", start), ("end", end)):
        if times.shape != (len(workload),):
            raise InputError(
                f"has shape {times.shape} for {len(workload)} jobs",
                field=name,
                remedy="give one time per job of the workload the schedule was made for",
            )
    return np.isfinite(start)


def _check_prices(outcome: Outcome, charges: Floats, label: str) -> None:
    unusable = ~(np.isfinite(charges) & (charges >= 0))
    if unusable.any():
        job = int(np.argmax(unusable))
        raise InputError(
            f"{label} charges job {outcome.workload.job_name(job)} {charges[job]} SU",
            field="charge",
            remedy="a charge must be a finite number, 0 or more",
        )
