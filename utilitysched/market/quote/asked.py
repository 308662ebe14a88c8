"""Schedulers that are asked at every event."""

from utilitysched.engine.rollout import planner_of
from utilitysched.exact.planned import brought_to
from utilitysched.market.quote.courses import played
from utilitysched.market.quote.futures import Decided, Futures
from utilitysched.market.quote.resumed import resumed
from utilitysched.market.quote.scene import Scene
from utilitysched.model.plans import Planner
from utilitysched.model.scheduler import Scheduler, Wrapper
from utilitysched.model.state import Decision, Floats, QueueState


class Asked:
    """Any scheduler, asked at every event; it remembers no plan, and promises are made now."""

    bids_matter = True

    def __init__(self, scheduler: Scheduler, seed: int) -> None:
        self.scheduler = scheduler
        self.seed = seed

    def futures(
        self,
        scene: Scene,
        runs: Floats,
        *,
        roughly: bool = False,  # noqa: ARG002 - there is no faster way
    ) -> Futures:
        """Play a scene in the event loop for schedulers that decide in Python."""
        witnesses: list[Witness] = []

        def play(_: int, run: Floats) -> tuple[Floats, Floats]:
            state = brought_to(scene.snapshot, self.scheduler, self.seed)
            witness = Witness(self.scheduler, scene.job)
            witnesses.append(witness)
            simulation = resumed(scene, run, witness, promised=self.scheduler.keeps_reservations)
            simulation.finished = state.finished.tolist()
            simulation.finish(None)
            simulation.start[scene.running] = scene.begun
            return simulation.start, simulation.end

        start, end = played(runs, play)
        decided = [witness.decided for witness in witnesses]
        return Futures(scene, runs, start, end, lambda sample: decided[sample](), thorough=True)


class Witness(Wrapper):
    """A scheduler that decides as another does, and keeps what that knew when a job started."""

    def __init__(self, scheduler: Scheduler, job: int) -> None:
        super().__init__(scheduler)
        self.job = job
        self._planner = planner_of(scheduler)
        self._seen: tuple[QueueState, bool, Planner] | None = None

    def decide(self, state: QueueState) -> Decision:
        """Return what the scheduler decides."""
        self._planner.deciding()
        decision = self.scheduler.decide(state)
        if self.job in decision.starts:
            everybody = len(decision.starts) == len(state.queued)
            self._seen = state, everybody, self._planner.fork()
        return decision

    def decided(self) -> Decided:
        """Return the pass in which the job started."""
        assert self._seen is not None, "every job starts"
        return Decided(*self._seen)
