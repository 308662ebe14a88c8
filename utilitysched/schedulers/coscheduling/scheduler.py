"""Co-scheduling: policies on nodes that jobs may share (KELLARI 5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from swfx import InputError, Workload
from swfx.base.bounds import require_between
from swfx.base.configured import ANY, Configured, choice, flag, named, number, whole
from swfx.base.options import as_choice, as_int
from swfx.base.plugins import load_entry_points
from swfx.base.registry import check_free
from swfx.families.generators.randomness import stream
from swfx.heatmap import Heatmap, find_heatmap
from utilitysched.kernels.sharing import terms
from utilitysched.kernels.sharing.beliefs import Beliefs
from utilitysched.kernels.sharing.state import SharedRun, SharingState
from utilitysched.kernels.sharing.terms import (
    TOGETHER,
    SharedNodes,
    SharingJobs,
    SharingPolicy,
    Speeds,
    on_ticks,
)
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.scheduler import KnownSchedule, RecordedTimes, Setting
from utilitysched.model.state import Floats, Integers
from utilitysched.schedulers.coscheduling.completion import completed
from utilitysched.schedulers.coscheduling.own import Function, fill_in
from utilitysched.schedulers.coscheduling.play import SharedPlay
from utilitysched.schedulers.registry import scheduler


class CoPolicy(NamedTuple):
    """A co-scheduling policy: queue order, sharing, backfilling, reservations.

    Attributes
    ----------
    order : int
        Of the queue, as `utilitysched.kernels.sharing.terms` names it.
    shares : bool
        Jobs get parts of nodes: of empty ones, else beside others.
    fills : bool
        Jobs start around a stuck head.
    reserves : bool
        Conservative backfilling: each job holds a reservation.
    reads_values : bool
        Utility functions can change the schedule.
    function : callable or None
        Scores and placements of a policy of one's own.
    """

    order: int
    shares: bool = True
    fills: bool = True
    reserves: bool = False
    reads_values: bool = False
    function: Function | None = None


POLICIES = {
    "fcfs": CoPolicy(terms.ARRIVAL, shares=False, fills=False),
    "easy": CoPolicy(terms.ARRIVAL, shares=False),
    "conservative": CoPolicy(terms.ARRIVAL, shares=False, reserves=True),
    "sjf": CoPolicy(terms.SHORTEST, shares=False),
    "ljf": CoPolicy(terms.LONGEST, shares=False),
    "easy-co": CoPolicy(terms.ARRIVAL),
    "sjf-co": CoPolicy(terms.SHORTEST),
    "ljf-co": CoPolicy(terms.LONGEST),
    "laf-co": CoPolicy(terms.LARGEST),
    "popularity": CoPolicy(terms.POPULARITY),
    "filler": CoPolicy(terms.FILLER),
    "sjf-filler": CoPolicy(terms.SHORT_FILLER),
    "pop-filler": CoPolicy(terms.POPULAR_FILLER),
    "value-filler": CoPolicy(terms.VALUE, reads_values=True),
}
"""By name; the first five run jobs compact."""


def policy(name: str, *, value_aware: bool = False) -> Callable[[Function], Function]:
    """Enter the decorated function as the co-scheduling policy `name`.

    At every pass in which jobs wait it takes a `SharedQueue`, and returns a score of each job, the
    lowest first, and whether it is placed compact: (k,) numbers and (k,) booleans.

    Parameters
    ----------
    name : str
        For ``coscheduled:policy=NAME``.
    value_aware : bool
        It reads utility functions.

    Raises
    ------
    InputError
        The name is taken.
    """

    def enter(function: Function) -> Function:
        earlier = POLICIES.get(name)
        check_free("co-scheduling policy", name, earlier and (earlier.function or policy), function)
        POLICIES[name] = CoPolicy(terms.OWN, reads_values=value_aware, function=function)
        return function

    return enter


def _policy(text: str, source: str, field: str) -> str:
    if text not in POLICIES:
        load_entry_points(GROUP)
    return as_choice(text, POLICIES, source, field)


FAMILY = "coscheduled"
GROUP = "utilitysched.policies"
"""Entry points of modules with policies."""

MEASURED = "none"
NAMED, DRAWN = "named", "drawn"
RUN, REQUEST = "run", "request"
KNOWN, LEARNED = "known", "learned"
FIRST, FASTEST = "first", "fastest"
EASY, SHADOW = "easy", "shadow"
RESERVED, UNRESERVED = "reserved", "unreserved"
MEAN, IGNORED = "mean", "ignored"

EVERY = 1_000_000_000
"""Jobs: more than any queue has."""

DEPTH = 100
"""Jobs behind a stuck head, by default; as in ELiSE, and in Slurm by default."""

_SOCKETS, _MOST = 2, 1024
"""Sockets of a node by default; and at most, as many as cores of a socket."""


def _completion(text: str, source: str, field: str) -> str:
    if text == MEASURED:
        return text
    seed = as_int(text, source, field)
    require_between(source, field, seed, 0, EVERY)
    return str(seed)


def _cores(text: str, source: str, field: str) -> int | str:
    """Return cores of a socket, as a number where all have the same."""
    return text if "+" in text else as_int(text, source, field)


def _sizes(cores: int | str, source: str, field: str) -> list[int]:
    """Return the numbers in a list of cores such as ``8+12``, or the one number."""
    sizes = [as_int(text, source, field) for text in str(cores).split("+")]
    for size in sizes:
        require_between(source, field, size, 1, _MOST)
    return sizes


def _applications(text: str, source: str, field: str) -> str:
    if text not in (NAMED, DRAWN):
        _listed(text, source, field)
    return text


def _listed(text: str, source: str = FAMILY, field: str = "applications") -> dict[int, str]:
    """Return the applications of executables from a list such as ``3:bt.D.64+7:ep.E.256``."""
    listed = {}
    for part in text.split("+"):
        number, colon, name = part.partition(":")
        if not colon:
            raise InputError(
                f"{part!r} is no executable and its application",
                source=source,
                field=field,
                remedy=f"write NUMBER:NAME+NUMBER:NAME, {NAMED} or {DRAWN}",
            )
        listed[as_int(number, source, field)] = name
    return listed


@dataclass(frozen=True)
class CoschedulingOptions(Configured):
    """A policy, a cluster, and what is known of applications.

    Attributes
    ----------
    policy : str
        One of `POLICIES`.
    heatmap : str
        True speeds: file or name of a packaged one.
    completion : str
        Seed of the model for pairs that are not measured; ``none``: they have the mean known speed
        of their application.
    applications : str
        ``named``: executables are applications by name; ``drawn``: each is drawn one; or a list of
        them, ``3:bt.D.64+7:ep.E.256``.
    sockets : int
        Sockets of a node; as many as `cores` lists where it is a list.
    cores : int or str
        Cores of each socket, or a list of the cores of each, ``8+12``.
    parts : int
        Parts of a node, each for one job of those that share it: of each socket, this share of the
        cores, rounded down.
    contiguous : bool
        Jobs have nodes that follow one another.
    nodes : {"first", "fastest"}
        Which of the nodes with free parts a job gets: the first, or those on which it will be
        fastest by what schedulers know of speeds.
    speeds : {"known", "learned"}
        Whether they believe a table for ever, or correct it by what they see of jobs that ran.
    table : str
        Heatmap that they begin with, of which `heatmap` holds the true speeds; by default the same
        if speeds are known, none if they are learned.
    trust : float
        How many observations a speed of the table counts for if speeds are learned.
    optimism : float
        By how much a learned speed is taken to exceed the mean of those seen, if there are none; by
        this over the root of 1 + n if there are n, with those that the table counts for.
    noise : float
        Standard deviation of the logarithm of what is measured of a job, over its true speed.
    known : {"run", "request"}
        What schedulers reckon with: compact run times, or requested times.
    kill : bool
        Jobs that neighbours slow are killed at their requested times.
    backfilling : {"easy", "shadow"}
        Who may start around a stuck head: jobs in order that end before it can start or leave it
        enough nodes; or, as in ELiSE, jobs by arrival that end before the longest-waiting job can.
    head : {"reserved", "unreserved"}
        Whether `conservative` keeps nodes for the head of the queue; in ELiSE it does not.
    depth : int
        Jobs behind a stuck head that may fill, in order.
    window : int
        Jobs, in order of arrival, that are put in order.
    threshold : float
        Mean speed of a pair that makes each popular with the other.
    rank : int
        Jobs with fewer such partners in the queue are placed compact by popularity.
    tau : float
        Delay (s) by which `value-filler` judges what a job gains by starting now.
    unmeasured : {"mean", "ignored"}
        What popularity makes of a pair that was not measured: judge it by the means of both, or
        not count it.
    """

    LISTED = "utilitysched list schedulers"
    name = FAMILY

    policy: str = named(_policy, "sjf-filler")
    heatmap: str = named(lambda text, *_: text, "aris")
    completion: str = named(_completion, MEASURED)
    applications: str = named(_applications, NAMED)
    sockets: int = whole(_SOCKETS, (1, _MOST))
    cores: int | str = named(_cores, 10, str, _sizes)
    parts: int = whole(2, (2, _MOST))
    contiguous: bool = flag()
    nodes: str = choice((FIRST, FASTEST), FIRST)
    speeds: str = choice((KNOWN, LEARNED), KNOWN)
    table: str | None = named(lambda text, *_: text, None)
    trust: float = number(1.0, ANY)
    optimism: float = number(0.1, (0.0, 1.0))
    noise: float = number(0.0, (0.0, 1.0))
    known: str = choice((RUN, REQUEST), RUN)
    kill: bool = flag()
    backfilling: str = choice((EASY, SHADOW), EASY)
    head: str = choice((RESERVED, UNRESERVED), RESERVED)
    depth: int = whole(DEPTH, ANY)
    window: int = whole(EVERY, (1, EVERY))
    threshold: float = number(1.0, ANY)
    rank: int = whole(3, ANY)
    tau: float = number(1200.0, ANY)
    unmeasured: str = choice((MEAN, IGNORED), MEAN)

    def __post_init__(self) -> None:
        super().__post_init__()
        sizes = _sizes(self.cores, FAMILY, "cores")
        if len(sizes) > 1 and self.sockets not in (len(sizes), _SOCKETS):
            raise InputError(
                f"{self.cores} are the cores of {len(sizes)} sockets, not of {self.sockets}",
                source=FAMILY,
                field="cores",
                remedy="leave sockets out, or give cores=N if all sockets are equal",
            )
        if len(sizes) > 1:
            object.__setattr__(self, "sockets", len(sizes))
        if POLICIES[self.policy].shares and min(sizes) < self.parts:
            raise InputError(
                f"a job on one of {self.parts} parts of a node has no core of a socket of"
                f" {min(sizes)}",
                source=FAMILY,
                field="cores",
                remedy=f"give sockets of {self.parts} cores or more, fewer parts, or a policy that"
                " runs jobs compact",
            )
        if POLICIES[self.policy].reserves and self.contiguous:
            raise InputError(
                f"{self.policy} reserves numbers of nodes, not nodes that follow one another",
                source=FAMILY,
                field="contiguous",
                remedy="give contiguous=false, or policy=easy",
            )
        if self.head == UNRESERVED and self.policy != "conservative":
            raise InputError(
                f"{self.policy} has no reservation for each job that its head could lack",
                source=FAMILY,
                field="head",
                remedy="give head=reserved, or policy=conservative",
            )
        if self.unmeasured == IGNORED and self.speeds == LEARNED:
            raise InputError(
                "schedulers that learn speeds do not know which pairs were measured",
                source=FAMILY,
                field="unmeasured",
                remedy="give unmeasured=mean, or speeds=known",
            )
        if self.policy == "value-filler" and (self.nodes == FASTEST or self.contiguous):
            raise InputError(
                "value-filler chooses the nodes on which a job and its neighbours do best",
                source=FAMILY,
                field="nodes" if self.nodes == FASTEST else "contiguous",
                remedy="leave nodes and contiguous out, or choose another policy",
            )
        if self.nodes == FASTEST and self.contiguous:
            raise InputError(
                "the fastest nodes need not follow one another",
                source=FAMILY,
                field="nodes",
                remedy="give contiguous=false, or nodes=first",
            )

    @property
    def cores_of_sockets(self) -> Integers:
        """Cores of each socket of a node, shape (sockets,)."""
        sizes = _sizes(self.cores, FAMILY, "cores")
        return np.array(sizes if len(sizes) > 1 else sizes * self.sockets, np.int64)


@scheduler(
    FAMILY,
    options=CoschedulingOptions,
    summary="on nodes that jobs may share: each runs as fast as its neighbours let it",
    kind="sharing",
)
class CoScheduler(KnownSchedule):
    """A policy on a cluster whose jobs may share nodes: the run time of a job depends on others.

    Parameters
    ----------
    chosen : CoschedulingOptions
        Policy, cluster, and what is known of applications.
    label : str
        Canonical text.
    """

    told, instead = "a schedule of jobs that share nodes", "choose another scheduler"
    meets_failures = True

    def __init__(self, chosen: CoschedulingOptions, label: str = FAMILY) -> None:
        self.label = label
        self.chosen = chosen
        self.stochastic = chosen.applications == DRAWN or chosen.noise > 0
        self._setting = Setting(0, 0.0, 0)

    @property
    def options(self) -> Mapping[str, object]:
        """Every option in force, for provenance."""
        return asdict(self.chosen)

    @property
    def bids_matter(self) -> bool:
        """Whether the policy reads utility functions."""
        return POLICIES[self.chosen.policy].reads_values

    def prepare(self, setting: Setting) -> None:
        """Take the machine's size and the seed."""
        self._setting = setting

    def recorded(
        self, workload: Workload, watch: Callable[[float], None] | None = None
    ) -> RecordedTimes:
        """Return when each job starts and ends.

        Raises
        ------
        InputError
            A machine that is no whole number of nodes, an unknown application, or a heatmap that
            cannot be read.
        """
        # cluster, jobs and speeds in the form of the kernels
        arrivals = Arrivals.of(workload, self._setting.machine_size)
        heatmap = _heatmap(self.chosen.heatmap, self.chosen.completion)
        nodes, policy = self._nodes(), self._policy(self.chosen.policy)
        jobs = self._jobs(workload, arrivals, heatmap)
        speeds = _speeds(heatmap)
        beliefs = self._beliefs(heatmap, policy)
        state = SharingState.blank(nodes, policy, jobs, beliefs)
        run = SharedRun(nodes, policy, jobs, speeds, state)
        # all events
        first, sockets = workload.submit.min(initial=np.inf), self.chosen.cores_of_sockets
        play = SharedPlay(run, sockets, first, self._setting.downtime, self._scorer(run))
        play.finish(watch or (lambda _: None), lambda job: f"job {arrivals.job_id[job]}")
        # back to the order of the log
        start, end = np.empty(len(workload)), np.empty(len(workload))
        place = np.argsort(arrivals.order)
        start[arrivals.order], end[arrivals.order] = play.times()
        segments = play.segments(arrivals.order)
        cores = tuple(play.cores(place)) if segments is None else None
        # whom its limit kept from being done
        shared, killed = self._shared(heatmap, speeds, beliefs), None
        if self.chosen.kill:
            killed = _killed(state)[place]
            shared |= {"killed": int(killed.sum())}
        return RecordedTimes(start, end, shared, cores, segments, killed)

    def _shared(self, heatmap: Heatmap, speeds: Speeds, beliefs: Beliefs) -> dict[str, object]:
        """Return nodes, heatmap, the table's errors and learned speeds, for provenance."""
        chosen, table = self.chosen, _known_speeds(self._table(heatmap))
        shared: dict[str, object] = {
            "nodes": self._nodes().nodes,
            "kill": chosen.kill,
            "heatmap": list(heatmap.findings()),
        }
        if chosen.table is not None:
            shared["table_error"] = _mean_error(table.columns(), speeds.columns())
        if chosen.speeds == LEARNED:
            shared |= _learned(speeds, beliefs)
        return shared

    def _scorer(self, run: SharedRun) -> Callable[[], None] | None:
        """Return what has a policy of one's own score the queue, None for another policy."""
        rule = POLICIES[self.chosen.policy]
        if rule.function is None:
            return None
        table = run.jobs.table if rule.reads_values else None
        return partial(fill_in, self.chosen.policy, rule.function, run, table)

    def _beliefs(self, heatmap: Heatmap, policy: SharingPolicy) -> Beliefs:
        table = self._table(heatmap)
        if self.chosen.speeds == LEARNED:
            return Beliefs.from_table(_known_speeds(table), self.chosen.trust, policy)
        beliefs = Beliefs.from_table(_speeds(table), np.inf, policy)
        if self.chosen.unmeasured == IGNORED:
            missing = np.isnan(table.speed)
            beliefs.friends[missing | missing.T] = False
        return beliefs

    def _table(self, heatmap: Heatmap) -> Heatmap:
        """Return what the scheduler begins with, in the order of the heatmap's applications."""
        if self.chosen.table is not None:
            return _reordered(_heatmap(self.chosen.table, MEASURED), heatmap)
        if self.chosen.speeds == KNOWN:
            return heatmap
        spread, speed = (np.full_like(each, np.nan) for each in (heatmap.spread, heatmap.speed))
        return replace(heatmap, spread=spread, speed=speed)

    def _nodes(self) -> SharedNodes:
        chosen, sockets = self.chosen, self.chosen.cores_of_sockets
        cores, part = int(sockets.sum()), int((sockets // chosen.parts).sum())
        nodes, left = divmod(self._setting.machine_size, cores)
        if left or not nodes:
            equal = f"{chosen.sockets} x {chosen.cores}"
            raise InputError(
                f"{self._setting.machine_size} processors are no whole number of nodes of"
                f" {chosen.cores if '+' in str(chosen.cores) else equal} cores",
                source=FAMILY,
                field="cores",
                remedy="give sockets=N,cores=N of this machine, or another size (`machine_size`)",
            )
        return SharedNodes(nodes, cores, part, chosen.contiguous, chosen.parts)

    def _policy(self, name: str) -> SharingPolicy:
        chosen, policy = self.chosen, POLICIES[name]
        return SharingPolicy(
            policy.order,
            policy.shares,
            policy.reserves and chosen.head == RESERVED,
            self._backfilling(),
            chosen.depth if policy.fills else 0,
            chosen.window,
            chosen.rank,
            chosen.known == RUN,
            chosen.threshold,
            chosen.optimism,
            chosen.nodes == FASTEST,
            chosen.tau,
        )

    def _backfilling(self) -> int:
        if self.chosen.head == UNRESERVED:
            return terms.UNRESERVED
        return terms.SHADOW if self.chosen.backfilling == SHADOW else terms.EASY

    def _jobs(self, workload: Workload, arrivals: Arrivals, heatmap: Heatmap) -> SharingJobs:
        known, kill = arrivals.known, self.chosen.kill
        work, request = on_ticks(arrivals.run), on_ticks(known.request)
        row = applications_of(workload, heatmap, self.chosen.applications, self._setting.seed)
        return SharingJobs(
            on_ticks(known.arrival),
            known.size,
            work,
            work if self.chosen.known == RUN else request,
            request if kill else np.full(len(work), np.inf),
            row[arrivals.order],
            self._noise(len(work)),
            known if POLICIES[self.chosen.policy].reads_values else terms.NO_CURVES,
        )

    def _noise(self, jobs: int) -> Floats:
        """Return measured over true speed of each job, 1 on average."""
        spread = self.chosen.noise
        drawn = stream(self._setting.seed, "measured speeds")
        return drawn.lognormal(-(spread**2) / 2, spread, jobs)


def _killed(state: SharingState) -> NDArray[np.bool_]:
    """Return which jobs were killed with work left, (n,): at their last speed they end later.

    Ends that are no further apart than `TOGETHER` are one end: such a job was done.
    """
    done = on_ticks(state.since + state.left / state.speed)
    return done - state.end > TOGETHER


@lru_cache(maxsize=4)
def _heatmap(text: str, completion: str) -> Heatmap:
    heatmap = find_heatmap(text)
    return heatmap if completion == MEASURED else completed(heatmap, int(completion))


def _speeds(heatmap: Heatmap) -> Speeds:
    missing = np.isnan(heatmap.speed)
    beside = np.where(missing, heatmap.row_means()[:, None], heatmap.speed)
    return Speeds(heatmap.alone(), beside)


def _known_speeds(table: Heatmap) -> Speeds:
    """Return the speeds of a table, NaN where it has none."""
    blank = np.isnan(table.speed).all(axis=1) & np.isnan(table.spread)
    return Speeds(np.where(blank, np.nan, table.alone()), table.speed)


def _reordered(table: Heatmap, heatmap: Heatmap) -> Heatmap:
    """Return a table by the applications of a heatmap, NaN where it lacks one.

    Raises
    ------
    InputError
        None of them is in the table.
    """
    rows = table.rows()
    row = [rows.get(name, -1) for name in heatmap.names]
    if max(row) < 0:
        raise InputError(
            f"{table.source} has no application of {heatmap.source}",
            source=FAMILY,
            field="table",
            remedy="give a heatmap with the same names of applications",
        )
    # -1 is the last row and column, which are added
    compact, spread, speed = (
        np.pad(column, (0, 1), constant_values=np.nan)
        for column in (table.compact, table.spread, table.speed)
    )
    return replace(heatmap, compact=compact[row], spread=spread[row], speed=speed[np.ix_(row, row)])


def _learned(speeds: Speeds, beliefs: Beliefs) -> dict[str, object]:
    """Return statistics of learned speeds: pairs seen, observations, mean error."""
    seen = beliefs.seen > 0
    return {
        "speeds_seen": int(seen.sum()),
        "speeds": seen.size,
        "co_runs_seen": int(beliefs.seen.sum()),
        "mean_error": _mean_error(np.where(seen, beliefs.mean, np.nan), speeds.columns()),
    }


def _mean_error(speeds: Floats, true: Floats) -> float:
    """Return the mean distance from the true speeds of those that are known, 0 if none is."""
    known = ~np.isnan(speeds)
    return float(np.abs(speeds - true)[known].mean()) if known.any() else 0.0


def applications_of(workload: Workload, heatmap: Heatmap, how: str, seed: int) -> Integers:
    """Return the row in a heatmap of the application of each job, shape (n,).

    Parameters
    ----------
    workload : Workload
        Its header names executables (``; Executable: 3 bt.D.64``).
    heatmap : Heatmap
        The applications.
    how : str
        ``named``: by these names; ``drawn``: each executable is drawn one, and so is each user of
        jobs of which no executable is known; or a list, ``3:bt.D.64+7:ep.E.256``, others by name.
    seed : int
        Of the draws.

    Raises
    ------
    InputError
        An executable without a name, or with one that the heatmap does not have.
    """
    if how == DRAWN:
        # users stand for unknown executables; negative so that no number clashes
        unknown = workload.executable < 0
        who = np.where(unknown, -2 - workload.user, workload.executable)
        different, place = np.unique(who, return_inverse=True)
        drawn = stream(seed, "applications of executables")
        rows: Integers = drawn.integers(0, len(heatmap.names), len(different))[place]
        return rows
    names = dict(workload.header.names("Executable"))
    if how != NAMED:
        names |= _listed(how)
    number = heatmap.rows()
    row_of = {
        executable: number.get(names.get(executable, ""), -1)
        for executable in np.unique(workload.executable).tolist()
    }
    row = np.array([row_of[executable] for executable in workload.executable.tolist()], np.int64)
    # every job needs an application
    strangers = np.flatnonzero(row < 0)
    if len(strangers):
        job = strangers[0]
        executable = workload.executable[job]
        raise InputError(
            f"job {workload.job_name(job)}: executable {executable}"
            f" ({names.get(int(executable), 'without a name')}) is no application of"
            f" {heatmap.source}",
            field="executable",
            remedy=f"name it in the header or in a list ({FAMILY}:applications={executable}:NAME),"
            f" or draw one for each executable (applications={DRAWN})",
        )
    return row
