"""Requests learned from past runs, in place of those that users made."""

from dataclasses import replace
from typing import NamedTuple, Self

import numpy as np

from utilitysched.kernels.runtimes import EDGES, learn_runtime, weights
from utilitysched.model.forecast import ForecastRule
from utilitysched.model.restarts import RuntimeHistogram
from utilitysched.model.scheduler import Scheduler, Setting
from utilitysched.model.state import Decision, Floats, Integers, QueueState
from utilitysched.schedulers.speculation.around import AroundScheduler
from utilitysched.schedulers.speculation.options import SpeculationOptions
from utilitysched.schedulers.speculation.sequence import QUEUED, best_sequence

LEARNING = 20
"""Completed jobs before requests are learned from them."""

MINUTE = 60.0
"""Requests are whole minutes (s), as limits of production schedulers are."""


class _Requests(NamedTuple):
    """Requests of n jobs; changed in place.

    Attributes
    ----------
    user : (n,) float64
        What users asked for (s), not a number before a job was seen.
    learned : (n,) float64
        The request under which a job waits or runs (s), not a number where it is to be found.
    outlasted : (n,) float64
        It is known to run for longer than this (s).
    """

    user: Floats
    learned: Floats
    outlasted: Floats

    @classmethod
    def blank(cls, jobs: int) -> Self:
        """Return requests of jobs that nobody has seen."""
        return cls(np.full(jobs, np.nan), np.full(jobs, np.nan), np.zeros(jobs))

    def longer(self, jobs: int) -> Self:
        """Return a copy with room for so many jobs."""
        other = self.blank(jobs)
        for old, new in zip(self, other, strict=True):
            new[: len(old)] = old
        return other


class LearnedRequests(AroundScheduler[SpeculationOptions]):
    """A scheduler that sees requests learned from past runs.

    Each re-runnable job without checkpoints gets the requests, one after the other, under which it
    is expected to wait and run least by what jobs of its class of request ran (`best_sequence`),
    the user's own at last. At the end of one it is stopped, and waits for a start under the next;
    while nobody else waits, it goes on under the next at once. A job stopped `stops` times gets the
    request of its user.

    References
    ----------
    A. Gainaru, G. Pallez, H. Sun, P. Raghavan, Speculative scheduling for stochastic HPC
    applications, ICPP 2019.
    """

    def __init__(self, scheduler: Scheduler, settings: SpeculationOptions, label: str) -> None:
        super().__init__(scheduler, settings, label)
        self.prepare(Setting(machine_size=1, longest_request=0.0, seed=0))

    @property
    def reading(self) -> ForecastRule | None:
        """That of the other scheduler, if requests, which it sees as they are learned, are not."""
        rule = self.scheduler.reading
        return rule if rule and rule.duration == "zero" else None

    def prepare(self, setting: Setting) -> None:
        """Forget everything and get ready for a new workload."""
        super().prepare(setting)
        self._requests = _Requests.blank(16)
        self._past = RuntimeHistogram.blank()

    def fork(self, seed: int | None = None) -> Self:
        """Return a scheduler that remembers as much, and draws as for `seed` from now on."""
        other = super().fork(seed)
        other._requests = self._requests.longer(len(self._requests.user))
        other._past = self._past.copy()
        return other

    def decide(self, state: QueueState) -> Decision:
        """Return the jobs to stop and to start now."""
        self._observe(state)
        ends = self._ends(state)
        early = ends < state.expected_end
        late = state.running[early & (ends < state.now)]  # nobody waited
        over = state.running[early & (ends == state.now)]
        for job in late.tolist():
            self._go_on(job, state)
        ends = self._ends(state)
        seen = self._seen(state, ends, over)
        changed = state.disrupted or len(late) + len(over) > 0
        decision = self.scheduler.decide(replace(seen, disrupted=changed))
        for job in over.tolist():
            self._requests.outlasted[job] = self._requests.learned[job]
            self._requests.learned[job] = np.nan
        soonest = ends[(ends > state.now) & (ends < state.expected_end)].min(initial=np.inf)
        wake_up = min(soonest, np.inf if decision.wake_up is None else decision.wake_up)
        return replace(decision, wake_up=None if wake_up == np.inf else wake_up, preempts=over)

    def _observe(self, state: QueueState) -> None:
        """Learn from those that ended; find requests of jobs that came or were stopped."""
        known = state.known
        if len(known.submit) > len(self._requests.user):
            self._requests = self._requests.longer(2 * len(known.submit))
        columns = state.finished_run.tolist(), known.request[state.finished].tolist()
        for run, request in zip(*columns, strict=True):
            learn_runtime(self._past, run, request)
        rules = state.stops
        user, learned, outlasted = self._requests
        new = state.queued[np.isnan(user[state.queued])]
        user[new] = known.request[new]
        for job in state.queued[np.isnan(learned[state.queued])].tolist():
            stoppable = rules.interval[job] == np.inf
            if stoppable and rules.preemptions[job] < self.settings.stops:
                learned[job] = self.next_request(user.item(job), outlasted.item(job))
            else:
                learned[job] = user[job]

    def next_request(self, request: float, outlasted: float) -> float:
        """Return what a job asks for that runs for over `outlasted`, at most `request` (s)."""
        if self._past.below[-1, -1] < LEARNING:
            return request
        weight, ends = weights(self._past, request), EDGES[1:]
        runs = np.minimum(np.ceil(ends / MINUTE) * MINUTE, request)
        possible = (outlasted < ends) & (runs > outlasted) & (weight > 0)
        choices: Floats
        choices, place = np.unique(np.append(runs[possible], request), return_inverse=True)
        chances = np.bincount(place, np.append(weight[possible], 0.0)).astype(np.float64)
        return best_sequence(choices, chances, QUEUED).item(0)

    def _go_on(self, job: int, state: QueueState) -> None:
        """Give a running job its next request without a stop."""
        rules = state.stops
        user, learned, outlasted = self._requests
        outlasted[job] = state.now - rules.last_start[job] - rules.paid[job]
        learned[job] = self.next_request(user.item(job), outlasted.item(job))

    def _less(self, jobs: Integers) -> Floats:
        """Return by how much learned requests are below the users' (s), 0 of outages."""
        return np.nan_to_num(self._requests.user[jobs] - self._requests.learned[jobs])

    def _ends(self, state: QueueState) -> Floats:
        """Return when the running jobs, and outages, end by learned requests (s)."""
        ends: Floats = state.expected_end - self._less(state.running)
        return ends

    def _seen(self, state: QueueState, ends: Floats, over: Integers) -> QueueState:
        """Return the state with learned requests, in which some running jobs are not there."""
        known, present = state.known, np.concatenate([state.queued, state.running])
        request = known.request.copy()
        request[present] -= self._less(present)
        stays = ~np.isin(state.running, over)
        by_end = np.argsort(ends[stays], kind="stable")
        return replace(
            self.undisturbed(state),
            free=state.free + int(known.size[over].sum()),
            running=state.running[stays][by_end],
            expected_end=ends[stays][by_end],
            known=known._replace(request=request),
        )
