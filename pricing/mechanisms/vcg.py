"""Everybody pays what the others lose because of the job."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from pricing.counterfactual import (
    JOBS,
    PLAYERS,
    USERS,
    Counterfactual,
    Duration,
    PivotRule,
    ReplayRule,
    horizon_seconds,
)
from pricing.outcome import Outcome, requested_hours
from pricing.pivots import Pivots, Reserve
from pricing.registry import ConfiguredMechanism, Prices, option, register
from pricing.replays import Replays
from pricing.waste import NO, RECEIVERS
from swfx import InputError
from swfx.base.columns import Floats, Ints
from swfx.base.configured import ANY, SHARE, choice, flag, number, whole

HORIZON = "24h"
"""Default of `Vcg.horizon`."""

SEEDS = 1
"""Default of `Vcg.seeds`."""

FAIR = 0.01
"""Default of `Vcg.fair`."""

PIVOT_OPTIONS = ("settle", "duration", "searches", "reservations", "players", "fair", "reserve")
REPLAY_OPTIONS = ("horizon", "seeds")

AT_LEAST_ONE = (1.0, math.inf)


def _horizon(text: str) -> str:
    horizon_seconds(text)
    return text


@register("vcg")
@dataclass(frozen=True)
class Vcg(ConfiguredMechanism):
    """The utility that the others lose because of the job, by their plans or by replays of the log.

    By plans (a pivot charge): when a job starts, the best plan of the others in which it does is
    compared with the best one of the same queue without it. By replays: what the others realised is
    compared with what they realise when the job is never submitted. Either way a job that delays no
    other job pays nothing.

    Attributes
    ----------
    method : {"pivot", "replay"} or None
        By plans or by replays; None is by plans unless `literal`.
    settle : {"start", "end"}
        Charge when the job starts, by what is known of its duration then, or when it has completed,
        by how long it ran.
    duration : {"requested", "expected"}
        What a charge at the start takes the duration to be: the requested time, or the mean of what
        the latest jobs of its user and of the log suggest.
    searches : int
        Searches for both plans, if the scheduler draws; the charge is their mean.
    reservations : bool
        Add what the job's reservation cost the others before it started.
    horizon : str or None
        How long after the job's submission replays go on at most: ``24h``, ``1w``, ``2w`` or the
        like, or ``recoupled`` for until they are the same again; None is `HORIZON`.
    seeds : int or None
        Pairs of replays, each with draws of its own, if the scheduler draws; the charge is the mean
        difference, nothing where that is negative. None is `SEEDS`.
    players : {"jobs", "users", "accounts"} or None
        Who the others are: all other jobs, or only those of other users or accounts; None is users
        by plans, and jobs by replays, which leave out one job at a time. A player's
        jobs that start in one decision are charged together, each its part by the
        processor-seconds that it requests. A job whose user or account is not known is a player by
        itself.
    fair : float
        Least share of its requested time that a delayed job has to run for its loss to count, once
        it has ended; with 0 every loss counts.
    reserve : float
        What a job pays besides for those who come later, of whom no plan knows: SU per
        processor-hour requested; held, if charges settle at the end.
    displaced : {"no", "owners", "owners-only", "centre"}
        As of every mechanism; no by default, for those whom a job displaces are among the others.
    literal : bool
        LEE's own procedure instead: the realised history beside one replay without the job in which
        nobody comes once the job has ended. It compares a schedule made among all arrivals with one
        made among fewer, and so charges jobs that delay no other job.

    Raises
    ------
    InputError
        Options contradict each other or belong to the other method. By `price`, if the scheduler
        that made the schedule is not at hand or makes no plans, or no job has a utility function.

    References
    ----------
    LEE, section 3.4.3, has VCG by replays of the log. Bergemann, D., Valimaki, J. (2010). The
    dynamic pivot mechanism. Econometrica 78(2). Parkes, D. C., Singh, S. (2003). An MDP-based
    approach to online mechanism design. NIPS 16.
    """

    scope = "job"

    method: str | None = choice(("pivot", "replay"), None)
    settle: str = choice(("start", "end"), "start")
    duration: str = choice(("requested", "expected"), "requested")
    searches: int = whole(1, AT_LEAST_ONE)
    reservations: bool = flag()
    horizon: str | None = option(_horizon, None)
    seeds: int | None = whole(None, AT_LEAST_ONE)
    literal: bool = flag()
    players: str | None = choice(PLAYERS, None)
    fair: float = number(FAIR, SHARE)
    reserve: float = number(0.0, ANY)
    displaced: str = choice(RECEIVERS, NO)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.literal and self.method == "pivot":
            raise _contradiction("literal", "concerns replays", "write method=replay")
        if self.replays:
            self._refuse(PIVOT_OPTIONS, "replay", "leave it out, or write method=pivot")
        else:
            self._refuse(REPLAY_OPTIONS, "pivot", "leave it out, or write method=replay")
        if self.settle == "end" and self.duration != "requested":
            remedy = "leave it out, or write settle=start"
            raise _contradiction("duration", "is known when charges settle at the end", remedy)
        if self.literal:
            self._refuse(REPLAY_OPTIONS, "literal=true", "leave it out, or literal")

    @property
    def about(self) -> str:
        """What a user pays for."""
        players = JOBS if self.replays else self.players or USERS
        lost = "other jobs" if players == JOBS else f"jobs of other {players}"
        how = "would have been worth more without it" if self.replays else "lost when it started"
        return (
            f"A job pays what {lost} {how}, by the utility functions of their users. A job that"
            f" delayed no other job pays {self._pays_besides}, however large it was."
        )

    @property
    def _pays_besides(self) -> str:
        if not self.reserve:
            return "nothing"
        hour = f"processor-hour {'requested' if self.settle == 'start' else 'held'}"
        return f"only {self.reserve:g} SU per {hour}, for later submissions"

    @property
    def replays(self) -> ReplayRule | None:
        """How the log is replayed, unless charges go by plans."""
        if self.literal:
            return ReplayRule(literal=True)
        if self.method != "replay":
            return None
        return ReplayRule(horizon_seconds(self.horizon or HORIZON), self.seeds or SEEDS)

    @property
    def pivots(self) -> PivotRule | None:
        """How starts are charged, unless the log is replayed."""
        if self.replays:
            return None
        players = self.players or USERS
        return PivotRule(self.taken_for, self.searches, self.reservations, players, self.fair)

    def price(self, outcome: Outcome) -> Prices:
        """Charge every job the value that its start takes from other jobs."""
        if outcome.counterfactual is None:
            raise InputError(
                "vcg needs the scheduler that made the schedule, to ask it what would have been",
                remedy="bill a run's directory with `utilitysched bill`, or give counterfactual=",
            )
        outcome.require_utilities(self.name)
        evidence = self._ask(outcome.counterfactual, outcome.position)
        if isinstance(evidence, Pivots):
            brief = np.flatnonzero(outcome.run_share < self.fair)
            evidence = evidence.settled(outcome.position, brief)
        charge = evidence.charge[outcome.position]
        if self.reserve and isinstance(evidence, Pivots):
            reserve = self._reserve(outcome, evidence)
            charge = charge + reserve.charge[outcome.position]
            evidence = replace(evidence, reserve=reserve)
        why = evidence.why[outcome.position].tolist()
        return Prices(charge, np.full(len(outcome), np.nan), evidence, why)

    def for_later(self, outcome: Outcome) -> Floats:
        """Return the reserve that jobs pay (SU), (n,).

        It is paid by the processor-hours requested, for these are known beforehand: who asks for
        more pays for it, and who asks for less is killed. By those held, where everything is
        settled by them.
        """
        held = self.settle == "end"
        hours = outcome.processor_hours if held else requested_hours(outcome.workload)
        return self.reserve * hours

    def _reserve(self, outcome: Outcome, pivots: Pivots) -> Reserve:
        """Return the reserve by position in the schedule's workload."""
        price, charge = np.full((2, len(pivots.charge)), np.nan)
        price[outcome.position] = self.reserve
        charge[outcome.position] = self.for_later(outcome)
        return Reserve(price, charge)

    def _ask(self, counterfactual: Counterfactual, jobs: Ints) -> Pivots | Replays:
        if self.replays:
            return counterfactual.replays(self.replays, jobs)
        return counterfactual.pivots(
            self.taken_for,
            self.searches,
            reservations=self.reservations,
            players=self.players or USERS,
        )

    def _refuse(self, names: Sequence[str], method: str, remedy: str) -> None:
        for field in fields(self):
            if field.name in names and getattr(self, field.name) != field.default:
                raise _contradiction(field.name, f"does not concern {method}", remedy)

    @property
    def taken_for(self) -> Duration:
        """For how long a job is taken to be in the way."""
        if self.settle == "end":
            return "actual"
        return "expected" if self.duration == "expected" else "requested"


def _contradiction(field: str, message: str, remedy: str) -> InputError:
    return InputError(message, source="vcg", field=field, remedy=remedy)
