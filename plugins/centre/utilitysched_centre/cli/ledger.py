"""`utilitysched ledger ...`."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from types import ModuleType
from typing import Annotated

from swfx.base.document_values import made, whole
from swfx.base.typed import Typed
from utilitysched.cli.layout import CommandFamily, Commands
from utilitysched.cli.shared import Json
from utilitysched_centre.cli.days import day_of

EPILOG = """\b
Examples:
  utilitysched ledger init books.db
  utilitysched ledger endow books.db user:7 1000
  utilitysched invoice runs/blue/ga --ledger books.db
  utilitysched ledger balance books.db
  utilitysched ledger pay books.db 2026-10-0001
"""

app = Commands(
    cls=CommandFamily,
    help="Keep accounts: endowments, holds, charges, payments.",
    epilog=EPILOG,
)

Ledger = Annotated[str, Typed("LEDGER", text="A file, or postgresql://USER@HOST/DATABASE.")]
Account = Annotated[
    str,
    Typed("ACCOUNT", text="user:7, group:3, project:NAME or account:NAME; opened if need be."),
]
Amount = Annotated[str, Typed("AMOUNT", text="In the ledger's unit.")]
Month = Annotated[
    str | None,
    Typed("--month YYYY-MM", shown="the current month", text="Month to which it belongs."),
]
JobsMonth = Annotated[
    str | None,
    Typed(
        "--month YYYY-MM",
        shown="each job's, by the log's clock",
        text="Month to which everything belongs.",
    ),
]
Memo = Annotated[str, Typed("--memo TEXT", text="A note.")]
REFERENCE = "Reference of a job, as history shows it."


def _tables() -> ModuleType:
    """Return what prints of a ledger; imported late, for `--help` to answer at once."""
    from utilitysched_centre.report import accounts

    return accounts


@app.command("init", plugins=False)
def init(
    ledger: Ledger,
    unit: Annotated[str, Typed("--unit NAME")] = "SU",
    decimals: Annotated[int, whole(), Typed("--decimals N")] = 6,
    payer: Annotated[str, Typed("--payer KIND")] = "user",
    credit: Annotated[str, Typed("--credit AMOUNT")] = "0",
    *,
    keyed: Annotated[bool, Typed("--keyed")] = False,
    json: Json = False,
) -> None:
    """Make a ledger.

    Parameters
    ----------
    unit : str
        Unit of its amounts.
    decimals : int
        Decimals of the smallest amount, 0 to 12.
    payer : str
        Who pays for jobs: user, group, project, account.
    credit : str
        How far below 0 new accounts may go, or any.
    keyed : bool
        Seal postings with the key in UTILITYSCHED_LEDGER_KEY, or in @FILE that it names; everything
        that writes needs it.
    """
    tables = _tables()
    tables.make_ledger(ledger, tables.Money(unit, decimals), payer, credit, keyed=keyed, json=json)


@app.command("endow", plugins=False)
def endow(
    ledger: Ledger,
    account: Account,
    amount: Amount,
    month: Month = None,
    memo: Memo = "",
    key: Annotated[
        str | None,
        Typed("--key TEXT", text="A second endowment with the same key changes nothing."),
    ] = None,
    json: Json = False,
) -> None:
    """Endow an account: give it an amount to spend."""
    tables = _tables()
    with tables.opened(ledger, json=json) as shown:
        owner = tables.read_account(account)
        posted = shown.book.endow(owner, amount, month=month, memo=memo, key=key)
        shown.posted(posted, [owner])


@app.command("limit", plugins=False)
def limit(
    ledger: Ledger,
    account: Account,
    amount: Annotated[str, Typed("AMOUNT", text="In the ledger's unit, or any.")],
    json: Json = False,
) -> None:
    """Set how far below 0 an account may go."""
    tables = _tables()
    with tables.opened(ledger, json=json) as shown:
        owner = tables.read_account(account)
        shown.book.set_limit(owner, tables.limit_of(amount))
        shown.balances([owner])


@app.command("assign", plugins=False)
def assign(
    ledger: Ledger,
    member: Annotated[str, Typed("MEMBER", text="user:7 or group:3.")],
    account: Account,
    json: Json = False,
) -> None:
    """Choose the account that pays for a user's or group's jobs."""
    tables = _tables()
    with tables.opened(ledger, json=json) as shown:
        owner = tables.read_account(account)
        shown.book.assign(tables.read_account(member), owner)
        shown.balances([owner])


@app.command("balance", plugins=False)
def balance(
    ledger: Ledger,
    accounts: Annotated[Sequence[str], Typed("ACCOUNT...", text="Default: all.")] = (),
    json: Json = False,
) -> None:
    """Show the balances of accounts."""
    tables = _tables()
    with tables.opened(ledger, json=json) as shown:
        chosen = [tables.read_account(name) for name in accounts] if accounts else None
        shown.balances(chosen)


@app.command("hold", plugins=False)
def hold(
    ledger: Ledger,
    account: Account,
    amount: Amount,
    reference: Annotated[str, Typed("REFERENCE", text="Name of the job from now on.")],
    month: Month = None,
    json: Json = False,
) -> None:
    """Hold the highest cost of a job at its submission."""
    tables = _tables()
    with tables.opened(ledger, json=json) as shown:
        owner = tables.read_account(account)
        shown.posted(shown.book.hold(owner, amount, reference, month=month), [owner])


@app.command("hold-run")
def hold_run(
    ledger: Ledger,
    directory: Annotated[
        Path, Typed("DIR", text="Directory of one run, as simulate --out writes it.")
    ],
    mechanism: Annotated[str, Typed("--mechanism NAME")] = "first-price",
    *,
    cap: Annotated[bool, Typed("--cap")] = False,
    rules: Annotated[Path | None, Typed("--rules FILE")] = None,
    month: JobsMonth = None,
    json: Json = False,
) -> None:
    """Hold what each job of a run can cost at most.

    Parameters
    ----------
    mechanism : str
        Mechanism by which they will be charged.
    cap : bool
        Charges will be cut to what jobs are worth.
    rules : Path, optional
        What the centre will make of the charges, as for invoice.
    """
    from utilitysched_centre.ceiling import Ceiling, claims_at_most

    tables = _tables()
    with tables.opened(ledger, json=json) as shown:
        priced = Ceiling(mechanism, cap, rules)
        claims = claims_at_most(directory, priced, shown.book.money, month=month)
        shown.posted(shown.book.hold_run(claims, memo=f"{directory}, {mechanism}"))


@app.command("capture", plugins=False)
def capture(
    ledger: Ledger,
    reference: Annotated[str, Typed("REFERENCE", text=REFERENCE)],
    amount: Amount,
    month: Month = None,
    json: Json = False,
) -> None:
    """Charge a job from what is held for it; release the rest."""
    tables = _tables()
    with tables.opened(ledger, json=json) as shown:
        shown.posted(shown.book.capture(reference, amount, month=month))


@app.command("refund", plugins=False)
def refund(
    ledger: Ledger,
    reference: Annotated[str | None, Typed("REFERENCE", text=REFERENCE)] = None,
    amount: Annotated[str | None, Typed("AMOUNT", text="Default: the whole charge.")] = None,
    posting: Annotated[
        int | None,
        whole(1),
        Typed("--posting N", text="Undo this posting instead: a bill, holds, an endowment."),
    ] = None,
    month: Month = None,
    memo: Memo = "",
    json: Json = False,
) -> None:
    """Give back what a job was charged, or what is held for it."""
    from swfx import InputError

    tables = _tables()
    with tables.opened(ledger, json=json) as shown:
        if (reference is None) == (posting is None):
            raise InputError("name either a job's REFERENCE or --posting N")
        if posting is not None:
            posted = shown.book.undo(posting, month=month, memo=memo)
        else:
            posted = shown.book.refund(str(reference), amount, month=month, memo=memo)
        shown.posted(posted)


@app.command("pay", plugins=False)
def pay(
    ledger: Ledger,
    invoice: Annotated[str, Typed("INVOICE", text="Number of the invoice.")],
    amount: Annotated[
        str | None, Typed("--amount A", shown="all that is open", text="In the ledger's unit.")
    ] = None,
    on: Annotated[
        date | None,
        made(day_of),
        Typed("--on YYYY-MM-DD", shown="today", text="Day on which the money came in."),
    ] = None,
    *,
    back: Annotated[
        bool,
        Typed("--back", text="Money goes back: what was paid too much, or else what was paid."),
    ] = False,
    memo: Memo = "",
    key: Annotated[
        str | None,
        Typed("--key TEXT", text="A second payment with the same key changes nothing."),
    ] = None,
    json: Json = False,
) -> None:
    """Enter the payment of an invoice, or of a part; at most what is open."""
    tables = _tables()
    with tables.opened(ledger, json=json) as shown:
        posted = shown.book.pay(invoice, amount, on=on, memo=memo, back=back, key=key)
        shown.paid(posted, invoice)


@app.command("open-items", plugins=False)
def open_items(
    ledger: Ledger,
    on: Annotated[
        date | None,
        made(day_of),
        Typed("--on YYYY-MM-DD", shown="today", text="Day up to which ages are counted."),
    ] = None,
    json: Json = False,
) -> None:
    """List invoices that are not settled, the oldest first."""
    tables = _tables()
    with tables.opened(ledger, json=json) as shown:
        shown.open_items(on)


@app.command("statement", plugins=False)
def statement(
    ledger: Ledger,
    account: Account,
    year: Annotated[int | None, whole(1), Typed("--year YYYY", shown="the current year")] = None,
    json: Json = False,
) -> None:
    """Show an account over a year: balances, documents, payments, endowments."""
    tables = _tables()
    with tables.opened(ledger, json=json) as shown:
        shown.statement(tables.read_account(account), year)


@app.command("close", plugins=False)
def close(
    ledger: Ledger,
    month: Annotated[str, Typed("YYYY-MM")],
    json: Json = False,
) -> None:
    """Close a month and all before it to further entries."""
    tables = _tables()
    with tables.opened(ledger, json=json) as shown:
        shown.closing(shown.book.close(month))


@app.command("holds", plugins=False)
def holds(ledger: Ledger, json: Json = False) -> None:
    """List what is still held, the oldest first."""
    tables = _tables()
    with tables.opened(ledger, json=json) as shown:
        shown.holds()


@app.command("seal", plugins=False)
def seal(
    ledger: Ledger,
    to: Annotated[
        Path | None, Typed("--to FILE", text="Add it to a file, for verify --against.")
    ] = None,
    json: Json = False,
) -> None:
    """Show the last seal, to be kept out of the writers' reach."""
    tables = _tables()
    with tables.opened(ledger, json=json) as shown:
        shown.anchor(to)


@app.command("verify", plugins=False)
def verify(
    ledger: Ledger,
    against: Annotated[
        Path | None, Typed("--against FILE", text="Seals that were kept, as by seal --to.")
    ] = None,
    bills: Annotated[
        Sequence[Path],
        Typed(
            "--bill DIR",
            text="Run whose bill was posted: its jobs are to be as committed to; repeatable.",
        ),
    ] = (),
    documents: Annotated[
        Path | None,
        Typed("--documents DIR", text="Folder of bills: register and documents are compared."),
    ] = None,
    json: Json = False,
) -> None:
    """Check every entry and seal; exit code 2 if any fails."""
    tables = _tables()
    with tables.opened(ledger, json=json) as shown:
        shown.checks(against, bills, documents)


@app.command("history", plugins=False)
def history(
    ledger: Ledger,
    account: Annotated[str | None, Typed("ACCOUNT", text="Default: all.")] = None,
    latest: Annotated[
        int | None,
        whole(1),
        Typed("--latest N", shown="all", text="Only the last N entries."),
    ] = None,
    json: Json = False,
) -> None:
    """Show entries, the oldest first."""
    tables = _tables()
    with tables.opened(ledger, json=json) as shown:
        shown.history(account, latest)
