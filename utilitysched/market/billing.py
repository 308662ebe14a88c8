"""Bills of runs and of logs: what each job is charged by a mechanism."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import pricing
from pricing.commitments import COMMITMENTS_FILE
from pricing.keys import check_kind, require_kind
from pricing.states import MACHINE_FAULTS, check_state
from pricing.weaknesses import BillConditions, weaknesses
from swfx import InputError
from swfx.base.columns import Ints
from swfx.base.numbers import CENTS
from swfx.reading.notes import Echo
from swfx.reading.workload_source import WorkloadSource
from utilitysched.counterfactual.charges import REPLAYS_FILE, Counterfactuals
from utilitysched.engine.segments_log import waste_of
from utilitysched.engine.valued import AS_THEY_ARE
from utilitysched.runs.basis import basis_of, require_given
from utilitysched.runs.commitments import NOBODY, require_committed, vouched_since
from utilitysched.runs.files import text_at
from utilitysched.runs.plausibility import require_plausible, require_single
from utilitysched.runs.recorded import record_run, recorded_run
from utilitysched.runs.records import BILLED_BY
from utilitysched.runs.stored import StoredRun, read_run
from utilitysched.runs.target import FROM_BILL, RECORD_FILE
from utilitysched.workers.executor import Executor
from utilitysched.workers.places import Workplace

MECHANISM = "first-price"
"""By which runs are billed if nobody says."""


@dataclass(frozen=True)
class BillPlan:
    """Mechanism of a bill, and the jobs that are let off.

    Attributes
    ----------
    mechanism : str
        Name and options; default: by which the run was simulated to be billed, else `MECHANISM`.
    exclude_statuses : collection of int
        Jobs of these SWF statuses pay nothing.
    exclude_states : collection of str
        Nor do jobs that ended in these states, by default those of which the machine was at fault.
    cap : bool
        Charge no job more than it turned out to be worth.
    by : str, optional
        Kind of statement that will be shown, which the log must have.
    drawn_values : bool
        What really happened may be charged by utility functions that were drawn.
    decimals : int
        To which each charge is rounded, once: what is printed anywhere is that, or a sum of it.
    """

    mechanism: str = ""
    exclude_statuses: Collection[int] = ()
    exclude_states: Collection[str] = MACHINE_FAULTS
    cap: bool = False
    by: str | None = None
    drawn_values: bool = False
    decimals: int = CENTS

    def __post_init__(self) -> None:
        if self.by:
            check_kind(self.by)


class Billable(NamedTuple):
    """A schedule that can be charged.

    Attributes
    ----------
    run : StoredRun
        The schedule, held against its log.
    directory : Path or None
        Folder of the run, where there is one.
    """

    run: StoredRun
    directory: Path | None = None


@dataclass(frozen=True)
class BillSource:
    """The run or the log that is billed.

    Attributes
    ----------
    text : str
        Folder of a run, or a log.
    out : Path, optional
        Where the schedule of a log is written as a run; default: nowhere.
    machine_size : int, optional
        Processors of the log's machine.
    utilities : str, optional
        What gives the jobs of a log their utility functions; default: the log.

    Raises
    ------
    InputError
        It is a run, and an option is given that only a log can have.
    """

    text: str
    out: Path | None = None
    machine_size: int | None = None
    utilities: str | None = None

    def __post_init__(self) -> None:
        if not Path(self.text).is_dir():
            return
        for name in ("out", "machine_size", "utilities"):
            if getattr(self, name) is not None:
                raise InputError(
                    f"`{name}` is for logs, {self.text} is a run",
                    remedy="leave it out: a run has its own",
                )

    def read(self, echo: Echo) -> Billable:
        """Read the schedule, written as a run where `out` names a folder.

        Raises
        ------
        InputError
            It cannot be read, does not say when its jobs ran, or has a job twice; or a run's
            schedule does not follow from its log.
        """
        if Path(self.text).is_dir():
            return Billable(run_to_charge(Path(self.text), echo), Path(self.text))
        log, utilities = (
            WorkloadSource(self.text, machine_size=self.machine_size),
            self.utilities or AS_THEY_ARE,
        )
        if self.out:
            directory = record_run(log, self.out, echo, utilities=utilities)
            echo(f"billing what {self.text} says of itself, in {directory}")
            run = run_to_charge(directory, echo)
            echo(f"{vouched_since(run, directory)}; publish the last line of {COMMITMENTS_FILE}")
            return Billable(run, directory)
        run = recorded_run(log, echo, utilities=utilities)
        require_single(run.workload, self.text)
        return Billable(run)


def run_to_charge(directory: Path, echo: Echo = lambda _: None) -> StoredRun:
    """Read a run, and hold its schedule against its log, and its log against the commitments.

    Raises
    ------
    InputError
        It cannot be read, is no schedule of this log, or the log is not the one committed to.
    """
    run = read_run(directory)
    require_plausible(run, directory)
    if require_committed(run, directory) is None:
        echo(NOBODY)
    return run


def usual_mechanism(source: str) -> str:
    """Return the mechanism of a run or a log if none is named; see `BillPlan`."""
    return text_at(Path(source) / RECORD_FILE, BILLED_BY) or MECHANISM


def replay_places(mechanism: str, place_of_work: Workplace, echo: Echo) -> Executor | None:
    """Return where the log is replayed for a mechanism; None if it asks for no replays.

    Raises
    ------
    InputError
        There is no such mechanism or place, or a place is named although nothing is replayed.
    """
    made = pricing.make_mechanism(mechanism)
    if made.replays is not None:
        return place_of_work.executor(echo)
    if named := place_of_work.named:
        raise InputError(
            f"{made.label} replays nothing",
            field=f"`{named[0]}`",
            remedy="leave it out, or charge by vcg:method=replay",
        )
    return None


def charges_of(
    plan: BillPlan,
    billed: Billable,
    *,
    executor: Executor | None = None,
    echo: Echo = lambda _: None,
    on_progress: Callable[[float], None] = lambda _: None,
) -> pricing.Charges:
    """Charge the jobs of a run; nothing is written but replays, until the bill is complete.

    Parameters
    ----------
    plan : BillPlan
        What is wanted.
    billed : Billable
        The schedule. In the folder of a run, replays are kept for a bill that is cut short.
    executor : Executor, optional
        Where the log is replayed, see `replay_places`; this process if not given.
    echo : callable
        Takes lines for people.
    on_progress : callable
        Takes the share of jobs that counterfactuals are known of.

    Raises
    ------
    InputError
        The run cannot be charged so.
    """
    run, directory = billed
    if plan.by:
        require_kind(run.workload, plan.by)
    _note_statuses(plan.exclude_statuses, run.status, echo)
    mechanism = pricing.make_mechanism(plan.mechanism or str(run.record.get(BILLED_BY, MECHANISM)))
    for note in mechanism.notes(run.workload):
        echo(f"{mechanism.name}: {note}")
    recorder = Counterfactuals.recorded(
        run.workload, run.start, run.record["simulation"], on_progress
    )
    charges = pricing.charge(
        run.workload,
        run.start,
        run.end,
        mechanism,
        exclude_statuses=plan.exclude_statuses,
        exclude_states=plan.exclude_states,
        cap=plan.cap,
        counterfactual=replace(
            recorder,
            executor=executor,
            keep=directory and directory / REPLAYS_FILE,
            end=run.end,
            segments=run.segments,
        ),
        used=run.running_time,
        waste=waste_of(run.segments),
        cut_short=run.cut_short,
        shared=run.shared,
    )
    charges = replace(
        charges,
        basis=basis_of(run.workload, run.record),
        weaknesses=weaknesses(_conditions(run, charges.mechanism, directory)),
        decimals=plan.decimals,
    )
    if not plan.drawn_values:
        require_given(charges, run.record)
    return charges


def _conditions(run: StoredRun, mechanism: str, directory: Path | None) -> BillConditions:
    """Return the conditions of a bill that decide which scenarios pay."""
    # most bills need no scheduler beyond this
    from utilitysched.schedulers.registry import make_scheduler  # noqa: PLC0415

    committed = directory is not None and (directory.parent / COMMITMENTS_FILE).exists()
    read_at, reserve = None, 0.0
    with suppress(InputError):  # the log's own schedule, or a scheduler that is not known here
        scheduler = make_scheduler(str(run.record["simulation"]["scheduler"]))
        read_at = None if scheduler.reading is None else scheduler.reading.duration
        reserve = float(str(scheduler.options.get("reserve", 0)))
    return BillConditions(pricing.make_mechanism(mechanism), read_at, reserve, committed)


def states_let_off(names: Collection[str]) -> Collection[str]:
    """Return states beside those of which the machine was at fault; ``none`` alone: no state.

    Raises
    ------
    InputError
        There is no such state.
    """
    if list(names) == ["none"]:
        return ()
    return {*MACHINE_FAULTS, *map(check_state, names)}


def write_bill(
    directory: Path,
    charges: pricing.Charges,
    *,
    kinds: Sequence[str] | None = None,
) -> list[Path]:
    """Write the files of a bill into the folder of its run, in place of those of an earlier one.

    Parameters
    ----------
    directory : Path
        Of the run.
    charges : Charges
        What each job is charged.
    kinds : sequence of str, optional
        Of statements; default: all that the log has.

    Returns
    -------
    list of Path
        The files, statements.json last.
    """
    files = pricing.write_statements(directory, charges, by=kinds)
    for pattern in FROM_BILL:  # what was made of an earlier bill says nothing of this one
        for path in directory.glob(pattern):
            path.unlink()
    (directory / REPLAYS_FILE).unlink(missing_ok=True)  # kept for a bill cut short
    return files


def _note_statuses(statuses: Collection[int], status: Ints, echo: Echo) -> None:
    """Say which statuses that are let off no job has."""
    missing = sorted(set(statuses) - set(status.tolist()))
    if missing:
        echo(f"no job of this run has status {', '.join(map(str, missing))}: none is let off by it")
