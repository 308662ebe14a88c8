"""Plans of priority preemption: what it would do if nobody else came and all ran as requested."""

from dataclasses import replace

import numpy as np

from utilitysched.counterfactual.pivot.plans import Plans
from utilitysched.counterfactual.pivot.played import PlayedOn
from utilitysched.kernels.fitness import Worth
from utilitysched.model.forecast import Forecast
from utilitysched.model.state import Decision, Floats, Integers, QueueState
from utilitysched.schedulers.priority_preemption.scheduler import PriorityPreempt
from utilitysched.schedulers.priority_preemption.victims import of_lower_classes
from utilitysched.schedulers.value import worth_of


class ForeseenPlans:
    """The event loop run on, bumps to come included, from a state without arrivals.

    The planned start of a job that is bumped in it is the instant at which it would have to start
    to end when it does. The job that is compared comes back to nobody's queue: if it is bumped, the
    start after that is compared by itself.
    """

    searches = False

    def __init__(self, scheduler: PriorityPreempt) -> None:
        self.scheduler = scheduler

    def started(
        self,
        state: QueueState,
        job: int,
        duration: float | None,
        seed: int | None,  # noqa: ARG002 - nothing is drawn
    ) -> Plans:
        """Return what it will do with the job, and if it runs so long, and without it."""
        rest = replace(state, queued=state.queued[state.queued != job])
        others = np.concatenate([rest.queued, of_lower_classes(state, self.scheduler.settings)])
        left = _left(state)
        decided = self.scheduler.decide(state)  # it remembers nothing: as it did
        with_job = []
        for length in [None] if duration is None else [None, duration]:
            course = PlayedOn(state, self.scheduler)
            course.hold(job, length)
            course.play(decided)
            with_job.append(course.starts(others, left[others]))
        course = PlayedOn(rest, self.scheduler)
        course.play(self.scheduler.decide(rest) if len(rest.queued) else Decision())
        without = course.starts(others, left[others])
        return Plans(np.array(with_job), without, _worth(state, others, left), others)


def _left(state: QueueState) -> Floats:
    """Return the requested time left of queued and running jobs (s), of others nothing of use."""
    left = state.known.request.copy()
    left[state.running] = state.expected_end - state.now
    return left


def _worth(state: QueueState, jobs: Integers, left: Floats) -> Worth:
    """Return what jobs are worth if they end when they have run for as long as requested."""
    return worth_of(replace(state, queued=jobs), Forecast(left[:, np.newaxis], left))
