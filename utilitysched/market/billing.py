"""Bills of runs, on the disk and in a ledger: all of it is possible, or nothing is done."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import pricing
from pricing.keys import check_kind, require_kind
from pricing.states import MACHINE_FAULTS, check_state
from swfx import InputError, Workload
from swfx.reading.notes import Echo
from swfx.reading.workload_source import WorkloadSource
from utilitysched.counterfactual.charges import REPLAYS_FILE, Counterfactuals
from utilitysched.engine.segments_log import waste_of
from utilitysched.engine.valued import AS_THEY_ARE
from utilitysched.market.savings import JobSaving, job_savings, require_playable
from utilitysched.runs.basis import basis_of, require_given
from utilitysched.runs.bill_csv import forget_reconciliation, write_reconciliation
from utilitysched.runs.plausibility import require_plausible
from utilitysched.runs.simulation import record_run
from utilitysched.runs.stored import StoredRun, read_run
from utilitysched.workers.executor import Executor
from utilitysched.workers.places import Workplace
from utilitysched_centre.payment import Payment, Reconciled, paying
from utilitysched_centre.rules import KINDS, Invoice, Rules, invoice, read_rules, write_invoice
from utilitysched_centre.rules.invoice import FINEST
from utilitysched_centre.rules.selection import strangers
from utilitysched_centre.rules.statements import ACCOUNT

BY_PAYER = ACCOUNT

MECHANISM = "first-price"
"""By which runs are billed if nobody says."""

MOST_STRANGERS = 5
"""Names of rules that no job has, and that are said."""


@dataclass(frozen=True)
class BillPlan:
    """What a bill is to be made of.

    Attributes
    ----------
    directory : Path
        Of the run.
    mechanism : str
        Name and options; default: `MECHANISM`, as far as the scheduler ranked by utility functions,
        else that by the reading at the end.
    exclude_statuses : collection of int
        Jobs of these SWF statuses pay nothing.
    exclude_states : collection of str, optional
        Nor do jobs that ended in these states. By default those of which the machine was at fault,
        unless rules decide that.
    cap : bool
        Charge no job more than it turned out to be worth.
    decimals : int, optional
        Of statements.
    rules : Rules, optional
        What the centre makes of the charges; no invoice without them.
    ledger, month : str, optional
        Whose accounts pay, and in which month all of it is entered.
    pages : tuple of Path
        Folders for invoices, which have to be there before anything is posted.
    by : str, optional
        Kind of statement that will be shown, which the log must have.
    drawn_values : bool
        What really happened may be charged by utility functions that were drawn.
    savings : int
        Jobs of which is asked what they would have been charged by other choices.
    kinds : sequence of str, optional
        Of statements that are written; default: all that the log has.
    """

    directory: Path
    mechanism: str = ""
    exclude_statuses: Collection[int] = ()
    exclude_states: Collection[str] | None = None
    cap: bool = False
    decimals: int | None = None
    rules: Rules | None = None
    ledger: str | None = None
    month: str | None = None
    pages: tuple[Path, ...] = ()
    by: str | None = None
    drawn_values: bool = False
    savings: int = 0
    kinds: Sequence[str] | None = None


class WrittenBill(NamedTuple):
    """A bill that is written.

    Attributes
    ----------
    charges : Charges
        What the mechanism asks.
    invoice : Invoice or None
        What the rules make of it.
    reconciled : Reconciled or None
        What the ledger says of it.
    document : Path
        statements.json.
    savings : list of JobSaving
        What other choices would have made of the most expensive jobs.
    """

    charges: pricing.Charges
    invoice: Invoice | None
    reconciled: Reconciled | None
    document: Path
    savings: Sequence[JobSaving] = ()


def rules_of_bill(
    rules: Path | None,
    pages: str,
    by: str | None,
    *,
    exempted: Collection[int | str],
    decimals: int | None,
) -> Rules | None:
    """Return the rules of a file, those that change nothing for invoices without, or none.

    `pages` is the option that asks for invoices, empty for none.

    Raises
    ------
    InputError
        The rules cannot be read, or another option says what they say.
    """
    if rules is None and not pages:
        if by:
            check_kind(by)
        return None
    option = "--rules" if rules else pages
    if exempted and rules:
        raise InputError(
            "--exclude-status and --exclude-state do not go with --rules",
            remedy="write failed = 0 below [status], TIMEOUT = 0 below [state] in the rules",
        )
    if decimals is not None:
        raise InputError(
            f"--decimals does not go with {option}", remedy="write decimals below [currency]"
        )
    if by:
        check_kind(by, KINDS)
    return read_rules(rules) if rules else Rules()


def run_to_bill(
    text: str, out: Path | None, procs: int | None, utilities: str | None, echo: Echo
) -> Path:
    """Return the folder of a run; that of a log's own schedule is written first.

    Parameters
    ----------
    text : str
        Folder of one run, or a log.
    out : Path, optional
        Where the schedule of a log is written; default: the log's name with ``-bill``.
    procs : int, optional
        Processors of the log's machine.
    utilities : str, optional
        What gives the jobs of a log their utility functions; default: the log.
    echo : callable
        Takes lines for people.

    Raises
    ------
    InputError
        The log cannot be billed, or one of `out`, `procs` and `utilities` is given for a run, which
        has its own.
    """
    if not Path(text).is_dir():
        where = out or Path(f"{_stem(text)}-bill")
        directory = record_run(
            WorkloadSource(text, procs=procs), where, echo, utilities=utilities or AS_THEY_ARE
        )
        echo(f"billing what {text} says of itself, in {directory}")
        return directory
    for option, given in (("--out", out), ("--procs", procs), ("--utilities", utilities)):
        if given is not None:
            raise InputError(
                f"{option} is for logs, {text} is a run", remedy="leave it out: a run has its own"
            )
    return Path(text)


def _stem(text: str) -> str:
    """Return the name of a log's file without format and suffixes."""
    name = Path(text.rpartition(":")[2]).name
    return name.partition(".")[0] or "log"


def replay_places(mechanism: str, place_of_work: Workplace, echo: Echo) -> Executor | None:
    """Return where the log is replayed for a mechanism; None if it asks for no replays.

    Raises
    ------
    InputError
        There is no such mechanism or place, or a place is named although nothing is replayed.
    """
    made = pricing.make_mechanism(mechanism or MECHANISM)
    if made.replays is not None:
        return place_of_work.executor(echo)
    if named := place_of_work.named:
        raise InputError(
            f"{made.label} replays nothing",
            field=named[0],
            remedy="leave it out, or charge by vcg:method=replay",
        )
    return None


def bill_run(
    plan: BillPlan,
    *,
    executor: Executor | None = None,
    echo: Echo = lambda _: None,
    on_progress: Callable[[float], None] = lambda _: None,
) -> WrittenBill:
    """Charge the jobs of a run, write the bill, post it to the ledger and reconcile it.

    The posting is complete when the files of the bill are, so that each is there without the other
    for a moment only, and the next call makes up for it. What tells of the ledger is written last.

    Parameters
    ----------
    plan : BillPlan
        What is wanted.
    executor : Executor, optional
        Where the log is replayed, see `replay_places`; this process if not given.
    echo : callable
        Takes lines for people.
    on_progress : callable
        Takes the share of jobs that counterfactuals are known of.

    Raises
    ------
    InputError
        The run cannot be read or charged so, or an account cannot pay: nothing is written then.
    """
    with paying(plan.ledger, plan.month) as payment:
        if payment:
            payment.require_counted(plan.rules)
        run = run_to_charge(plan.directory)
        if not plan.mechanism:
            plan = replace(plan, mechanism=_usual(run))
        charges = charges_of(plan, run, executor=executor, echo=echo, on_progress=on_progress)
        written = _written(plan, charges, payment, echo, on_progress)
        (plan.directory / REPLAYS_FILE).unlink(missing_ok=True)  # kept for a bill cut short
    return written


def _usual(run: StoredRun) -> str:
    """Return by what a run is charged if nobody says."""
    # most bills name a mechanism that needs no scheduler
    from utilitysched.counterfactual.readings import as_read_by  # noqa: PLC0415

    return as_read_by(str(run.record["simulation"]["scheduler"]), (MECHANISM,))[0]


def run_to_charge(directory: Path) -> StoredRun:
    """Read a run, and hold its schedule against its log.

    Raises
    ------
    InputError
        It cannot be read, or is no schedule of this log.
    """
    run = read_run(directory)
    require_plausible(run, directory)
    return run


def charges_of(
    plan: BillPlan,
    run: StoredRun,
    *,
    executor: Executor | None = None,
    echo: Echo = lambda _: None,
    on_progress: Callable[[float], None] = lambda _: None,
) -> pricing.Charges:
    """Charge the jobs of a run; nothing is written but replays, until the bill is complete.

    Parameters
    ----------
    plan, executor, echo, on_progress
        As for `bill_run`.
    run : StoredRun
        The run in the plan's directory; see `run_to_charge`.

    Raises
    ------
    InputError
        The run cannot be charged so.
    """
    if plan.by and (plan.rules is None or plan.by != BY_PAYER):
        require_kind(run.workload, plan.by)
    _note_statuses(plan.exclude_statuses, run.workload, echo)
    recorded = Counterfactuals.recorded(
        run.workload, run.start, run.record["simulation"], on_progress
    )
    if plan.savings:
        _require_pages(plan)
        require_playable(plan.mechanism, recorded)
    charges = pricing.charge(
        run.workload,
        run.start,
        run.end,
        plan.mechanism,
        exclude_statuses=plan.exclude_statuses,
        exclude_states=_states(plan),
        cap=plan.cap,
        counterfactual=replace(
            recorded,
            executor=executor,
            keep=plan.directory / REPLAYS_FILE,
            end=run.end,
            segments=run.segments,
        ),
        used=run.running_time,
        waste=waste_of(run.segments),
    )
    charges = replace(charges, basis=basis_of(run.workload, run.record))
    if not plan.drawn_values:
        require_given(charges, run.record)
    return charges


def _require_pages(plan: BillPlan) -> None:
    if not plan.pages:
        raise InputError("goes on invoices", field="--savings", remedy="add --html FOLDER")


def _states(plan: BillPlan) -> Collection[str]:
    """Return the states that let jobs off before any rule."""
    if plan.exclude_states is not None:
        return plan.exclude_states
    return MACHINE_FAULTS if plan.rules is None else ()


def states_let_off(names: Collection[str]) -> Collection[str] | None:
    """Return states beside those of which the machine was at fault; ``none`` alone: no state.

    Raises
    ------
    InputError
        There is no such state.
    """
    if not names:
        return None
    if list(names) == ["none"]:
        return ()
    return {*MACHINE_FAULTS, *map(check_state, names)}


def _written(
    plan: BillPlan,
    charges: pricing.Charges,
    payment: Payment | None,
    echo: Echo,
    on_progress: Callable[[float], None],
) -> WrittenBill:
    payers = payment.payers(charges.workload, plan.rules) if payment and plan.rules else None
    ruled = None if plan.rules is None else invoice_of(charges, plan.rules, payers, payment, echo)
    savings: list[JobSaving] = []
    if plan.savings and ruled:
        echo("asking what other choices would have cost")
        savings = job_savings(charges, ruled.payer, plan.savings, on_progress)
    memo = f"{plan.directory}, {plan.mechanism}"
    settling = payment.posting(charges, ruled, memo) if payment else nullcontext(None)
    with settling as settled:
        for folder in plan.pages:
            _make_folder(folder)
        files = write_bill(plan, charges, ruled)
        echo(f"wrote {', '.join(path.name for path in files)} in {plan.directory}")
    reconciled = None
    if settled:
        reconciled = settled.reconciled()
        path = write_reconciliation(plan.directory, reconciled.accounts, reconciled.money)
        echo(settled.line)
        echo(f"wrote {path.name} in {plan.directory}")
    return WrittenBill(charges, ruled, reconciled, files[-1], savings)


def invoice_of(
    charges: pricing.Charges,
    rules: Rules,
    payers: Sequence[str] | None,
    payment: Payment | None,
    echo: Echo = lambda _: None,
) -> Invoice:
    """Apply rules to charges of jobs with these payers; it is for a ledger to say, if there is one.

    Raises
    ------
    InputError
        A rule cannot be applied, or nobody pays for a job.
    """
    for stranger in islice(strangers(rules, charges.workload), MOST_STRANGERS):
        echo(f"rules: {stranger}")
    finest = payment.book.money.decimals if payment else FINEST
    return invoice(charges, rules, payer=payers, finest=finest)


def write_bill(plan: BillPlan, charges: pricing.Charges, ruled: Invoice | None) -> list[Path]:
    """Write the files of a bill, and return them; those of an earlier one are replaced.

    An invoice is written before the charges it is of, and removed after they are replaced.
    """
    forget_reconciliation(plan.directory)
    first = write_invoice(plan.directory, ruled) if ruled else []
    files = pricing.write_statements(plan.directory, charges, by=plan.kinds, decimals=plan.decimals)
    if not ruled:  # that of an earlier bill says nothing about the present charges
        for path in (*plan.directory.glob("invoice*.csv"), plan.directory / "invoice.json"):
            path.unlink(missing_ok=True)
    return first + files


def _note_statuses(statuses: Collection[int], workload: Workload, echo: Echo) -> None:
    """Say which statuses that are let off no job has."""
    missing = sorted(set(statuses) - set(workload.status.tolist()))
    if missing:
        echo(f"no job of this run has status {', '.join(map(str, missing))}: none is let off by it")


def _make_folder(path: Path) -> None:
    """Make a folder, so that what cannot be made is known before anything is posted."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"cannot be made: {reason}", source=str(path)) from error
