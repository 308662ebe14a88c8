"""Schedulers that the compiled event loop plays."""

from dataclasses import replace
from functools import partial

from utilitysched.engine.rollout import planner_of
from utilitysched.exact.planned import brought_to
from utilitysched.market.quote.courses import played, start_of
from utilitysched.market.quote.event_loop import EventLoop
from utilitysched.market.quote.futures import Decided, Futures
from utilitysched.market.quote.scene import Scene
from utilitysched.model.state import Floats
from utilitysched.schedulers.list_scheduler import ListScheduler


class Compiled:
    """Orderings with placements that decide by the queue and the running jobs."""

    def __init__(self, scheduler: ListScheduler) -> None:
        self.scheduler = scheduler
        self.bids_matter = scheduler.bids_matter

    def futures(
        self,
        scene: Scene,
        runs: Floats,
        *,
        roughly: bool = False,  # noqa: ARG002 - there is no faster way
    ) -> Futures:
        """Play a scene in the compiled event loop."""
        brought_to(scene.snapshot, self.scheduler)
        loop = EventLoop(scene, self.scheduler)
        policy = self.scheduler.policy(scene.known, once=True)
        start, end = played(runs, lambda _, run: loop.play(run, policy))
        return Futures(scene, runs, start, end, partial(self._decided, scene, runs, start, end))

    def _decided(
        self, scene: Scene, runs: Floats, start: Floats, end: Floats, sample: int
    ) -> Decided:
        state, everybody = start_of(scene, start[sample], end[sample])
        if self.scheduler.remembers:
            brought_to(scene.snapshot, self.scheduler)
            ended = scene.ended_until(end[sample], state.now)
            taught = replace(state, finished=ended, finished_run=runs[sample, ended])
            self.scheduler.decide(taught)
        return Decided(state, everybody, planner_of(self.scheduler))
