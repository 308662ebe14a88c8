"""The static problem as a constraint program, solved by CP-SAT of OR-tools.

Variables are delays after now in whole ticks. Each queued job is an interval of fixed length under
one cumulative constraint with the running jobs, which are fixed; its value is at most the straight
piece that its delay is on:

    maximise    sum_j y_j
    subject to  (b - a) (y_j - v_a) <= (v_b - v_a) (t_j - a)   if a <= t_j <= b, for each piece of j
                sum of the processors of all intervals over any tick <= machine size

A job that would start when it is worth nothing any more holds nothing: after all others it
delays none. So no time after the last point of the curves matters; what lasts longer ends there.

A tick is a second if that makes all times whole numbers, else a tenth, a hundredth or a thousandth;
where so many would be too many for the solver, it is as long as it must be. What is no whole number
even so is rounded down: requested times, and expected ends less now. From
any schedule, rounding its starts down makes one of the rounded problem in which no job starts later
(jobs that overlap then, overlapped before). Values never rise with time and are rounded up, so the
optimum of the program is never below that of the problem; neither is the solver's bound.

A job that requests no time needs its processors at an instant, between the jobs that end at it and
those that start at it. For each such job there is one more cumulative constraint, in half ticks: it
holds the half after its instant, the others hold theirs from there to their ends.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from swfx.base.missing import importing
from utilitysched.exact.pieces import ROUNDED, Grid, Piece, pieces
from utilitysched.exact.problem import StaticProblem
from utilitysched.kernels.fitness import Worth
from utilitysched.model.state import Floats, Integers

with importing("an exact optimum", "ortools"):
    from ortools.sat.python import cp_model

_SUM_BITS = 40
"""The sum of all values is so many bits long, which leaves room for products with times."""

_PRODUCT_BITS = 58

_TICKS = (1, 10, 100, 1000)
"""Ticks to a second, the first that will do."""

_HORIZON_BITS = 24
"""No more ticks matter: half a year of seconds. The solver's propagation may creep by single ticks,
which its own clock does not count."""


class _Held(NamedTuple):
    """From when, for how long (ticks), and whether at all."""

    start: cp_model.LinearExprT
    length: int
    present: cp_model.LiteralT


class Solution(NamedTuple):
    """Order and bound found by the solver.

    Attributes
    ----------
    order : (k,) int64
        Places in the queue, by start; of those that start together, first those that end at once.
    bound : float
        No schedule is worth more (SU).
    slack : float
        Of the bound, what roundings of values may have added at most (SU).
    timed_out : bool
        The wall clock stopped it: it may find more another time.
    """

    order: Integers
    bound: float
    slack: float
    timed_out: bool


@dataclass(frozen=True)
class _Job:
    """A queued job as the program takes it; times in ticks, values in units.

    Only starts from `earliest` to the end of the last piece are worth anything.
    """

    length: int
    size: int
    earliest: int
    pieces: list[Piece]

    @property
    def too_late(self) -> int:
        """The delay that stands for all at which it is worth nothing."""
        return max(self.pieces[-1].last, self.earliest) + 1


def solve(problem: StaticProblem, effort: float, limit: float, hint: Floats) -> Solution:
    """Find the best starts, or how good they can be at most.

    Parameters
    ----------
    problem : StaticProblem
        At least one queued job.
    effort : float
        Where to stop, by the solver's own clock, which runs alike on every machine: about a
        second each.
    limit : float
        Where to stop in any case (s).
    hint : (k,) float64
        Starts to begin with (s).
    """
    snapshot, worth = problem.snapshot, problem.worth
    times = [job.expected_end - snapshot.now for job in snapshot.holders]
    last = _last_worth(worth, snapshot.now)
    ticks = _ticks_within([*times, *problem.request.tolist()], last)
    horizon = math.floor(last * ticks)
    ends, length = (_clipped(each, ticks, horizon) for each in (times, problem.request))
    grid = Grid(snapshot.now, ticks, horizon, _unit(worth, horizon))
    jobs = [
        _Job(
            length[place],
            job.processors,
            _earliest(problem, ends, job.processors),
            pieces(worth, place, grid),
        )
        for place, job in enumerate(snapshot.queued)
    ]
    model, delays = _model(problem, jobs, ends)
    begins = np.floor((hint - snapshot.now) * ticks)
    for delay, job, begin in zip(delays, jobs, begins.tolist(), strict=True):
        model.add_hint(delay, int(min(begin, job.too_late)))
    solver = _solved(model, effort, limit)
    bound = sum(job.pieces[0].begin for job in jobs)
    if solver.response_proto.solution:
        solution = [solver.value(delay) for delay in delays]
        late = [begin == job.too_late for begin, job in zip(solution, jobs, strict=True)]
        begins = np.where(late, math.inf, solution)
        bound = min(bound, math.floor(solver.best_objective_bound))
    order = np.lexsort((problem.request > 0, begins))
    response = solver.response_proto
    timed_out = response.status != cp_model.OPTIMAL and response.deterministic_time < effort
    return Solution(order, bound * grid.unit, ROUNDED * len(jobs) * grid.unit, timed_out)


def _last_worth(worth: Worth, now: float) -> float:
    """Return the delay (s) after which no job's start is worth anything."""
    ends = [
        worth.times[last - 1] + worth.submit[job] - now - worth.duration[job].min()
        for job, (first, last) in enumerate(zip(worth.first, worth.last, strict=True))
        if last > first
    ]
    return max([0.0, *map(float, ends)])


def _ticks_within(times: Sequence[float], last: float) -> float:
    """Return how many ticks to a second make times (s) whole, if so many can; few enough."""
    within = [time for time in times if time <= last]
    whole = (ticks for ticks in _TICKS if all((time * ticks).is_integer() for time in within))
    finest = 2.0 ** (_HORIZON_BITS - max(math.frexp(last)[1], 0))
    return min(next(whole, _TICKS[-1]), finest)


def _clipped(times: Iterable[float], ticks: float, horizon: int) -> list[int]:
    """Return times (s) in whole ticks, none longer than what matters."""
    return [math.floor(min(time * ticks, horizon + 1)) for time in times]


def _unit(worth: Worth, horizon: int) -> float:
    """Return the SU in which values are counted: a power of two, so that nothing is rounded."""
    most = math.fsum(_start_value(worth, job) for job in range(len(worth.submit))) or 1.0
    bits = min(_SUM_BITS, _PRODUCT_BITS - max(horizon, 1).bit_length())
    return math.ldexp(1.0, math.ceil(math.log2(most)) - bits)


def _start_value(worth: Worth, job: int) -> float:
    first, last = int(worth.first[job]), int(worth.last[job])
    return float(worth.values[first]) if last > first else 0.0


def _earliest(problem: StaticProblem, ends: Sequence[int], size: int) -> int:
    """Return the delay (ticks) after which a job of this size fits beside the running jobs."""
    free = problem.snapshot.free
    for job, end in zip(problem.snapshot.holders, ends, strict=True):
        if free >= size:
            break
        free += job.processors
        earliest = end
    return 0 if problem.snapshot.free >= size else earliest


def _model(
    problem: StaticProblem, jobs: Sequence[_Job], ends: Sequence[int]
) -> tuple[cp_model.CpModel, list[cp_model.IntVar]]:
    model = cp_model.CpModel()
    delays = [model.new_int_var(job.earliest, job.too_late, "") for job in jobs]
    present = [model.new_bool_var("") for _ in jobs]
    held = [
        _Held(delay, job.length, there)
        for delay, job, there in zip(delays, jobs, present, strict=True)
    ]
    timed = [place for place, job in enumerate(jobs) if job.length]
    sizes = [jobs[place].size for place in timed]
    sizes += [job.processors for job in problem.snapshot.holders]
    whole = [held[place] for place in timed] + [_Held(0, end, True) for end in ends]
    _add_cumulative(model, whole, sizes, problem)
    halves = [
        _Held(2 * delays[place] + 1, 2 * jobs[place].length - 1, present[place]) for place in timed
    ]
    halves += [_Held(0, 2 * end, True) for end in ends]
    for place in np.flatnonzero(problem.request == 0).tolist():
        instant = _Held(2 * delays[place], 1, present[place])
        _add_cumulative(model, [instant, *halves], [jobs[place].size, *sizes], problem)
    values = [
        _value(model, delay, there, job)
        for delay, there, job in zip(delays, present, jobs, strict=True)
    ]
    model.maximize(sum(values))
    return model, delays


def _add_cumulative(
    model: cp_model.CpModel, held: Sequence[_Held], sizes: Sequence[int], problem: StaticProblem
) -> None:
    """Demand that what is held from each start for each length fits on the machine."""
    intervals = [model.new_optional_fixed_size_interval_var(*each, "") for each in held]
    model.add_cumulative(intervals, sizes, problem.snapshot.machine_size)


def _value(
    model: cp_model.CpModel, delay: cp_model.IntVar, present: cp_model.IntVar, job: _Job
) -> cp_model.IntVar:
    """Return the variable of a job's value at its delay; it decides the job's presence, too."""
    late = Piece(job.too_late, job.too_late, 0, 0)
    reachable = [*(piece for piece in job.pieces if piece.last >= job.earliest), late]
    value = model.new_int_var(0, reachable[0].begin, "")
    here = [model.new_bool_var("") for _ in reachable]
    model.add_exactly_one(here)
    model.add(here[-1] + present == 1)
    for piece, chosen in zip(reachable, here, strict=True):
        domain = cp_model.Domain(piece.first, piece.last)
        model.add_linear_expression_in_domain(delay, domain).only_enforce_if(chosen)
        width = max(piece.last - piece.first, 1)
        fall = piece.begin - piece.finish
        common = math.gcd(width, fall) or 1
        width, fall = width // common, fall // common
        model.add(width * (value - piece.begin) <= -fall * (delay - piece.first)).only_enforce_if(
            chosen
        )
    return value


def _solved(model: cp_model.CpModel, effort: float, limit: float) -> cp_model.CpSolver:
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 0
    solver.parameters.max_deterministic_time = effort
    solver.parameters.max_time_in_seconds = limit
    # with it OR-tools 9.15 takes some of these models for infeasible, or loses their best
    # solutions: `test_model` has one of each
    solver.parameters.auto_detect_greater_than_at_least_one_of = False
    status = solver.solve(model)
    if status in (cp_model.INFEASIBLE, cp_model.MODEL_INVALID):
        raise AssertionError(f"a schedule exists, yet: {solver.status_name(status)}")
    return solver
