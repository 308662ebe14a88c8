"""Everybody pays what the others lose because of the job."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pricing.counterfactual import Duration
from pricing.outcome import Outcome
from pricing.registry import ConfiguredMechanism, Prices, option, register
from swfx import InputError
from swfx.options import as_bool, as_choice, as_int, bool_text

SETTLEMENTS = ("start", "end")
DURATIONS = ("requested", "expected")


def _settle(text: str) -> str:
    return as_choice(text, SETTLEMENTS, "vcg", "settle")


def _duration(text: str) -> str:
    return as_choice(text, DURATIONS, "vcg", "duration")


def _reservations(text: str) -> bool:
    return as_bool(text, "vcg", "reservations")


def _searches(text: str) -> int:
    count = as_int(text, "vcg", "searches")
    if count < 1:
        raise InputError(
            f"{count} searches", source="vcg", field="searches", remedy="give 1 or more"
        )
    return count


@register("vcg")
@dataclass(frozen=True)
class Vcg(ConfiguredMechanism):
    """The utility that the plan of the others loses when the job starts: its pivot charge.

    When a job starts, the best plan of the others in which it does is compared with the best one
    of the same queue without it. A job that is in nobody's way pays nothing.

    Attributes
    ----------
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

    Raises
    ------
    InputError
        By `price`, if the scheduler that made the schedule is not at hand or makes no plans, no
        job has a utility function, or options contradict each other.

    References
    ----------
    LEE, section 3.4.3, has VCG by replays of the log. Bergemann, D., Valimaki, J. (2010). The
    dynamic pivot mechanism. Econometrica 78(2). Parkes, D. C., Singh, S. (2003). An MDP-based
    approach to online mechanism design. NIPS 16.
    """

    settle: str = option(_settle, "start")
    duration: str = option(_duration, "requested")
    searches: int = option(_searches, 1)
    reservations: bool = option(_reservations, False, bool_text)

    def price(self, outcome: Outcome) -> Prices:
        """Charge every job what its start takes from the others."""
        if outcome.counterfactual is None:
            raise InputError(
                "vcg needs the scheduler that made the schedule, to ask it what would have been",
                remedy="bill a run's directory with `utilitysched bill`, or give counterfactual=",
            )
        if len(outcome) and not outcome.workload.has_utilities:
            raise InputError(
                "vcg needs utility functions and no job of this workload has one",
                remedy="attach them with `utilitysched augment`, or charge by single-price",
            )
        pivots = outcome.counterfactual.pivots(
            self._taken_for(), self.searches, reservations=self.reservations
        )
        charge = pivots.charge[outcome.position]
        return Prices(charge, np.full(len(outcome), np.nan), pivots)

    def _taken_for(self) -> Duration:
        if self.settle == "start":
            return "expected" if self.duration == "expected" else "requested"
        if self.duration != "requested":
            raise InputError(
                "a charge that settles at the end goes by the actual duration",
                source="vcg",
                field="duration",
                remedy="leave duration out, or write settle=start",
            )
        return "actual"
