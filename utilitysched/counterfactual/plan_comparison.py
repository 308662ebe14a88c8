"""Comparison of plans with jobs in the way of the others and plans without them."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from pricing.pivots import Losses, Pivots, Starts
from utilitysched.model.plans import Begun, Planner, Plans
from utilitysched.model.state import Floats, Integers, QueueState

SEARCH = 2e-9
"""Seconds that a search for plans takes, times the third power of the jobs in the queue, about."""


def search_time(queued: int) -> float:
    """Return about how long a search for the plans of a queue takes (s)."""
    return SEARCH * float(queued) ** 3


class Players(NamedTuple):
    """Players that own the jobs of a simulation.

    Attributes
    ----------
    player : (n,) int64 or None
        Player of each job in arrival order, -1 for a job that is a player by itself; None where
        every job is one.
    places : sequence of int or None
        Arrival-order index of each job by its number in the scheduler's view; a range or None where
        these are the same.
    """

    player: Integers | None = None
    places: Sequence[int] | None = None

    def of(self, jobs: Sequence[int] | Integers) -> Integers:
        """Return the player of each job."""
        if self.player is None:
            return np.full(len(jobs), -1)
        if self.places is not None and not isinstance(self.places, range):
            jobs = [self.places[job] for job in jobs]
        return self.player[jobs]

    def together(self, starts: Sequence[int]) -> list[list[int]]:
        """Return the starts of one decision, grouped by player."""
        groups: dict[int, list[int]] = {}
        for job, player in zip(starts, self.of(starts).tolist(), strict=True):
            groups.setdefault(player if player >= 0 else -1 - job, []).append(job)
        return list(groups.values())

    def others(self, beside: Integers, jobs: Sequence[int]) -> NDArray[np.bool_]:
        """Return the mask of the jobs in `beside` that belong to another player than `jobs`."""
        player = self.of(jobs[:1]).item()
        if player < 0:
            return ~np.isin(beside, jobs)
        others: NDArray[np.bool_] = self.of(beside) != player
        return others


class PlanComparison(NamedTuple):
    """Cost of starting jobs to the other queued jobs, and to running jobs open to preemption.

    Attributes
    ----------
    others : (k,) int64
        The other jobs, by index in arrival order.
    with_job : float
        Utility of the others in the best plan with the jobs, mean over the searches (SU).
    without_job : float
        Utility of the others in the best plan without the jobs (SU).
    loss : (k,) float64
        Difference by job, mean over the searches (SU); its exact sum is the charge.
    delay : (k,) float64
        How much later each starts in the plan with the jobs, mean over the searches (s); NaN where
        a plan does not say.
    error : float
        Standard error of the charge over the searches (SU), NaN with fewer than two.
    had : (k,) float64
        Planned utility of each if it had started when it was submitted (SU).
    """

    others: Integers
    with_job: float
    without_job: float
    loss: Floats
    delay: Floats
    error: float
    had: Floats

    def part(self, share: float) -> Self:
        """Return the comparison of one job that causes such a share of the loss."""
        without = self.with_job + share * (self.without_job - self.with_job)
        return self._replace(
            without_job=self.without_job if share == 1.0 else without,
            loss=share * self.loss,
            error=share * self.error,
        )


def compare_starts(
    planner: Planner,
    state: QueueState,
    begun: Begun,
    players: Players,
    seeds: Iterable[int | None],
) -> PlanComparison:
    """Return the cost of starting jobs of one player at a pass.

    The player's other queued jobs are in neither plan.

    Parameters
    ----------
    planner : Planner
        Plans of the scheduler that has just decided at `state`.
    state : QueueState
        The queue at the pass.
    begun : Begun
        Jobs of one player that start, and how long each is taken to run.
    players : Players
        Owners of all jobs.
    seeds : iterable of int or None
        Seed of each search for plans; None is a search from the plan in force.
    """
    jobs = begun.job.tolist()
    own = ~players.others(state.queued, jobs)
    own[np.searchsorted(state.queued, begun.job)] = False
    begun = begun._replace(left_out=state.queued[own])
    plans = [planner.started(state, begun, seed) for seed in seeds]
    return compare(plans, players.others(plans[0].job, jobs))


def unhindered(others: Integers) -> PlanComparison:
    """Return the comparison at a pass that starts all others: nobody loses anything."""
    nothing = np.zeros(len(others))
    return PlanComparison(others, math.nan, math.nan, nothing, nothing, math.nan, nothing)


def compare(searches: Sequence[Plans], counted: NDArray[np.bool_]) -> PlanComparison:
    """Compare plans with jobs in the way and plans without the jobs, search by search.

    A plan with the jobs and their places left empty is a plan without them as well, so the best
    without is never worse.

    Parameters
    ----------
    searches : sequence of Plans
        Plans of each search, of the same k jobs.
    counted : (k,) bool
        Mask of the jobs of other players; the rest are running jobs of the same player.
    """
    others = searches[0].job[counted]
    with_job = np.zeros(len(searches))
    loss, delay = np.zeros((2, len(searches), len(others)))
    for search, plans in enumerate(searches):
        sums = [math.fsum(value[counted]) for value in plans.value_with]
        best = sums.index(max(sums))
        with_job[search] = sums[best]
        if math.fsum(plans.value_without[counted]) > with_job[search]:
            loss[search] = (plans.value_without - plans.value_with[best])[counted]
            delay[search] = _later(plans.with_job[best], plans.without_job)[counted]
    charge = loss.sum(axis=1)
    several = len(searches) > 1
    error = float(charge.std(ddof=1)) / math.sqrt(len(searches)) if several else math.nan
    mean = float(with_job.mean())
    without = mean + float(charge.mean())
    lost, later = loss.mean(axis=0), delay.mean(axis=0)
    return PlanComparison(others, mean, without, lost, later, error, searches[0].had[counted])


def shares(weight: Floats) -> list[float]:
    """Return each weight as a share of their sum, equal shares of a sum of 0."""
    total = weight.sum()
    parts: list[float] = (
        weight / total if total else np.full(len(weight), 1 / len(weight))
    ).tolist()
    return parts


def _later(start: Floats, without: Floats) -> Floats:
    """Return by how much starts are later (s), NaN where there is none in one of the plans."""
    later = np.full(len(start), np.nan)
    known = np.isfinite(start) & np.isfinite(without)
    later[known] = start[known] - without[known]
    return later


class Noted(NamedTuple):
    """A comparison at a start, or at a pass in which a reservation held others back.

    Attributes
    ----------
    job : int
        The job that was in the way, by index in arrival order.
    compared : PlanComparison
        Its cost to the others; its part, if other jobs of its player were in the way with it.
    at : float
        Time of the pass (s).
    held : float
        How long it held its processors from then on (s), if it was stopped, else NaN.
    """

    job: int
    compared: PlanComparison
    at: float
    held: float = math.nan


@dataclass(frozen=True)
class PivotTally:
    """Record of plan comparisons, with the losses that follow.

    Attributes
    ----------
    started : list of Noted
        At the starts of jobs.
    held : list of Noted
        At passes in which a job's reservation held others back.
    """

    started: list[Noted] = field(default_factory=list)
    held: list[Noted] = field(default_factory=list)

    def renumbered(self, places: Integers) -> "PivotTally":
        """Return the same comparisons of jobs by other numbers: place i has that of job i."""
        started, held = (
            [
                noted._replace(
                    job=places.item(noted.job),
                    compared=noted.compared._replace(others=places[noted.compared.others]),
                )
                for noted in each
            ]
            for each in (self.started, self.held)
        )
        return PivotTally(started, held)

    def pivots(self, order: Integers) -> Pivots:
        """Return the comparisons as evidence of charges.

        Parameters
        ----------
        order : (n,) int64
            Position in the workload of each job in arrival order: `Arrivals.order`; -1 for an
            index without a job.
        """
        jobs = int(np.count_nonzero(order >= 0))
        starts = self._starts(order)
        reserved = np.zeros(jobs)
        for noted in self.held:
            reserved[order[noted.job]] += math.fsum(noted.compared.loss)
        losses = self._losses(order)
        charge = np.maximum(losses.by_cause(jobs), 0.0)
        others, with_job, without_job, error = starts.by_job(jobs)
        several = len(np.unique(starts.job)) < len(starts.job)
        kept = starts if several else None
        return Pivots(others, with_job, without_job, charge, error, losses, reserved, kept)

    def _starts(self, order: Integers) -> Starts:
        """Return each start, by job, then time."""
        rows = [
            (order[job], at, held, len(compared.others), *compared[1:3], compared.error)
            for job, compared, at, held in self.started
        ]
        table = np.array(rows, dtype=np.float64).reshape(-1, len(Starts._fields))
        columns = table[np.argsort(table[:, 0], kind="stable")].T
        job, others = columns[0].astype(np.int64), columns[3].astype(np.int64)
        return Starts(job, columns[1], columns[2], others, *columns[4:])

    def _losses(self, order: Integers) -> Losses:
        """Return planned losses by cause, time, then victim."""
        rows = [Losses.nothing()]
        for job, (others, _, _, loss, delay, _, had), at, _ in [*self.started, *self.held]:
            lost = np.flatnonzero(loss)
            cause, time = np.full(len(lost), order[job]), np.full(len(lost), at)
            columns = loss[lost], delay[lost], time, loss[lost], had[lost]
            rows.append(Losses(cause, order[others[lost]], *columns))
        losses = Losses._make(map(np.concatenate, zip(*rows, strict=True)))
        losses = losses.of(np.lexsort((losses.victim, losses.time, losses.cause)))
        return losses._replace(had=_at_first(losses))


def _at_first(losses: Losses) -> Floats:
    """Return what each victim had by the reading at the first comparison in which it lost (SU)."""
    earliest = np.lexsort((losses.cause, losses.time))
    _, first, row = np.unique(losses.victim[earliest], return_index=True, return_inverse=True)
    had = np.empty(len(row))
    had[earliest] = losses.had[earliest][first][row]
    return had
