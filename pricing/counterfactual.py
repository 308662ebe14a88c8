"""Counterfactuals of charges, asked of whoever has the scheduler."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from pricing.pivots import Pivots
from pricing.reader import CurveReader
from pricing.replays import Replays
from swfx import InputError, Workload
from swfx.base.columns import Ints
from swfx.base.options import SECONDS_IN, as_seconds
from swfx.clock import is_number
from swfx.fields import MISSING

JOBS, USERS, ACCOUNTS = "jobs", "users", "accounts"

PLAYERS = (JOBS, USERS, ACCOUNTS)
"""Who can be a player: each job, or all jobs of a user or of an account together."""


def players_of(workload: Workload, kind: str) -> Ints:
    """Return the player of each job, shape (n,); -1 for one that is a player by itself.

    Raises
    ------
    InputError
        The log does not say whose jobs are whose.
    """
    if kind == JOBS:
        return np.full(len(workload), MISSING, dtype=np.int64)
    if kind == USERS:
        return workload.labels.of("user").numbers
    return workload.labels.required(kind.removesuffix("s")).numbers


Duration = Literal["requested", "expected", "actual"]

RECOUPLED = "recoupled"

_LONGEST = 10**4 * SECONDS_IN["w"]
"""Of a horizon (s): longer ones are typing errors."""


@dataclass(frozen=True)
class ReplayRule:
    """How the log is replayed with and without a job.

    Attributes
    ----------
    horizon : float
        How long after the job's submission to look at most (s); infinite for until both replays
        are the same again.
    seeds : int
        Pairs of replays, each with random draws of its own; the first pair has the draws that made
        the schedule. A scheduler that does not draw needs one.
    literal : bool
        LEE's procedure instead: the realised history beside one replay without the job in which
        nobody arrives once the job has ended.
    """

    horizon: float = math.inf
    seeds: int = 1
    literal: bool = False


def horizon_seconds(text: str) -> float:
    """Read a time span, or ``recoupled`` for no end.

    Raises
    ------
    InputError
        Anything else.

    Examples
    --------
    >>> horizon_seconds("24h"), horizon_seconds("recoupled")
    (86400.0, inf)
    """
    if text == RECOUPLED:
        return math.inf
    try:
        # a number alone is refused: 24 might as well be hours
        seconds = 0.0 if is_number(text) else as_seconds(text, "vcg", "horizon")
    except InputError:
        seconds = 0.0
    if not 0 < seconds < _LONGEST:
        raise InputError(
            f"{text!r} is no time span",
            source="vcg",
            field="horizon",
            remedy="give 24h, 1w, 2w or the like, or recoupled",
        )
    return seconds


@dataclass(frozen=True)
class PivotRule:
    """How a job's start is charged by plans made in the state in which it starts.

    Attributes
    ----------
    duration : {"requested", "expected", "actual"}
        For how long the job is taken to stand in the way of the others: its requested time, as the
        scheduler planned; the mean of run times that its user's and the log's latest jobs suggest;
        or, settled when it has completed, the time that it ran.
    searches : int
        Searches for the plans with and without the job. The first begins at the plan decided on,
        the others at plans drawn anew; the charge is their mean. A scheduler that does not draw
        needs one.
    reservations : bool
        Charge a job also for its reservation before it starts, once per pass in which that alone
        kept a waiting job from starting: what those still waiting lose from this pass to the next.
    players : {"jobs", "users", "accounts"}
        Who the others are: all other jobs, or only those of other users or accounts. A player's
        jobs that start in one decision are charged together, each its part by the
        processor-seconds that it requests; its other queued jobs are in neither plan.
    fair : float
        Share of its requested time that a job has to run for its losses to count, once it ended.
    """

    duration: Duration = "requested"
    searches: int = 1
    reservations: bool = False
    players: str = JOBS
    fair: float = 0.0


class Counterfactual(CurveReader, Protocol):
    """Answers for the jobs of one schedule, by position in its workload."""

    def pivots(
        self, duration: Duration, searches: int, *, reservations: bool, players: str
    ) -> Pivots:
        """Compare, at each start, the others' best plan with the job with that without it.

        Losses are those by the plans: nothing is left out yet (`Pivots.settled`).

        Parameters
        ----------
        duration : {"requested", "expected", "actual"}
            For how long the job is taken to be in the way.
        searches : int
            Searches for both plans.
        reservations : bool
            Add what the job's reservation cost the others before it started.
        players : {"jobs", "users", "accounts"}
            Whose jobs are the others.
        """
        ...

    def replays(self, rule: ReplayRule, jobs: Ints) -> Replays:
        """Replay the log from each job's submission on, with and without the job.

        Parameters
        ----------
        rule : ReplayRule
            How.
        jobs : (m,) int64
            The jobs to leave out, one at a time.
        """
        ...
