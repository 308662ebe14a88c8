"""Searches for the best plan of one decision: ``python -m benchmarks static [solve]``.

Five cells of 5,000 jobs, none of which anything was tuned on, are run under `value-and-delay`.
From each come two moments a queue length; where a log never has so many jobs queued at a load of
0.85, at the least load of `LOADS` at which it has. A plan is worth the sum of values at its planned
starts, if nobody else comes and all run as requested: no delays, no prior, the whole queue.

``solve`` finds the best plan of each moment and a bound on all: by CP-SAT, by market-clearing
prices (`utilitysched.schedulers.offline.clearing`) and by every search. It writes `FOUND`: moments
and results, nothing of the logs. Without it the table sets each search beside what is stored there.
"""

import csv
import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import NamedTuple

import numpy as np
from numba import njit

from benchmarks.logs import BLUE, DATASTAR, KTH, ROOT, SP2, log, short
from benchmarks.timing import timed
from swfx import UtilityFunction, UtilityTable, Workload
from swfx.base.csv_rows import write_csv
from swfx.families.generators.utilities import attach_utilities
from swfx.families.generators.utility_spec import UtilitySpec
from utilitysched import Schedule, make_scheduler, simulate
from utilitysched.exact import StaticProblem, optimum
from utilitysched.exact.planned import brought_to
from utilitysched.kernels.fitness import Problem, Workspace, evaluate, worth_of_order
from utilitysched.kernels.operators import insert, mutate_front
from utilitysched.kernels.stream import Words, below, decision_stream, uniform
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.forecast import ForecastRule
from utilitysched.model.state import Floats, Integers
from utilitysched.runs.snapshot import QueuedJob, RunningJob, Snapshot
from utilitysched.runs.steps import transforming
from utilitysched.schedulers.genetic.scheduler import GeneticScheduler, LatestSearch
from utilitysched.schedulers.offline.clearing import ClearingProblem, clearing_prices

CELLS = ((BLUE, 70000), (SP2, 35000), (KTH, 15000), (DATASTAR, 30000), ("UniLu-Gaia-2014-1", 0))
"""Log and first job."""

JOBS = 5000
LENGTHS = (20, 50, 100, 300)
LOADS = (0.85, 1.2, 1.5, 2.0, 2.5)
SPARE = 1.05
"""Up to so many times as many may be queued; the last to come are left out."""

APART, CHOICE, TAKEN = 3600.0, 3, 2
"""Moments are of different hours (s); with so many to choose from, so many are taken."""

BUDGETS, JUDGED = (300, 2000, 10000), 2000
"""Evaluations, the last only for queues up to 100; those that the verdict is about."""

DRAWS, DEEP = 3, 50_000
"""Draws of each search; evaluations when the best plan is looked for."""

EFFORTS, LIMIT = (2.0, 8.0), 60.0
"""Of CP-SAT: by its own clock, about 5 s and 20 s of processor time; by the wall clock (s)."""

USEFUL, PROVEN = 0.05, 1e-6
"""Shares by which bounds may be above a plan to say something, and by roundings alone."""

FOUND = ROOT / "benchmarks" / "static.csv"
READING = ForecastRule("zero")
TRUSTING = "delays=0,prior=0,depth=inf,warm=false"
FIRST = 20
"""Orders that a search begins with."""

HEAT, COOLED, OUT, PLACES = 0.03, 0.01, 4, 2
"""First temperature of `anneal`, in standard deviations, and the last in first ones; jobs that
`rebuild` takes out at most, and places that it tries for each. The best of those tried here."""


class Known(NamedTuple):
    """What `solve` found of a moment (of this key): worth of plans (SU), processor time (s).

    `quick` and `slow` are CP-SAT's plans with each of `EFFORTS`; a proof ends it.
    """

    moment: str
    found_by: str
    best: float
    bound: float
    quick: float
    slow: float
    quick_seconds: float
    slow_seconds: float


# Moments


@cache
def _run(name: str, first: int, load: float) -> tuple[Workload, Schedule]:
    step = transforming((f"scale-load:load={load}",), 1)
    assert step is not None
    jobs = step(log(name)[first : first + JOBS]).workload
    jobs = attach_utilities(jobs, UtilitySpec(), seed=1)
    return jobs, simulate(jobs, "value-and-delay")


def corpus(lengths: Sequence[int] = LENGTHS) -> Iterator[tuple[str, Snapshot]]:
    """Yield the moments of every length and cell, each with its key: see `_key`."""
    for length in lengths:
        for name, first in CELLS:
            load, found = _moments(name, first, length)
            jobs, schedule = _run(name, first, load)
            for i in range(TAKEN):
                at = found.item((2 * i + 1) * len(found) // (2 * TAKEN))
                seen = seen_at(at, jobs, schedule, length)
                yield _key(short(name), load, seen), seen


def _key(log: str, load: float, seen: Snapshot) -> str:
    """Return length of the queue, log, load, time (s) and a digest of all that a search knows."""
    problem = StaticProblem(seen, READING)
    digest, worth = hashlib.sha256(repr(seen.running).encode()), problem.worth
    for told in (problem.size, problem.request, worth.submit, worth.times, worth.values):
        digest.update(np.ascontiguousarray(told, "<f8").tobytes())
    return f"{len(seen.queued)} {log} {load} {seen.now:.0f} {digest.hexdigest()[:12]}"


def _moments(name: str, first: int, length: int) -> tuple[float, Floats]:
    """Return the least load at which about so many jobs are queued, and when they are (s)."""
    for load in LOADS:
        jobs, schedule = _run(name, first, load)
        at = np.sort(jobs.submit)
        queued = np.arange(1, len(at) + 1) - np.searchsorted(np.sort(schedule.start), at)
        found = np.unique(at[(queued >= length) & (queued <= SPARE * length)])
        found = found[np.unique(found // APART, return_index=True)[1]]
        if len(found) >= CHOICE:
            return load, found
    raise AssertionError(f"{name} never has {length} jobs queued")


def seen_at(at: float, jobs: Workload, schedule: Schedule, most: int) -> Snapshot:
    """Return what a scheduler saw at an arrival (s) before it decided, of the queue the first."""
    start, end = schedule.start, schedule.end
    waits = np.flatnonzero((jobs.submit <= at) & (start >= at))[:most].tolist()
    there = np.flatnonzero((start < at) & (end > at)).tolist()
    size, request = jobs.size.tolist(), jobs.request.tolist()
    submit, user = jobs.submit.tolist(), jobs.user.tolist()
    running = [RunningJob(i, size[i], start.item(i) + request[i]) for i in there]
    queued = [QueuedJob(i, submit[i], size[i], request[i], jobs.utility[i], user[i]) for i in waits]
    return Snapshot(at, schedule.machine_size, tuple(running), tuple(queued))


# Searches


class Found(NamedTuple):
    """What a search's best plan is worth (SU), its processor time (s), and plans it placed."""

    worth: float
    seconds: float
    evaluations: int


Search = Callable[[Snapshot, int, int], Found]
"""Takes a moment, evaluations and the number of a draw."""


def bred(options: str, seen: Snapshot, draw: int) -> tuple[LatestSearch, float]:
    """Return the search of `climb` or of `ga` with some options, and its time (s)."""
    name, _, own = options.partition(":")
    scheduler = make_scheduler(f"{name}:{own}{',' if own else ''}{TRUSTING}")
    assert isinstance(scheduler, GeneticScheduler)
    state = brought_to(seen, scheduler, draw)
    seconds, _ = timed(partial(scheduler.plan, state, scheduler.memory, draw))
    assert scheduler.latest is not None
    return scheduler.latest, seconds


def genetic(options: str, population: int, seen: Snapshot, budget: int, draw: int) -> Found:
    """Breed until there were so many evaluations."""
    size = f"population={population},generations={budget // population - 1}"
    latest, seconds = bred(f"ga:{options}{size}", seen, draw)
    return Found(latest.evolved.value, seconds, latest.evolved.evaluations)


def once(options: str, seen: Snapshot, _: int, draw: int) -> Found:
    """Breed nothing: take the best of the first generation, or what is climbed to from it."""
    latest, seconds = bred(options, seen, draw)
    tried = count_climb(latest) if options == "climb" else 0  # the product does not count these
    return Found(latest.evolved.value, seconds, latest.evolved.evaluations + tried)


def count_climb(latest: LatestSearch) -> int:
    """Climb as `utilitysched.kernels.evolution` does with a reach of 4; return plans placed."""
    problem, workspace = latest.decision.problem, latest.decision.workspace
    order = max(latest.first.orders, key=partial(worth_of_order, problem=problem))
    jobs, best, tried = range(len(order)), worth_of_order(order, problem), 0
    moves = [(job, place) for place in (*jobs[:-1][:4], jobs[-1]) for job in jobs if job != place]
    trials, worth = np.empty((len(moves), len(order)), np.int64), np.empty(len(moves))
    while True:
        for trial, move in zip(trials, moves, strict=True):
            trial[:] = order
            insert(trial, *move)
        evaluate(trials, problem, workspace, worth)
        tried += len(moves)
        if worth.max() <= best:
            assert best == latest.evolved.value
            return tried
        best, order = worth.max().item(), trials[worth.argmax()].copy()


def local(kernel: Callable[..., float], seen: Snapshot, budget: int, draw: int) -> Found:
    """Run `anneal` or `rebuild` from the best of the genetic search's first orders."""
    latest, begun = bred(f"ga:population={FIRST},generations=0", seen, draw)
    problem, workspace = latest.decision.problem, latest.decision.workspace
    worth = np.empty(FIRST)
    evaluate(latest.first.orders, problem, workspace, worth)
    stream, order = np.empty(1, np.uint64), latest.first.orders[worth.argmax()]
    decision_stream(draw, seen.now, stream)
    first, state = (order, worth.max().item()), (problem, workspace, stream)
    seconds, value = timed(lambda: kernel(*first, budget - FIRST, worth.std().item(), state))
    return Found(value, begun + seconds, budget)


State = tuple[Problem, Workspace, Words]


@njit(cache=True)
def anneal(order: Integers, worth: float, budget: int, spread: float, state: State) -> float:
    """Return the best of simulated annealing: a job is inserted elsewhere, or two are swapped.

    The temperature begins as a share of the spread of the first orders, and falls geometrically.
    """
    problem, workspace, stream = state
    trial, found = np.empty((1, len(order)), np.int64), np.empty(1)
    now, here, best = order.copy(), worth, worth
    heat = HEAT * spread + 1e-9  # all may be worth the same
    for _ in range(budget):
        trial[0] = now
        mutate_front(trial[0], stream)
        evaluate(trial, problem, workspace, found)
        if found[0] >= here or uniform(stream) < math.exp((found[0] - here) / heat):
            now[:], here = trial[0], found[0]
            best = max(best, here)
        heat *= COOLED ** (1.0 / budget)
    return best


@njit(cache=True)
def rebuild(order: Integers, worth: float, budget: int, _: float, state: State) -> float:
    """Return the best of large neighbourhood search: jobs are taken out and put in one by one.

    Each goes to the best of some places drawn near the front; those still out wait at the end.
    """
    problem, workspace, stream = state
    jobs = len(order)
    trials, found = np.empty((PLACES, jobs), np.int64), np.empty(PLACES)
    now, here, best, left = order.copy(), worth, worth, budget
    while left >= OUT * PLACES:
        work, last = now.copy(), 0.0
        out = 1 + below(uniform(stream), OUT)
        for i in range(out):
            insert(work, below(uniform(stream), jobs - i), jobs - 1)
        for i in range(jobs - out, jobs):
            for trial in trials:
                trial[:], draw = work, uniform(stream)
                insert(trial, i, below(draw * draw, i + 1))
            evaluate(trials, problem, workspace, found)
            left -= PLACES
            work[:], last = trials[found.argmax()], found.max()
            best = max(best, last)
        if last >= here:
            now, here = work, last
    return best


SEARCHES: dict[str, Search] = {
    "index": partial(once, "ga:seeds=index,spread=0,population=2,generations=0"),
    "climb": partial(once, "climb"),
    "ga": partial(genetic, "", FIRST),
    "ga, population 50": partial(genetic, "", 50),
    "LEE 2009": partial(genetic, "preset=lee,", FIRST),
    "annealing": partial(local, anneal),
    "LNS": partial(local, rebuild),
}
ONCE = ("index", "climb")
"""These take as many evaluations as they need."""

OURS, RIVALS = "ga", ("annealing", "LNS", "LEE 2009")


# Bounds


def priced(problem: StaticProblem) -> float:
    """Return the bound that market-clearing prices prove (SU).

    They read values at ends: curves are moved back by the requested times. Running jobs are worth
    more than the queue if they go on, and nothing otherwise.
    """
    moment = problem.snapshot
    left = [job.expected_end - moment.now for job in moment.running]
    most = 2.0 * problem.values(np.full(len(moment.queued), moment.now)).sum() + 1.0
    curves = [UtilityFunction([0.0, end], [most, most]) for end in left]
    curves += [_from_now(job, moment.now) for job in moment.queued]
    request = np.array([*left, *problem.request])
    jobs = Workload.from_columns(
        submit=np.zeros(len(request)),
        run=request,
        requested_time=request,
        processors=[*(job.processors for job in moment.running), *problem.size],
        utility=UtilityTable.from_functions(curves),
    )
    jobs = jobs.replace(header=jobs.header.with_value("MaxProcs", moment.machine_size))
    bound = clearing_prices(ClearingProblem.of(Arrivals.of(jobs)), 1000).bound
    return bound - float(most) * len(left)


def _from_now(job: QueuedJob, now: float) -> UtilityFunction:
    assert job.utility is not None
    waited, curve = now - job.submit, job.utility
    points = dict.fromkeys((0.0, job.request), float(curve(waited)))
    for age, value in zip(curve.times, curve.values, strict=True):
        if age > waited:
            points[age - waited + job.request] = value
    return UtilityFunction(list(points), list(points.values()))


def solve() -> None:
    """Find the best plans and bounds, and store them."""
    rows = []
    for key, seen in corpus():
        problem = StaticProblem(seen, READING)
        solver = partial(optimum, problem, limit=LIMIT)
        quick_seconds, quick = timed(partial(solver, EFFORTS[0]))
        again = not quick.proven
        slow_seconds, slow = timed(partial(solver, EFFORTS[1])) if again else (quick_seconds, quick)
        plans = {"CP-SAT": slow.total}
        for name, search in SEARCHES.items():
            plans[name] = search(seen, DEEP, 0).worth
        best = max(plans, key=lambda name: plans[name])
        bound = min(priced(problem), quick.bound, slow.bound)
        if plans[best] > bound * (1 + PROVEN):
            raise AssertionError(f"{best} exceeds the bound at {key}")
        spent = round(quick_seconds, 3), round(slow_seconds, 3)
        rows.append(Known(key, best, plans[best], bound, quick.total, slow.total, *spent))
        print(*rows[-1], slow.timed_out, flush=True)
    write_csv(FOUND, Known._fields, rows)


def stored() -> list[Known]:
    """Return what is stored."""
    with FOUND.open(newline="") as file:
        rows = list(csv.reader(file))[1:]
    return [Known(row[0], row[1], *map(float, row[2:])) for row in rows]


# Table


@dataclass(frozen=True)
class Figures:
    """What is known of the moments of one length, and `Found` (moments, draws, 3) by search."""

    known: list[Known]
    found: dict[tuple[str, int], Floats]

    @property
    def to_bound(self) -> float:
        """How far the best plans known are below the bound, a mean share."""
        return float(np.mean([1 - row.best / row.bound for row in self.known]))

    def gaps(self, worth: Floats) -> Floats:
        """Return how far plans are below the bound (%), or below the best known if it is loose."""
        aim = [row.bound if self.to_bound <= USEFUL else row.best for row in self.known]
        found: Floats = 100.0 * (1.0 - worth / np.array(aim))
        return found

    def gap(self, name: str, budget: int = JUDGED) -> Floats:
        """Return the gap of a search at each moment (%), the mean over draws."""
        return self.gaps(self.found[name, budget][:, :, 0].mean(axis=1))

    def against(self, rival: str) -> str:
        """Return how the genetic search does beside another one."""
        less = self.gap(rival) - self.gap(OURS)
        ahead, error = float(less.mean()), float(less.std(ddof=1)) / math.sqrt(len(less))
        beside = "level with" if abs(ahead) <= 2 * error + PROVEN else ""
        beside = beside or ("ahead of" if ahead > 0 else "behind")
        return f"{beside} {rival} {self.gap(rival).mean():.2f}"

    def print(self) -> None:
        """Print all searches."""
        keys = [row.moment.split() for row in self.known]
        loads = ", ".join(sorted({key[2] for key in keys}))
        optima = sum(row.best > row.bound * (1 - PROVEN) for row in self.known)
        print(f"\n{keys[0][0]} jobs: {len(keys)} moments, loads {loads}; {optima} optima proven;")
        aim = "BOUND" if self.to_bound <= USEFUL else "BEST PLANS KNOWN"
        print(f"the best plans known are {self.to_bound:.2%} below the bound: gaps to the {aim}")
        heads = "".join(f"{budget:>8,}" for budget in BUDGETS)
        print(f"{'gap %; CPU ms':<18}{heads}   {heads}")
        for name in SEARCHES:
            gaps = spent = ""
            for budget in BUDGETS:
                run = self.found.get((name, budget))
                gaps += f"{'':8}" if run is None else f"{self.gap(name, budget).mean():8.2f}"
                spent += f"{'':8}" if run is None else f"{1e3 * np.median(run[:, :, 1]):8.1f}"
            plans = f"  ({self.found[name, JUDGED][:, :, 2].mean():,.0f} plans)"
            print(f"{name:<18}{gaps}   {spent.rstrip()}{plans if name in ONCE else ''}")
        for effort in ("quick", "slow"):
            worth = np.array([getattr(row, effort) for row in self.known])
            seconds = np.array([getattr(row, f"{effort}_seconds") for row in self.known])
            told = f"{seconds.mean():.1f} s of CPU in the mean, {seconds.max():.1f} s at most"
            print(f"{'CP-SAT':<26}{self.gaps(worth).mean():8.2f}   {told}")


def figures(length: int, known: dict[str, Known]) -> Figures:
    """Run every search on the moments of one length."""
    moments, found = list(corpus([length])), {}
    if missing := [key for key, _ in moments if key not in known]:
        raise SystemExit(f"not stored: {missing[0]}; run: python -m benchmarks static solve")
    for name, search in SEARCHES.items():
        search(moments[0][1], BUDGETS[0], 0)  # compiled code is loaded
        for budget in BUDGETS[: 3 if length <= 100 else 2]:
            if budget == JUDGED or name not in ONCE:
                runs = [[search(seen, budget, i) for i in range(DRAWS)] for _, seen in moments]
                found[name, budget] = np.array(runs)
    return Figures([known[key] for key, _ in moments], found)


def table() -> None:
    """Print how near searches come to what is stored, the verdict first."""
    known = {row.moment: row for row in stored()}
    found = {length: figures(length, known) for length in LENGTHS}
    print(f"Mean gaps after {JUDGED:,} evaluations; `ga` beside others, by two standard errors:")
    for length, each in found.items():
        gap, told = each.gap(OURS).mean(), ", ".join(map(each.against, RIVALS))
        print(f"{length:>3} jobs: {gap:.2f}%, {told}")
    for each in found.values():
        each.print()


def main(arguments: list[str]) -> int:
    """Solve or print; return the exit code."""
    if arguments not in ([], ["solve"]):
        print("usage: python -m benchmarks static [solve]")
        return 2
    solve() if arguments else table()
    return 0
