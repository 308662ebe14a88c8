"""Foresight of what a scheduler will do: compiled, by a plan followed, or asked at every event."""

from dataclasses import replace
from functools import partial

from swfx import InputError
from utilitysched.engine.rollout import planner_of
from utilitysched.exact.planned import brought_to
from utilitysched.market.quote.compiled_loop import CompiledLoop
from utilitysched.market.quote.futures import Decided, Foresight, Futures, Times, played
from utilitysched.market.quote.plan_followed import PlanFollowed
from utilitysched.market.quote.resumed import resumed
from utilitysched.market.quote.scenario import Scenario
from utilitysched.model.scheduler import Scheduler, Wrapper
from utilitysched.model.state import Decision, Floats, QueueState
from utilitysched.schedulers.list_scheduler import ListScheduler


def foresight_of(scheduler: Scheduler, seed: int = 0, *, replan: bool = False) -> Foresight:
    """Return who can tell what a scheduler will do.

    Parameters
    ----------
    scheduler : Scheduler
        About whom.
    seed : int
        Of what it draws.
    replan : bool
        Let the genetic scheduler search again at every event, as it really does, in place of
        following one plan: a hundred times as long.

    Raises
    ------
    InputError
        It preempts running jobs.
    """
    if scheduler.preempts:
        raise InputError(
            f"{scheduler.label} preempts running jobs, which a quote does not foresee",
            field="scheduler",
            remedy="name one that does not",
        )
    if scheduler.order_search is not None and not replan:
        return PlanFollowed(scheduler.order_search, seed)
    if scheduler.compiled is not None and not scheduler.keeps_reservations:
        return CompiledForesight(scheduler.compiled)
    return AskedForesight(scheduler, seed)


class CompiledForesight:
    """Orderings with placements that decide by the queue and the running jobs."""

    def __init__(self, scheduler: ListScheduler) -> None:
        self.scheduler = scheduler
        self.bids_matter = scheduler.bids_matter

    def futures(
        self,
        scenario: Scenario,
        runs: Floats,
        *,
        roughly: bool = False,  # noqa: ARG002 - there is no faster way
    ) -> Futures:
        """Play a scenario in the compiled event loop."""
        brought_to(scenario.snapshot, self.scheduler)
        loop = CompiledLoop(scenario, self.scheduler)
        policy = self.scheduler.policy(scenario.known, once=True)
        times = played(runs, lambda run: loop.play(run, policy))
        return Futures(scenario, runs, *times, partial(self._decided, scenario, runs, *times))

    def _decided(
        self, scenario: Scenario, runs: Floats, start: Floats, end: Floats, sample: int
    ) -> Decided:
        state, everybody = scenario.start_of_job(start[sample], end[sample])
        if self.scheduler.remembers:
            brought_to(scenario.snapshot, self.scheduler)
            ended = scenario.ended_until(end[sample], state.now)
            taught = replace(state, finished=ended, finished_run=runs[sample, ended])
            self.scheduler.decide(taught)
        return Decided(state, everybody, planner_of(self.scheduler))


class AskedForesight:
    """Any scheduler, asked at every event; it remembers no plan, and promises are made now."""

    def __init__(self, scheduler: Scheduler, seed: int) -> None:
        self.scheduler = scheduler
        self.seed = seed
        self.bids_matter = scheduler.bids_matter

    def futures(
        self,
        scenario: Scenario,
        runs: Floats,
        *,
        roughly: bool = False,  # noqa: ARG002 - there is no faster way
    ) -> Futures:
        """Play a scenario in the event loop for schedulers that decide in Python."""
        recorders: list[RecordingScheduler] = []

        def play(run: Floats) -> Times:
            state = brought_to(scenario.snapshot, self.scheduler, self.seed)
            recorders.append(RecordingScheduler(self.scheduler, scenario.job))
            promised = self.scheduler.keeps_reservations
            simulation = resumed(scenario, run, recorders[-1], promised=promised)
            simulation.finished = state.finished.tolist()
            simulation.finish(None)
            simulation.start[scenario.running] = scenario.begun
            return simulation.start, simulation.end

        times = played(runs, play)
        decided = [recorder.decided for recorder in recorders]
        return Futures(scenario, runs, *times, lambda sample: decided[sample](), thorough=True)


class RecordingScheduler(Wrapper):
    """A scheduler that decides as another does, and keeps what that knew when a job started."""

    def __init__(self, scheduler: Scheduler, job: int) -> None:
        super().__init__(scheduler)
        self.job = job
        self._plans = planner_of(scheduler)
        self._seen: Decided | None = None

    def decide(self, state: QueueState) -> Decision:
        """Return what the scheduler decides."""
        self._plans.deciding()
        decision = self.scheduler.decide(state)
        if self.job in decision.starts:
            everybody = len(decision.starts) == len(state.queued)
            self._seen = Decided(state, everybody, self._plans.fork())
        return decision

    def decided(self) -> Decided:
        """Return the pass in which the job started."""
        assert self._seen is not None, "every job starts"
        return self._seen
