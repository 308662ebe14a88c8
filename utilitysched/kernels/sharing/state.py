"""State of a run on shared nodes."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from utilitysched.kernels.sharing.beliefs import Beliefs
from utilitysched.kernels.sharing.terms import (
    NOBODY,
    SEVERAL,
    SHORT_FILLER,
    SharedNodes,
    SharingJobs,
    SharingPolicy,
    Speeds,
)
from utilitysched.model.scheduling_pass import Profile
from utilitysched.model.state import Floats, Integers


class SharingState(NamedTuple):
    """Mutable state of the loop, enough to stop and resume.

    Attributes
    ----------
    counts : (6,) int64
        Jobs submitted so far, in the queue and running; passes made; jobs that ended since; 1 while
        an order of one's own is asked for.
    queue, running : (n,) int64
        Jobs in the queue, and those that run, ascending.
    shortest : (n,) int64
        Jobs in the queue by the run time that is reckoned with; empty where no order asks.
    ended : (n,) int64
        Jobs that ended since the last pass.
    holders : (nodes, parts) int64
        Job that has each part, -1 for nobody.
    repaired : (nodes,) float64
        When a node that is down works again (s), -inf for one that works.
    until : (1,) float64
        Events from this time on have to wait (s): nodes fail then, or are repaired.
    placed : (p,) int64
        Parts that each job was given, numbered from the first node on; the first part of a node
        that it has alone.
    place : (n + 1,) int64
        Where those of each job begin in `placed`: room for all that it can need.
    held : (n,) int64
        How many there are.
    start, end : (n,) float64
        Start, and completion as it looks now (s).
    left : (n,) float64
        Work left (s at speed 1) at `since`.
    since : (n,) float64
        When the speed last changed (s).
    speed : (n,) float64
        Since then.
    beside : (n,) int64
        Application that a running job is beside, or to which its speed is due if there are several;
        the number of applications if beside nobody; `SEVERAL` if it is compact, or due to any.
    met : (n,) float64
        Since when (s).
    reckoned : (n,) float64
        Completion by the speeds that the scheduler believes in (s).
    beliefs : Beliefs
        Of the scheduler.
    compact : (n,) bool
        Whether a job that runs has whole nodes; of a queued one, whether it would.
    reserved : (n,) float64
        Reserved start (s).
    profile : Profile
        Nodes free of running jobs and reservations.
    wake_up : (1,) float64
        Next reserved start (s).
    disturbed : (n,) bool
        Jobs that may have other neighbours than when their speeds were found; false between passes
        for those that run.
    spot : (n,) int64
        Scratch: places in an order.
    score : (n,) float64
        Of each queued job, the lowest first, where it comes from utility functions or from outside.
    started : (n,) bool
        Scratch of a pass; false between passes.
    """

    counts: Integers
    queue: Integers
    running: Integers
    shortest: Integers
    ended: Integers
    holders: NDArray[np.int64]
    repaired: Floats
    until: Floats
    placed: Integers
    place: Integers
    held: Integers
    start: Floats
    end: Floats
    left: Floats
    since: Floats
    speed: Floats
    beside: Integers
    met: Floats
    reckoned: Floats
    beliefs: Beliefs
    compact: NDArray[np.bool_]
    reserved: Floats
    profile: Profile
    wake_up: Floats
    disturbed: NDArray[np.bool_]
    spot: Integers
    score: Floats
    started: NDArray[np.bool_]

    @classmethod
    def blank(
        cls, nodes: SharedNodes, policy: SharingPolicy, jobs: SharingJobs, beliefs: Beliefs
    ) -> "SharingState":
        """Return the state before the first event."""
        count = len(jobs.submit)
        most = -(-jobs.size // (nodes.part_cores if policy.shares else nodes.cores))
        place = np.concatenate(([0], np.cumsum(most)))
        return cls(
            np.zeros(6, np.int64),
            np.empty(count, np.int64),
            np.empty(count, np.int64),
            np.empty(count if policy.order == SHORT_FILLER else 0, np.int64),
            np.empty(count, np.int64),
            np.full((nodes.nodes, nodes.parts), NOBODY),
            np.full(nodes.nodes, -np.inf),
            np.full(1, np.inf),
            np.empty(place[-1], np.int64),
            place,
            np.zeros(count, np.int64),
            np.full(count, np.nan),
            np.full(count, np.nan),
            np.zeros(count),
            np.zeros(count),
            np.ones(count),
            np.full(count, SEVERAL),
            np.zeros(count),
            np.full(count, np.nan),
            beliefs,
            np.zeros(count, np.bool_),
            np.full(count, np.inf),
            Profile.blank(count + nodes.nodes if policy.reserves else 0, nodes.nodes),
            np.full(1, np.inf),
            np.zeros(count, np.bool_),
            np.zeros(count, np.int64),
            np.zeros(count),
            np.zeros(count, np.bool_),
        )


class SharedRun(NamedTuple):
    """Everything that `advance_sharing` goes by."""

    nodes: SharedNodes
    policy: SharingPolicy
    jobs: SharingJobs
    speeds: Speeds
    state: SharingState
