"""Counterfactuals of a schedule: what would have been without a job."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from pricing import Pivots, Replays
from pricing.counterfactual import JOBS, Duration, PivotRule, ReplayRule, players_of
from pricing.reader import WorkStarts
from swfx import InputError, Workload
from swfx.base.answer_file import AnswerFile
from swfx.base.numbers import span
from swfx.machine import Machine
from utilitysched.engine.conditions import FailureRecord
from utilitysched.model.schedule import recorded_classes, recorded_machine

if TYPE_CHECKING:
    from checkpoint.failures import Outages
    from utilitysched.counterfactual.inputs import SimulationInputs
    from utilitysched.counterfactual.readings import ScheduleReadings
    from utilitysched.engine.conditions import Failures
    from utilitysched.model.schedule import Schedule, SimulationOutcome
    from utilitysched.model.segments import Segments
    from utilitysched.workers.executor import Executor

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

REPLAYS_FILE = "vcg-replays.jsonl"
"""What is finished of a bill by replays, beside it until it is complete."""

LONGEST_SEARCH = 60.0
"""Seconds that one search for plans may take: a long queue has thousands of starts."""


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
    executor : Executor, optional
        Where the log is replayed; this process itself if not given. The bill is the same
        everywhere.
    keep : Path, optional
        A file for what is finished of a long bill, from which the next call goes on.
    dependencies : bool
        Jobs were submitted once those they depend on had ended: plans can be compared, but who
        would have come without a job is not defined.
    preemption : str, optional
        Rules by which running jobs could be preempted.
    failures : FailureRecord, optional
        Processors failed; the same ones do so at the same times without a job.
    end : (n,) float64, optional
        When each ended (s); the schedule made anew must have it so, where it is given.
    segments : Segments, optional
        The stretches in which jobs ran; each must have as many in the schedule made anew, likewise.
    machine : Machine, optional
        Pools, resources, limits and calendar.
    """

    workload: Workload
    start: Floats
    scheduler: str
    machine_size: int
    seed: int = 0
    classes: Mapping[int, int] | None = None
    on_progress: Callable[[float], None] | None = None
    executor: "Executor | None" = None
    keep: Path | None = None
    dependencies: bool = False
    preemption: str | None = None
    failures: FailureRecord | None = None
    end: Floats | None = None
    segments: "Segments | None" = None
    machine: Machine | None = None

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
        recorder = cls.recorded(workload, schedule.start, schedule.provenance, on_progress)
        failed = FailureRecord.of(schedule.provenance, failures)
        return replace(recorder, failures=failed, end=schedule.end, segments=schedule.segments)

    @classmethod
    def recorded(
        cls,
        workload: Workload,
        start: Floats,
        simulation: Mapping[str, object],
        on_progress: Callable[[float], None] | None = None,
    ) -> "Counterfactuals":
        """Return what would have been in a schedule with this provenance: `Schedule.provenance`."""
        return cls(
            workload,
            start,
            str(simulation["scheduler"]),
            int(str(simulation["machine_size"])),
            int(str(simulation["seed"])),
            recorded_classes(simulation),
            on_progress,
            dependencies="dependencies" in simulation,
            preemption=str(simulation["preemption"]) if "preemption" in simulation else None,
            failures=FailureRecord.of(simulation),
            machine=recorded_machine(simulation),
        )

    def pivots(
        self,
        duration: Duration = "requested",
        searches: int = 1,
        *,
        reservations: bool = False,
        players: str = JOBS,
    ) -> Pivots:
        """Simulate again and compare plans at each start.

        Raises
        ------
        InputError
            The scheduler no longer decides as it did, or a search for plans of a long queue would
            take more than `LONGEST_SEARCH`.
        """
        # most mechanisms ask for nothing: their bills are made without loading the engine
        from utilitysched.counterfactual.pivots import PivotRecorder, PoolRecorders  # noqa: PLC0415
        from utilitysched.schedulers.registry import make_scheduler  # noqa: PLC0415

        player = players_of(self.workload, players)
        inputs = self.inputs()
        arrivals, first = inputs.arrivals(), None
        recorder = PivotRecorder(
            make_scheduler(self.scheduler),
            PivotRule(duration, searches, reservations, players),
            arrivals.run,
            before_search=_require_short_search,
        )
        if inputs.rules is not None:
            first = inputs.simulation(arrivals, inputs.prepared())
            first.finish()
        recorder.prepare(inputs.setting)
        simulation = inputs.simulation(arrivals, recorder)
        recorders = PoolRecorders.of(simulation)
        recorders.begin(player[arrivals.order], first)
        simulation.finish(self.on_progress)
        self._check(simulation.outcome(), arrivals.order)
        return recorders.pivots(arrivals.order)

    def replays(self, rule: ReplayRule, jobs: Integers) -> Replays:
        """Replay the log from each job's submission on, with and without it.

        Raises
        ------
        InputError
            The scheduler no longer decides as it did, or cannot change its draws.
        """
        from utilitysched.counterfactual.replays import Question, replay_jobs  # noqa: PLC0415

        if self.dependencies:
            raise InputError(
                "whether a job comes that depends on one which never does is not defined",
                source="vcg",
                field="method",
                remedy="charge by plans (method=pivot), or simulate without `dependencies`",
            )
        inputs = self.inputs()
        arrivals = inputs.arrivals()
        self._check(inputs.outcome(arrivals), arrivals.order)
        question = Question(**vars(inputs), start=self.start, rule=rule)
        keeper = AnswerFile(self.keep) if self.keep else None
        return replay_jobs(question, jobs, self.executor, keeper, self.on_progress)

    def starts(self, jobs: Integers) -> WorkStarts:
        """Return the starts of these jobs; see `pricing.reader.CurveReader`.

        Raises
        ------
        InputError
            The scheduler does not rank by a reading of utility functions that it declares.
        """
        return self._readings.starts(jobs)

    def forecasts(self, jobs: Integers, at: Floats) -> Floats:
        """Return the durations at which the scheduler read the curves of starting jobs (s).

        From the schedule alone: nothing is simulated. See `pricing.reader.CurveReader`.

        Raises
        ------
        InputError
            It does not rank by a reading of utility functions that it declares.
        """
        return self._readings.forecasts(jobs, at)

    @cached_property
    def _readings(self) -> "ScheduleReadings":
        from utilitysched.counterfactual.readings import ScheduleReadings, reading_of  # noqa: PLC0415
        from utilitysched.schedulers.registry import make_scheduler  # noqa: PLC0415

        rule = reading_of(make_scheduler(self.scheduler), self.machine)
        if self.end is None:
            raise InputError("is not given", field="end", remedy="write Counterfactuals.of(...)")
        overhead = None
        if self.segments is not None:
            inputs = self.inputs()
            assert inputs.rules is not None
            overhead = inputs.rules.overheads(self.workload)
        times = self.start, self.end, self.machine_size
        return ScheduleReadings(self.workload, rule, *times, self.segments, overhead)

    def inputs(self) -> "SimulationInputs":
        """Return what the schedule is made from anew."""
        from utilitysched.counterfactual.inputs import SimulationInputs  # noqa: PLC0415

        return SimulationInputs(
            self.workload,
            self.scheduler,
            self.machine_size,
            self.seed,
            self.classes,
            self.preemption,
            self.failures.again(self.machine_size) if self.failures else None,
            self.dependencies,
            self.machine,
        )

    def _check(self, again: "SimulationOutcome", order: Integers) -> None:
        """Refuse to answer if the schedule made anew is another one.

        Parameters
        ----------
        again : SimulationOutcome
            What became of it.
        order : (n,) int64
            Position in the workload of each job in arrival order.
        """
        if self.failures:
            self.failures.check(again.outages)
        otherwise = self._otherwise(again, order)
        if otherwise is None:
            return
        raise InputError(
            f"{self.scheduler} no longer decides as it did: {otherwise}",
            remedy="simulate again with this version, then bill",
        )

    def _otherwise(self, again: "SimulationOutcome", order: Integers) -> str | None:
        """Say what the first job does that fares otherwise in the schedule made anew."""
        jobs = len(self.workload)
        start, end = np.empty((2, jobs))
        start[order], end[order] = again.start, again.end
        compared: list[tuple[Floats | Integers | None, Floats | Integers, str]] = [
            (self.start, start, "starts at another time"),
            (self.end, end, "ends at another time"),
        ]
        if self.segments is not None and again.segments is not None:
            ran, runs = (
                np.bincount(segments.job, minlength=jobs)
                for segments in (self.segments, again.segments)
            )
            compared.append((ran, runs, "is stopped more often, or less"))
        for before, now, difference in compared:
            if before is not None and not np.array_equal(before, now):
                return f"job {self.workload.job_name(np.argmax(before != now))} {difference}"
        return None


def _require_short_search(queued: int) -> None:
    """Refuse to search for plans of a long queue.

    Raises
    ------
    InputError
        One search would take more than `LONGEST_SEARCH`.
    """
    from utilitysched.counterfactual.plan_comparison import search_time  # noqa: PLC0415

    lasts = search_time(queued)
    if lasts > LONGEST_SEARCH:
        raise InputError(
            f"{queued:,} jobs are queued, and plans without one of them take about {span(lasts)}"
            " to search for at each start",
            source="vcg",
            remedy="charge by first-price or second-price, or simulate a scheduler that searches"
            " for no plans, such as index",
        )
