"""Co-scheduling: policies on nodes that jobs may share (KELLARI 5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from swfx import InputError, Workload
from swfx.base.configured import ANY, Configured, choice, flag, named, number, whole
from swfx.base.options import as_int
from swfx.families.generators.randomness import stream
from swfx.heatmap import Heatmap, find_heatmap
from utilitysched.kernels.sharing import terms
from utilitysched.kernels.sharing.beliefs import Beliefs
from utilitysched.kernels.sharing.loop import advance_sharing
from utilitysched.kernels.sharing.placement import cores_of
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
from utilitysched.schedulers.registry import scheduler


class CoPolicy(NamedTuple):
    """A co-scheduling policy: queue order, sharing, backfilling, reservations.

    Attributes
    ----------
    order : int
        Of the queue, as `utilitysched.kernels.sharing.terms` names it.
    shares : bool
        Jobs get halves of nodes: of empty ones, else beside others.
    fills : bool
        Jobs start around a stuck head.
    reserves : bool
        Conservative backfilling: each job holds a reservation.
    """

    order: int
    shares: bool = True
    fills: bool = True
    reserves: bool = False


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
}
"""By name; the first five run jobs compact."""


FAMILY = "coscheduled"
MEASURED = "none"
NAMED, DRAWN = "named", "drawn"
RUN, REQUEST = "run", "request"
KNOWN, LEARNED = "known", "learned"
FIRST, FASTEST = "first", "fastest"

EVERY = 1_000_000_000
"""Jobs: more than any queue has."""

_PASSES_AT_ONCE = 5_000
"""Between two signs of progress."""


def _completion(text: str, source: str, field: str) -> str:
    return text if text == MEASURED else str(as_int(text, source, field))


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
        File or name of a packaged one.
    completion : str
        Seed of the model for pairs that are not measured; ``none``: they have the mean known speed
        of their application.
    applications : str
        ``named``: executables are applications by name; ``drawn``: each is drawn one; or a list of
        them, ``3:bt.D.64+7:ep.E.256``.
    sockets, cores : int
        Sockets of a node, and cores of a socket.
    contiguous : bool
        Jobs have nodes that follow one another.
    nodes : {"first", "fastest"}
        Which of the nodes with free halves a job gets: the first, or those on which it will be
        fastest by what schedulers know of speeds.
    speeds : {"known", "learned"}
        What they know: the heatmap, or what they have seen of jobs that ran.
    optimism : float
        By how much a learned speed is taken to exceed the mean of those seen, if there are none; by
        this over the root of 1 + n if there are n.
    noise : float
        Standard deviation of the logarithm of what is measured of a job, over its true speed.
    known : {"run", "request"}
        What schedulers reckon with: compact run times, or requested times.
    kill : bool
        Jobs that neighbours slow are killed at their requested times.
    depth : int
        Jobs behind a stuck head that may fill, in order.
    window : int
        Jobs, in order of arrival, that are put in order.
    threshold : float
        Mean speed of a pair that makes each popular with the other.
    rank : int
        Jobs with fewer such partners in the queue are placed compact by popularity.
    """

    LISTED = "utilitysched list schedulers"
    name = FAMILY

    policy: str = choice(tuple(POLICIES), "sjf-filler")
    heatmap: str = named(lambda text, *_: text, "aris")
    completion: str = named(_completion, MEASURED)
    applications: str = named(_applications, NAMED)
    sockets: int = whole(2, (1, 1024))
    cores: int = whole(10, (1, 1024))
    contiguous: bool = flag()
    nodes: str = choice((FIRST, FASTEST), FIRST)
    speeds: str = choice((KNOWN, LEARNED), KNOWN)
    optimism: float = number(0.1, (0.0, 1.0))
    noise: float = number(0.0, (0.0, 1.0))
    known: str = choice((RUN, REQUEST), RUN)
    kill: bool = flag()
    depth: int = whole(EVERY, ANY)
    window: int = whole(EVERY, (1, EVERY))
    threshold: float = number(1.0, ANY)
    rank: int = whole(3, ANY)

    def __post_init__(self) -> None:
        super().__post_init__()
        if POLICIES[self.policy].shares and self.cores < 2:
            raise InputError(
                "a socket of one core has no half to share",
                source=FAMILY,
                field="cores",
                remedy="give cores=2 or more, or a policy that runs jobs compact",
            )
        if POLICIES[self.policy].reserves and self.contiguous:
            raise InputError(
                f"{self.policy} reserves numbers of nodes, not nodes that follow one another",
                source=FAMILY,
                field="contiguous",
                remedy="give contiguous=false, or policy=easy",
            )
        if self.nodes == FASTEST and self.contiguous:
            raise InputError(
                "the fastest nodes need not follow one another",
                source=FAMILY,
                field="nodes",
                remedy="give contiguous=false, or nodes=first",
            )


@scheduler(
    FAMILY,
    options=CoschedulingOptions,
    summary="on nodes that two jobs may share: each runs as fast as its neighbours let it",
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
        """Never: no policy reads utility functions."""
        return False

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
        # loaded when a run begins, not when options are read
        from utilitysched.kernels.processors import texts  # noqa: PLC0415

        # cluster, jobs and speeds in the form of the kernels
        arrivals = Arrivals.of(workload, self._setting.machine_size)
        heatmap = _heatmap(self.chosen.heatmap, self.chosen.completion)
        nodes, policy = self._nodes(), self._policy(self.chosen.policy)
        jobs = self._jobs(workload, arrivals, heatmap)
        speeds = _speeds(heatmap)
        beliefs = self._beliefs(speeds, policy)
        state = SharingState.blank(nodes, policy, jobs, beliefs)
        run = SharedRun(nodes, policy, jobs, speeds, state)
        watch = watch or (lambda _: None)
        # event loop, in pieces that report progress
        while not advance_sharing(*run, _PASSES_AT_ONCE):
            watch(int(state.counts[terms.ARRIVED]) / len(jobs.submit))
        # back to the order and the clock of the log
        start, end = np.empty(len(workload)), np.empty(len(workload))
        first = workload.submit.min(initial=np.inf)
        start[arrivals.order] = state.start + first
        end[arrivals.order] = state.end + first
        cores = texts(*cores_of(nodes, self.chosen.sockets, jobs, state))
        place = np.argsort(arrivals.order)
        # whom its limit kept from being done
        shared, killed = self._shared(heatmap, speeds, beliefs), None
        if self.chosen.kill:
            killed = _killed(state)[place]
            shared = {**shared, "killed": int(killed.sum())}
        return RecordedTimes(start, end, shared, tuple(cores[job] for job in place), killed)

    def _shared(self, heatmap: Heatmap, speeds: Speeds, beliefs: Beliefs) -> Mapping[str, object]:
        """Return nodes, heatmap and learned speeds for provenance."""
        learned = _learned(speeds, beliefs) if self.chosen.speeds == LEARNED else {}
        return {
            "nodes": self._nodes().nodes,
            "kill": self.chosen.kill,
            "heatmap": list(heatmap.findings()),
            **learned,
        }

    def _beliefs(self, speeds: Speeds, policy: SharingPolicy) -> Beliefs:
        if self.chosen.speeds == LEARNED:
            return Beliefs.blank(len(speeds.alone), policy)
        return Beliefs.sure_of(speeds, policy.threshold)

    def _nodes(self) -> SharedNodes:
        sockets, cores = self.chosen.sockets, self.chosen.cores
        nodes, left = divmod(self._setting.machine_size, sockets * cores)
        if left or not nodes:
            raise InputError(
                f"{self._setting.machine_size} processors are no whole number of nodes of"
                f" {sockets} x {cores} cores",
                source=FAMILY,
                field="cores",
                remedy="give sockets=N,cores=N of this machine, or another size (`machine_size`)",
            )
        return SharedNodes(nodes, sockets * cores, sockets * (cores // 2), self.chosen.contiguous)

    def _policy(self, name: str) -> SharingPolicy:
        chosen, policy = self.chosen, POLICIES[name]
        return SharingPolicy(
            policy.order,
            policy.shares,
            policy.reserves,
            chosen.depth if policy.fills else 0,
            chosen.window,
            chosen.rank,
            chosen.known == RUN,
            chosen.threshold,
            chosen.optimism,
            chosen.nodes == FASTEST,
        )

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
    return Speeds(heatmap.row_maxima(), beside)


def _learned(speeds: Speeds, beliefs: Beliefs) -> Mapping[str, object]:
    """Return statistics of learned speeds: pairs seen, observations, mean error."""
    seen, true = beliefs.seen > 0, np.column_stack((speeds.beside, speeds.alone))
    wrong = np.abs(beliefs.mean - true)[seen]
    return {
        "speeds_seen": int(seen.sum()),
        "speeds": seen.size,
        "co_runs_seen": int(beliefs.seen.sum()),
        "mean_error": float(wrong.mean()) if len(wrong) else 0.0,
    }


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
    number = {name: row for row, name in enumerate(heatmap.names)}
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
