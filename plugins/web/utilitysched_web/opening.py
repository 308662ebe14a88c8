"""Preparation of a server: a run with its bill, and accounts that pay it."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import numpy as np

from pricing.months import months
from swfx import InputError
from swfx.clock import clock_of
from swfx.reading.notes import Echo
from swfx.reading.workload_source import WorkloadSource
from utilitysched.market.billing import Billable, BillPlan, charges_of, run_to_charge, write_bill
from utilitysched.runs.bill_csv import CHARGES_FILE
from utilitysched.runs.files import text_at
from utilitysched.runs.recorded import record_run
from utilitysched.runs.target import RECORD_FILE
from utilitysched.schedulers.recorded import FAMILY as RECORDED
from utilitysched_centre.accounts import Money, Terms, create
from utilitysched_centre.accounts.account import Account
from utilitysched_centre.payment import open_book, paying, write_reconciliation
from utilitysched_web.site import LEDGER_FILE, Site

SAMPLE = "sample:"
RUN_FOLDER = "run"
SAMPLE_BUDGET = 1.25
"""Users of the sample have been given so much of what they were charged: something is left."""


def open_site(text: str, state: Path, ledger: str, echo: Echo) -> Site:
    """Return what a server shows of a run or a log, made ready.

    A log is shown as it says that its jobs ran. Without a ledger one is made in `state`; users of
    the packaged sample have something to spend in it, and have paid.

    Parameters
    ----------
    text : str
        Directory of a run, or a log.
    state : Path
        Folder for what is written; made if need be.
    ledger : str
        A file, or the address of a database; empty for a file in `state`.
    echo : callable
        Takes lines for people.

    Raises
    ------
    InputError
        There is no such run or ledger, or the folder cannot be written.
    """
    _make(state)
    run = _run(text, state / RUN_FOLDER, echo)
    own = not ledger
    ledger = ledger or str(state / LEDGER_FILE)
    if own and not Path(ledger).exists():
        create(ledger, Terms(Money("SU", 6), "user", None))
        if text == SAMPLE:
            _endow(run, ledger)
    if run.is_relative_to(state) and not (run / CHARGES_FILE).exists():
        payer = ledger if own and text == SAMPLE else None
        _bill(run, payer)
    with open_book(ledger):
        return Site(run, state, ledger)


def _make(state: Path) -> None:
    """Make a folder for its owner only; files of a server before, which others may read, too."""
    run = state / RUN_FOLDER
    try:
        state.mkdir(mode=0o700, parents=True, exist_ok=True)
        state.chmod(0o700)
        for path in (run, *state.glob("*.db*"), *state.glob("*.json*"), *run.rglob("*")):
            if path.exists() and not path.is_symlink():
                path.chmod(path.stat().st_mode & 0o700)
    except OSError as error:
        raise InputError(
            f"cannot be made: {error.strerror}", source=str(state), remedy="name another --state"
        ) from error


def _run(text: str, folder: Path, echo: Echo) -> Path:
    """Return the directory of a run: it is one, or holds a log's own schedule from now on."""
    if Path(text).is_dir():
        return Path(text)
    kept = folder / RECORDED
    source = text_at(kept / RECORD_FILE, "workload", "source")
    if source is None:
        return record_run(WorkloadSource(text), folder, echo)
    if source != text:
        raise InputError(
            f"holds what was kept of {source}", source=str(folder.parent), remedy="another --state"
        )
    return kept


def _bill(run: Path, ledger: str | None) -> None:
    """Bill a run, and let the accounts of a ledger pay, if one is named."""
    charges = charges_of(BillPlan(drawn_values=True), Billable(run_to_charge(run), run))
    with paying(ledger, None) as payment:
        memo = f"{run}, {charges.mechanism}"
        with payment.posting(charges, memo) if payment else nullcontext(None) as settled:
            write_bill(run, charges, kinds=())
        if settled:
            write_reconciliation(run, settled.reconciled())


def _endow(run: Path, ledger: str) -> None:
    """Give each user of a run something to spend: more than they will be charged."""
    charges = charges_of(BillPlan(drawn_values=True), Billable(run_to_charge(run), run))
    users, place = np.unique(charges.workload.user, return_inverse=True)
    owed = np.maximum(np.bincount(place, charges.charge), 1.0)
    given = np.ceil(SAMPLE_BUDGET * owed).astype(int).tolist()
    owners = [Account("user", str(user)) for user in users.tolist()]
    clock = clock_of(charges.workload.header)
    (month,) = months(np.array([charges.outcome.end.min()]), clock).tolist()
    with open_book(ledger) as book:
        book.endow_all(dict(zip(owners, given, strict=True)), month=month, memo="sample")
