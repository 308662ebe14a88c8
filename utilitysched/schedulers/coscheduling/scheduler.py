"""Co-scheduling: policies on nodes that jobs may share (KELLARI 5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from swfx import InputError, Workload
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
from utilitysched.schedulers.coscheduling.options import (
    DRAWN,
    FAMILY,
    FASTEST,
    IGNORED,
    KNOWN,
    LEARNED,
    MEASURED,
    NAMED,
    POLICIES,
    RESERVED,
    RUN,
    SHADOW,
    UNRESERVED,
    CoschedulingOptions,
    listed,
)
from utilitysched.schedulers.coscheduling.own import fill_in
from utilitysched.schedulers.coscheduling.play import SharedPlay
from utilitysched.schedulers.registry import scheduler


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
        shared, killed = self._shared(heatmap, run), None
        if self.chosen.kill:
            killed = _killed(state)[place]
            shared |= {"killed": int(killed.sum())}
        return RecordedTimes(start, end, shared, cores, segments, killed)

    def _shared(self, heatmap: Heatmap, run: SharedRun) -> dict[str, object]:
        """Return nodes, heatmap, the table's errors and learned speeds, for provenance."""
        shared: dict[str, object] = {
            "nodes": run.nodes.nodes,
            "kill": self.chosen.kill,
            "heatmap": list(heatmap.findings()),
        }
        if self.chosen.table is not None:
            table = _known_speeds(self._table(heatmap))
            shared["table_error"] = _mean_error(table.columns(), run.speeds.columns())
        if self.chosen.speeds == LEARNED:
            shared |= _learned(run.speeds, run.state.beliefs)
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
        names |= listed(how)
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
