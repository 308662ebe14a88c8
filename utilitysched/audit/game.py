"""Best responses: what becomes of welfare when a share of the users lies."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from swfx import InputError, Workload
from utilitysched.audit.account import Account, Books, Window
from utilitysched.audit.course import Course, course_of
from utilitysched.audit.design import MECHANISMS, Design
from utilitysched.audit.lie import Lie
from utilitysched.audit.run import spread
from utilitysched.audit.sample import crowding
from utilitysched.audit.summary import REMAINDER, TRUTH
from utilitysched.audit.telling import Bools, Told, tell
from utilitysched.audit.trial import Seeds, payoff
from utilitysched.audit.world import World, by_replays, make_world
from utilitysched.compiled import run_compiled
from utilitysched.list_scheduler import ListScheduler
from utilitysched.state import Floats
from utilitysched.stepwise import Simulation


@dataclass(frozen=True)
class Game:
    """Who lies, and for how long.

    Attributes
    ----------
    users : int
        Users who may lie: those with most of the jobs that are played.
    shares : tuple of float
        Shares of them who do, above 0, at most 1; each larger group holds the smaller ones.
    jobs : int
        Jobs that are played: so many in a row, where the machine is most crowded on average.
    rounds : int
        In each every liar once plays its best lie given the present lies of all others; fewer, if
        nobody changes any more.
    budget : float
        What a user can spend, as a share of what its jobs are worth if they complete at once.
    """

    users: int = 6
    shares: tuple[float, ...] = (0.5, 1.0)
    jobs: int = 300
    rounds: int = 2
    budget: float = 0.5

    def __post_init__(self) -> None:
        for name in ("users", "jobs", "rounds"):
            if getattr(self, name) < 1:
                raise InputError(f"{getattr(self, name)} {name}", field=name, remedy="give 1")
        if not self.shares or not all(0 < share <= 1 for share in self.shares):
            raise InputError("is not above 0 and at most 1", field="shares", remedy="give 0.5")
        if not self.budget >= 0:
            raise InputError(f"{self.budget} is negative", field="budget", remedy="give 0 or more")


class Reply(NamedTuple):
    """What became of one group of liars under one mechanism.

    Attributes
    ----------
    mechanism : str
        Text of the price mechanism.
    share : float
        Share of the users who may lie that do.
    liars : int
        How many these are.
    lying : int
        How many of them lie in the end: to the others the truth is better, or all they can afford.
    rounds : int
        Rounds played.
    settled : bool
        Whether nobody changed in the last one.
    truth, welfare : float
        What all jobs are truly worth, if nobody lies and in the end (SU), mean over the seeds of
        scoring.
    gain, others : float
        What the liars, and what all others, are left with more in the end than if nobody lies (SU),
        charges deducted.
    """

    mechanism: str
    share: float
    liars: int
    lying: int
    rounds: int
    settled: bool
    truth: float
    welfare: float
    gain: float
    others: float

    @property
    def loss(self) -> float | None:
        """Share of the welfare under the truth that is lost; None if there was none."""
        return 1 - self.welfare / self.truth if self.truth > 0 else None


def respond(  # noqa: PLR0913 - one keyword per choice
    workload: Workload,
    scheduler: str = "ga",
    mechanisms: Sequence[str] = MECHANISMS,
    design: Design | None = None,
    game: Game | None = None,
    *,
    machine_size: int | None = None,
    classes: Mapping[int, int] | None = None,
    seed: int = 0,
    processes: int = 1,
    on_progress: Callable[[float], None] | None = None,
    on_compile: Callable[[], None] = lambda: None,
) -> tuple[Reply, ...]:
    """Let a share of the users lie as suits them best, turn by turn, and see what all get.

    A liar tells the same lie of all its jobs. It plays the one that leaves it most, given the
    present lies of the others, among those whose charges it can afford; the truth is always
    allowed.

    Parameters
    ----------
    workload, scheduler, mechanisms, machine_size, classes, seed : see `audit`
        What is played.
    design : Design, optional
        Its lies, draws and queues. Lies are chosen on the first of the seeds of choosing, and
        scored on all of those of scoring.
    game : Game, optional
        Who lies.
    processes, on_progress, on_compile : see `audit`
        Where it is played.

    Returns
    -------
    tuple of Reply
        By mechanism, then share.

    Raises
    ------
    InputError
        As `audit`.
    """
    made, rules = design or Design(), game or Game()
    world, _ = make_world(
        workload,
        scheduler,
        tuple(mechanisms),
        machine_size=machine_size,
        classes=classes,
        seed=seed,
        queues=made.thresholds,
    )
    crowded = replace(world, workload=world.workload[_most_crowded(world, rules.jobs)])
    tasks = [
        Task(replace(crowded, mechanisms=(mechanism,)), made, rules, share)
        for mechanism in world.mechanisms
        for share in sorted(rules.shares)
    ]
    return tuple(spread(play, tasks, processes, on_progress, on_compile))


def _most_crowded(world: World, jobs: int) -> slice:
    """Return where so many jobs in a row find the machine most crowded on average."""
    crowd = np.concatenate([[0.0], np.cumsum(crowding(world))])
    if jobs >= len(crowd):
        return slice(None)
    first = int(np.argmax(crowd[jobs:] - crowd[:-jobs]))
    return slice(first, first + jobs)


class Task(NamedTuple):
    """One mechanism and one group of liars."""

    world: World
    design: Design
    game: Game
    share: float


def play(task: Task) -> Reply:
    """Play until nobody changes, or all rounds are over."""
    table = Table(task.world, task.design, task.game)
    liars = table.liars(task.share)
    lies = dict.fromkeys(liars, TRUTH)
    rounds, settled = 0, False
    while rounds < task.game.rounds and not settled:
        rounds += 1
        before = dict(lies)
        for user in liars:
            lies[user] = table.best(user, lies)
        settled = lies == before
    honest, outcome = table.scored({}), table.scored(lies)
    change = outcome.left - honest.left
    lied = np.isin(table.users, liars)
    return Reply(
        task.world.mechanisms[0],
        task.share,
        len(liars),
        sum(lie != TRUTH for lie in lies.values()),
        rounds,
        settled,
        honest.welfare,
        outcome.welfare,
        math.fsum(change[lied]),
        math.fsum(change[~lied]),
    )


class Score(NamedTuple):
    """What is left in the end.

    Attributes
    ----------
    welfare : float
        What all jobs are truly worth (SU).
    left : (u,) float64
        What each user is left with (SU).
    """

    welfare: float
    left: Floats


class Table:
    """Where users play: the jobs served once for every set of lies."""

    def __init__(self, world: World, design: Design, game: Game) -> None:
        self.world = world
        self.design = design
        self.game = game
        self.seeds = Seeds.of(world, design.draws)
        self.users: list[int] = np.unique(world.workload.user).tolist()

    def liars(self, share: float) -> list[int]:
        """Return the users who lie: a share of those with most jobs, drawn."""
        users, jobs = np.unique(self.world.workload.user, return_counts=True)
        known = users >= 0
        most = users[known][np.argsort(-jobs[known], kind="stable")][: self.game.users]
        drawn = np.random.default_rng([self.world.seed % 2**63, 1]).permutation(most)
        return sorted(drawn[: max(1, round(share * len(drawn)))].tolist())

    def best(self, user: int, lies: Mapping[int, int]) -> int:
        """Return the lie that leaves a user most, given those of the others; `TRUTH` for none."""
        seed = self.seeds.choosing[0]
        worth = self.world.workload.utility.start_values[self._jobs(user)]
        budget = self.game.budget * math.fsum(worth)
        chosen, most = lies[user], -math.inf
        for lie in dict.fromkeys((chosen, TRUTH, *range(len(self.design.told)))):
            found = self._accounts({**lies, user: lie}, seed, [user])
            affordable = lie == TRUTH or found[0].charge.item() <= budget
            left = payoff(found).item()
            if affordable and left > most + REMAINDER:
                chosen, most = lie, left
        return chosen

    def scored(self, lies: Mapping[int, int]) -> Score:
        """Return what is left by given lies, mean over the seeds of scoring."""
        found = [self._accounts(lies, seed, self.users) for seed in self.seeds.scoring]
        left = [payoff(each).item() for each in zip(*found, strict=True)]
        welfare = [math.fsum(each.value for each in accounts) for accounts in found]
        return Score(float(np.mean(welfare)), np.array(left))

    def _accounts(
        self, lies: Mapping[int, int], seed: int | None, users: Sequence[int]
    ) -> list[Account]:
        """Return the accounts of some users if these lies are told."""
        told = tell(self.world.workload, self._lies(lies), self.world.queues)
        books = self._books(told, seed)
        accounts = [books.account(self._jobs(user)) for user in users]
        if by_replays(self.world.priced[0]):
            for user, found in zip(users, accounts, strict=True):
                own = self._jobs(user)
                rest = self._books(told.taken(~own[told.owner]), seed)
                found.charge[0] += rest.utility_of_others(own)
        return accounts

    def _lies(self, lies: Mapping[int, int]) -> dict[int, Lie]:
        """Return the lies by job."""
        return {
            job: self.design.told[lie]
            for user, lie in lies.items()
            if lie != TRUTH
            for job in np.flatnonzero(self._jobs(user)).tolist()
        }

    def _books(self, told: Told, seed: int | None) -> Books:
        """Serve the jobs as they are told, and draw up the books."""
        world = self.world
        arrivals = world.arrivals(told.workload)
        chosen = world.seed if seed is None else seed
        scheduler = world.prepared(chosen, arrivals.run)
        if type(scheduler) is ListScheduler:
            start = run_compiled(arrivals, scheduler, None).start
            course = Course(told, start, np.zeros(len(start)))
        else:
            simulation = Simulation(arrivals, scheduler)
            simulation.finish(None)
            course = course_of(simulation, told)
        window = Window(world.workload, np.empty(0, dtype=np.int64), 0, math.inf)
        return Books(course, window, world.priced)

    def _jobs(self, user: int) -> Bools:
        return np.asarray(self.world.workload.user == user)
