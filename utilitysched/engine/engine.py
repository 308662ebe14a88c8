"""Simulating a scheduler on a workload."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from checkpoint import PreemptionRules
from checkpoint.failures import Outages
from swfx import Workload
from swfx.dependencies import dependencies as dependencies_of
from swfx.eligibility import submitted_when_eligible
from utilitysched.engine.conditions import Failures, StopTerms, refuse_hopeless, rules_for
from utilitysched.engine.loops import given_machine, play, table_of
from utilitysched.engine.outages import Downtime
from utilitysched.engine.provenance import failed, ignored, of_simulation, ruled
from utilitysched.engine.recorded import conditions, recorded_outcome, refuse_changes
from utilitysched.kernels.compiling import working_time
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.schedule import Schedule
from utilitysched.model.scheduler import Decider, RecordedTimes, Scheduler, Setting, scheduler_of
from utilitysched.model.state import Floats, InfeasibleDecision, Integers
from utilitysched.schedulers.registry import make_scheduler

if TYPE_CHECKING:
    from swfx.machine import Machine
    from utilitysched.model.machine import HeldBack

_PLAYED = 0.6
"""Share of the time that what is played first takes."""


def simulate(  # noqa: PLR0913 - one keyword per choice
    workload: Workload,
    scheduler: str | Decider = "easy",
    *,
    machine_size: int | None = None,
    classes: Mapping[int, int] | None = None,
    seed: int = 0,
    on_progress: Callable[[float], None] | None = None,
    dependencies: bool = False,
    eligible: bool = True,
    preemption: PreemptionRules | str | None = None,
    failures: Failures | Outages | str | None = None,
    machine: "Machine | str | Path | None" = None,
) -> Schedule:
    """Simulate a scheduler on a workload.

    Events are completions and arrivals. At each distinct time all completions are processed,
    then all arrivals, then the scheduler makes one pass. A job is killed at its requested time.
    Orderings and placements run compiled; what decides in Python takes some hundred times as long.

    Parameters
    ----------
    workload : Workload
        Cleaned jobs.
    scheduler : str or object
        Name with options, as `make_scheduler` takes it, or any object with ``decide(state)``.
    machine_size : int, optional
        Processors of the machine; default: what the workload's header says.
    classes : mapping of int to int, optional
        Priority class of each queue number, 0 the most urgent; default: queues 0 to 5 are
        their own class, every other queue is in class 3.
    seed : int
        Seed of the scheduler's random draws.
    on_progress : callable, optional
        Called now and then with the share of jobs submitted so far.
    dependencies : bool
        Submit a job with a preceding job (SWF fields 17 and 18) only once that job has ended and
        the think time has passed, if this is later than the log says; see
        `swfx.dependencies.dependencies` for those ignored. `Schedule.release` says when. Waits,
        turnarounds and utilities count from there.
    eligible : bool
        Submit a job when it became eligible, if the log says that this was after its submission,
        by a begin time, a hold or a dependency; `Schedule.release` says when, as above. Where
        dependencies are simulated, a job that follows another depends on that one alone.
    preemption : PreemptionRules or str, optional
        Who can be preempted, and what a restart takes; as text, as `PreemptionRules.from_text`
        takes it. Default: `PreemptionRules()` for a scheduler with ``preempts = True``; for others,
        no job can be preempted. `Schedule.segments` says who was.
    failures : Failures or Outages or str, optional
        Processors that fail, as text as `checkpoint.failing_nodes.FailingNodes` takes it.
        A job whose processors fail goes on later from its last checkpoint, or from scratch if it
        takes none or shares nodes. Drawn from `seed`, unless it has a seed of its own.
    machine : Machine or str or Path, optional
        Pools, resources, limits, calendar and shares, or the path of a machine file; the machine's
        processors are those of all its pools.

    Returns
    -------
    Schedule
        Starts and ends on the log's clock, in workload order.

    Raises
    ------
    InputError
        Unknown scheduler or option, no machine size, a job that cannot run; failures of another
        machine, or that let a job never end; a machine file that cannot be read, or is of another
        log; a machine with a schedule that is settled.
    InfeasibleDecision
        The scheduler decided something that cannot be done.

    Examples
    --------
    >>> from swfx import Workload
    >>> jobs = Workload.from_columns(submit=[0, 1], run=[10, 5], processors=[4, 2])
    >>> simulate(jobs, "easy", machine_size=4).start.tolist()
    [0.0, 10.0]
    """
    # jobs and scheduler, ready for the first event
    begun = working_time()
    if not isinstance(workload, Workload):
        raise TypeError(
            f"simulate takes a Workload, not {type(workload).__name__}: "
            "open_workload(...).workload is one"
        )
    log = workload
    if eligible:
        workload = submitted_when_eligible(log, dependencies=dependencies)
    site = None if machine is None else given_machine(machine, workload.header)
    arrivals = Arrivals.of(workload, site.processors if site else machine_size, classes)
    chosen = make_scheduler(scheduler) if isinstance(scheduler, str) else scheduler_of(scheduler)
    table = table_of(site, chosen, arrivals, workload)
    size = arrivals.known.machine_size
    # what can happen to jobs besides: failures, stops, dependencies
    failing = Failures.of(failures, size, seed)
    downtime = None
    if failing is not None and chosen.meets_failures:
        downtime = Downtime(failing, size, arrivals.known.submit.tolist())
    setting = Setting(size, arrivals.longest_request, seed, downtime)
    chosen.prepare(setting)
    requeues = table is not None and bool(table.windows.requeue.any())
    stops = (failing is not None and downtime is None) or requeues
    rules = rules_for(chosen, preemption, fails=stops)
    links = dependencies_of(workload) if dependencies else None
    terms = StopTerms.of(workload, arrivals.order, rules) if rules is not None else None
    if failing is not None:
        scratch = np.full(len(workload), -1.0)
        refuse_hopeless(failing, arrivals, scratch if terms is None else terms.periodic)
    # a schedule that is settled takes no conditions
    if not chosen.decides:
        fixed = failing if downtime is None else None
        refuse_changes(
            chosen.label, dependencies=links, failures=fixed, preemption=rules, machine=site
        )
    # recorded, or played
    times = _recorded(workload, chosen, setting, on_progress)
    if times is not None:
        outcome = recorded_outcome(times, arrivals, downtime)
    else:
        outcome = play(
            arrivals,
            chosen,
            on_progress,
            dependencies=links,
            terms=terms,
            failures=failing,
            table=table,
            seed=seed,
        )
    release = None if workload is log else workload.submit
    if outcome.release is not None:
        release = _placed(outcome.release, arrivals.order)
    # the result in workload order, with all that repeats it
    start, end = (_placed(column, arrivals.order) for column in (outcome.start, outcome.end))
    _check_all_ended(workload, start, end)
    provenance = of_simulation(log, chosen, size, classes, seed)
    if times is not None:
        provenance |= conditions(times, outcome, arrivals.known)
    return Schedule(
        start,
        end,
        _placed(outcome.backfilled, arrivals.order),
        size,
        chosen.label,
        outcome.passes,
        provenance
        | ignored(links)
        | ruled(rules)
        | failed(failing, outcome.outages)
        | ({"machine": site.to_dict()} if site else {}),
        working_time() - begun,
        chosen.starvation_threshold,
        release,
        outcome.segments,
        outcome.deciding,
        None if times is None else times.processors,
        None if times is None else times.killed,
        _placed_held(outcome.held, arrivals.order),
    )


def _placed_held(held: "HeldBack | None", order: Integers) -> "HeldBack | None":
    """Return in workload order for how long each job waited for a limit or a window."""
    return held and type(held)(*(_placed(column, order) for column in held))


def _recorded(
    workload: Workload,
    chosen: Scheduler,
    setting: Setting,
    on_progress: Callable[[float], None] | None,
) -> RecordedTimes | None:
    """Return when jobs ran, where nothing is decided; what is to be played first is played."""
    ahead = chosen.played_first(workload)
    if ahead is None:
        return chosen.recorded(workload, on_progress)
    watch = on_progress or (lambda _: None)
    jobs, scheduler = ahead
    played = simulate(
        jobs,
        scheduler,
        machine_size=setting.machine_size,
        seed=setting.seed,
        on_progress=lambda share: watch(_PLAYED * share),
    )
    chosen.begin_from(played.start)
    return chosen.recorded(workload, lambda share: watch(_PLAYED + (1 - _PLAYED) * share))


def _check_all_ended(workload: Workload, start: Floats, end: Floats) -> None:
    """Refuse a schedule that leaves jobs in the queue of an idle machine for ever."""
    left = np.flatnonzero(np.isnan(end))
    if len(left):
        first = left[0]
        started = "started" if np.isnan(start[first]) else "started again"
        raise InfeasibleDecision(
            f"{len(left)} jobs are never {started}, the first is job {workload.job_name(first)}:"
            " the scheduler must start jobs, or ask to be woken, while the machine is idle"
        )


def _placed(column: NDArray[Any], order: Integers) -> NDArray[Any]:
    """Return a column given in arrival order in workload order."""
    placed = np.empty_like(column)
    placed[order] = column
    return placed
