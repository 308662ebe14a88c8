"""The compiled event loop, from a moment on."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from utilitysched.kernels.history import fill, learn
from utilitysched.kernels.policy import Policy
from utilitysched.kernels.progress import FREE, Progress
from utilitysched.kernels.replay import advance
from utilitysched.market.quote.scene import Scene
from utilitysched.model.forecast import RuntimeHistory
from utilitysched.model.state import Floats
from utilitysched.schedulers.list_scheduler import ListScheduler

_NO_LIMIT = np.iinfo(np.int64).max

Times = tuple[Floats, Floats]
"""Starts and ends of all jobs (s)."""


class Turn(NamedTuple):
    """From an instant on somebody decides otherwise.

    Attributes
    ----------
    at : float
        The instant (s).
    policy : Policy
        Who decides then.
    """

    at: float
    policy: Policy


class EventLoop:
    """What list schedulers do that keep no promises.

    Parameters
    ----------
    scene : Scene
        What it begins with.
    scheduler : ListScheduler
        Prepared.
    """

    def __init__(self, scene: Scene, scheduler: ListScheduler) -> None:
        known, jobs = scene.known, len(scene.known.submit)
        self.scene = scene
        self._plan = scheduler.placement.blank_plan(jobs, known.machine_size)
        self._forecast = scheduler.rule.blank(jobs)
        self._learnt = RuntimeHistory.blank(int(known.user.max(initial=0)) + 1)
        state = scene.snapshot.state()
        for job, run in zip(state.finished.tolist(), state.finished_run.tolist(), strict=True):
            learn(self._learnt, known.user[job], run, known.request[job])
        fill(np.arange(jobs), known, self._learnt, scheduler.rule.codes, self._forecast)

    def play(self, run: Floats, policy: Policy, turns: Sequence[Turn] = ()) -> Times:
        """Play the scene.

        Parameters
        ----------
        run : (n,) float64
            Run times (s); of running jobs since `Scene.begun`.
        policy : Policy
            Who decides.
        turns : sequence of Turn
            Who decides later, by time.
        """
        progress = self._begin(run)
        for turn in turns:
            self._advance(run, policy, progress, turn.at)
            policy = turn.policy
        self._advance(run, policy, progress, np.inf)
        return progress.start, progress.end

    def _advance(self, run: Floats, policy: Policy, progress: Progress, until: float) -> None:
        learnt = self._learnt
        if policy.learns:
            learnt = RuntimeHistory._make(column.copy() for column in learnt)
        known, forecast, plan = self.scene.known, self._forecast, self._plan
        advance(run, known, forecast, learnt, policy, plan, progress, _NO_LIMIT, until)

    def _begin(self, run: Floats) -> Progress:
        """Return an event loop that has come to the moment; its next event is a pass now."""
        scene = self.scene
        queued, running = scene.queued, scene.running
        progress = Progress.blank(len(run), scene.known.machine_size)
        begun, end = scene.begun, scene.begun + run[running]
        progress.start[running] = begun
        progress.end[running] = end
        # the next one last, at equal ends by number
        last_first = np.lexsort((running, end))[::-1]
        release = begun + scene.known.request[running]
        by_release = np.lexsort((running, release))
        count = len(running)
        progress.queue[: len(queued)] = queued
        progress.ends[:count] = end[last_first]
        progress.ending[:count] = running[last_first]
        progress.release_end[:count] = release[by_release]
        progress.release_job[:count] = running[by_release]
        progress.wake_up[0] = scene.snapshot.now
        progress.counts[:FREE] = scene.present, len(queued), count
        progress.counts[FREE] = scene.snapshot.free
        return progress
