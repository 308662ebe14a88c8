"""Counterfactuals of a schedule: what would have been without a job."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from pricing import Pivots, Replays
from pricing.counterfactual import Duration, PivotRule, ReplayRule
from swfx import InputError, Workload
from utilitysched.engine.failure_record import FailureRecord

if TYPE_CHECKING:
    from checkpoint.failures import Outages
    from utilitysched.counterfactual.pivot import PivotRecorder
    from utilitysched.counterfactual.replays.blocks import Blocks
    from utilitysched.engine.failures import Failures
    from utilitysched.model.arrivals import Arrivals
    from utilitysched.model.schedule import Schedule
    from utilitysched.model.scheduler import Decider
    from utilitysched.model.segments import Segments

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

REPLAYS_FILE = "vcg-replays.jsonl"
"""What is finished of a bill by replays, beside it until it is complete."""


@dataclass(frozen=True, eq=False)
class Counterfactuals:
    """The scheduler asked again; see `pricing.Counterfactual`.

    Attributes
    ----------
    workload : Workload
        n jobs.
    start : (n,) float64
        When each started (s), on the log's clock.
    scheduler : str
        Text of the scheduler that decided so.
    machine_size : int
        Processors.
    seed : int
        Seed of its draws.
    classes : mapping of int to int, optional
        Priority class of each queue number, as it was given.
    on_progress : callable, optional
        Called now and then with the share of jobs done.
    blocks : callable, optional
        Where the log is replayed, as `replays.blocks` has it; this process itself if not given.
        The bill is the same everywhere.
    keep : Path, optional
        A file for what is finished of a long bill, from which the next call goes on.
    dependencies : bool
        Jobs were submitted once those they depend on had ended: plans can be compared, but who
        would have come without a job is not defined.
    preemption : str, optional
        Rules by which running jobs could be bumped.
    failures : FailureRecord, optional
        Processors failed; the same ones do so at the same times without a job.
    end : (n,) float64, optional
        When each ended (s); the schedule made anew must have it so, where it is given.
    segments : Segments, optional
        The stretches in which jobs ran; each must have as many in the schedule made anew, likewise.
    """

    workload: Workload
    start: Floats
    scheduler: str
    machine_size: int
    seed: int = 0
    classes: Mapping[int, int] | None = None
    on_progress: Callable[[float], None] | None = None
    blocks: "Blocks | None" = None
    keep: Path | None = None
    dependencies: bool = False
    preemption: str | None = None
    failures: FailureRecord | None = None
    end: Floats | None = None
    segments: "Segments | None" = None

    @classmethod
    def of(
        cls,
        workload: Workload,
        schedule: "Schedule",
        on_progress: Callable[[float], None] | None = None,
        failures: "Failures | Outages | None" = None,
    ) -> "Counterfactuals":
        """Return what would have been in a schedule that `simulate` made of the workload.

        `failures` are those given to `simulate`, needed unless they were given as a text.
        """
        asked = cls.recorded(workload, schedule.start, schedule.provenance, on_progress)
        failed = FailureRecord.of(schedule.provenance, failures)
        return replace(asked, failures=failed, end=schedule.end, segments=schedule.segments)

    @classmethod
    def recorded(
        cls,
        workload: Workload,
        start: Floats,
        simulation: Mapping[str, object],
        on_progress: Callable[[float], None] | None = None,
    ) -> "Counterfactuals":
        """Return what would have been in a schedule with this provenance: `Schedule.provenance`."""
        classes = simulation["classes"]
        return cls(
            workload,
            start,
            str(simulation["scheduler"]),
            int(str(simulation["machine_size"])),
            int(str(simulation["seed"])),
            {int(queue): int(rank) for queue, rank in classes.items()}
            if isinstance(classes, Mapping)
            else None,
            on_progress,
            dependencies="dependencies" in simulation,
            preemption=str(simulation["preemption"]) if "preemption" in simulation else None,
            failures=FailureRecord.of(simulation),
        )

    def pivots(
        self,
        duration: Duration = "requested",
        searches: int = 1,
        *,
        reservations: bool = False,
    ) -> Pivots:
        """Simulate again and compare plans at each start.

        Raises
        ------
        InputError
            The scheduler no longer decides as it did.
        """
        # most mechanisms ask for nothing: their bills are made without loading the engine
        from utilitysched.counterfactual.pivot import PivotRecorder  # noqa: PLC0415
        from utilitysched.model.arrivals import Arrivals  # noqa: PLC0415
        from utilitysched.schedulers.registry import make_scheduler  # noqa: PLC0415

        arrivals = Arrivals.of(self.workload, self.machine_size, self.classes)
        recorder = PivotRecorder(
            make_scheduler(self.scheduler),
            PivotRule(duration, searches, reservations),
            arrivals.run,
        )
        stops = recorder.preempts or self.preemption is not None or self.failures is not None
        if self.dependencies:
            return self._released_pivots(arrivals, recorder, stops=stops)
        if stops:
            return self._stopped_pivots(arrivals, recorder)
        self._again(recorder, None, self.on_progress)
        return recorder.pivots(arrivals.order)

    def _released_pivots(
        self, arrivals: "Arrivals", recorder: "PivotRecorder", *, stops: bool
    ) -> Pivots:
        """Compare plans of jobs that are there: who is still to be released is in none of them."""
        from swfx.dependencies import dependencies  # noqa: PLC0415
        from utilitysched.engine.simulation import Simulation  # noqa: PLC0415
        from utilitysched.model.scheduler import Setting  # noqa: PLC0415

        if stops:
            raise InputError(
                "plans are not compared where jobs depend on others and can be stopped, too",
                remedy="charge by another mechanism",
            )
        self._again(self.scheduler, None)
        recorder.prepare(Setting(self.machine_size, arrivals.longest_request, self.seed))
        released = dependencies(self.workload)
        simulation = Simulation(arrivals, recorder, dependencies=released)
        recorder.run = simulation.table.run  # it grows as jobs are released
        simulation.finish(self.on_progress)
        return recorder.pivots(arrivals.order[simulation.source.places])

    def _stopped_pivots(self, arrivals: "Arrivals", recorder: "PivotRecorder") -> Pivots:
        """Simulate twice: how long each start lasts is known before plans at it are compared."""
        from utilitysched.counterfactual.pivot import stopped_pivots  # noqa: PLC0415
        from utilitysched.engine.conditions import rules_for  # noqa: PLC0415
        from utilitysched.engine.simulation import Simulation  # noqa: PLC0415
        from utilitysched.engine.terms import StopTerms  # noqa: PLC0415
        from utilitysched.model.scheduler import Setting  # noqa: PLC0415

        failures = self._failures()
        segments = self._again(self.scheduler, failures).segments
        rules = rules_for(recorder, self.preemption, fails=failures is not None)
        assert rules is not None
        assert segments is not None, "jobs could be stopped"
        recorder.prepare(Setting(self.machine_size, arrivals.longest_request, self.seed))
        terms = StopTerms.of(self.workload, arrivals.order, rules)
        simulation = Simulation(arrivals, recorder, terms=terms, failures=failures)
        return stopped_pivots(simulation, recorder, arrivals.order, segments, self.on_progress)

    def replays(self, rule: ReplayRule, jobs: Integers) -> Replays:
        """Replay the log from each job's submission on, with and without it.

        Raises
        ------
        InputError
            The scheduler no longer decides as it did, or cannot change its draws.
        """
        from utilitysched.counterfactual.replays import Keeper, Question, replay_jobs  # noqa: PLC0415
        from utilitysched.counterfactual.replays.blocks import here  # noqa: PLC0415

        if self.dependencies:
            raise InputError(
                "whether a job comes that depends on one which never does is not defined",
                source="vcg",
                field="method",
                remedy="charge by plans (method=pivot), or simulate without --dependencies",
            )
        failures = self._failures()
        self._again(self.scheduler, failures)
        question = Question(
            self.workload,
            self.start,
            self.scheduler,
            self.machine_size,
            self.seed,
            self.classes,
            rule,
            self.preemption,
            failures,
        )
        keeper = Keeper(self.keep) if self.keep else None
        return replay_jobs(question, jobs, self.blocks or here, keeper, self.on_progress)

    def forget(self) -> None:
        """Remove what was kept for a bill that is complete now."""
        if self.keep:
            self.keep.unlink(missing_ok=True)

    def _failures(self) -> "Failures | None":
        return self.failures.again(self.machine_size) if self.failures else None

    def _again(
        self,
        scheduler: "str | Decider",
        failures: "Failures | None",
        on_progress: Callable[[float], None] | None = None,
    ) -> "Schedule":
        """Return the schedule made anew, if it is the same."""
        from utilitysched.engine.engine import simulate  # noqa: PLC0415

        again = simulate(
            self.workload,
            scheduler,
            machine_size=self.machine_size,
            classes=self.classes,
            seed=self.seed,
            on_progress=on_progress,
            dependencies=self.dependencies,
            preemption=self.preemption,
            failures=failures,
        )
        self._check(again)
        return again

    def _check(self, again: "Schedule") -> None:
        """Refuse to answer if the schedule made anew is another one."""
        if self.failures:
            self.failures.check(again.provenance)
        otherwise = self._otherwise(again)
        if otherwise is None:
            return
        raise InputError(
            f"{self.scheduler} no longer decides as it did: {otherwise}",
            remedy="simulate again with this version, then bill",
        )

    def _otherwise(self, again: "Schedule") -> str | None:
        """Say what the first job does that fares otherwise in the schedule made anew."""
        jobs = len(self.workload)
        compared: list[tuple[Floats | Integers | None, Floats | Integers, str]] = [
            (self.start, again.start, "starts at another time"),
            (self.end, again.end, "ends at another time"),
        ]
        if self.segments is not None and again.segments is not None:
            ran, runs = (
                np.bincount(segments.job, minlength=jobs)
                for segments in (self.segments, again.segments)
            )
            compared.append((ran, runs, "is stopped more often, or less"))
        for before, now, said in compared:
            if before is not None and not np.array_equal(before, now):
                return f"job {self.workload.job_id[int(np.argmax(before != now))]} {said}"
        return None
