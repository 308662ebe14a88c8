"""`utilitysched ledger ...`."""

from pathlib import Path
from types import ModuleType

from utilitysched.cli import shared
from utilitysched.cli.layout import CommandFamily, Commands
from utilitysched.cli.options import argument, from_one, from_zero, option

EPILOG = """\b
Examples:
  utilitysched ledger init books.db
  utilitysched ledger endow books.db user:7 1000
  utilitysched bill runs/blue/ga --ledger books.db
  utilitysched ledger balance books.db
"""

app = Commands(
    cls=CommandFamily,
    help="Keep accounts: endowments, holds, charges, refunds.",
    epilog=EPILOG,
)

LEDGER = argument("LEDGER", "A file, or postgresql://USER@HOST/DATABASE.")
ACCOUNT_NAME = argument(
    "ACCOUNT", "user:7, group:3, project:NAME or account:NAME; opened if need be."
)
AMOUNT = argument("AMOUNT", "In the ledger's unit.")
LIMIT_AMOUNT = argument("AMOUNT", "In the ledger's unit, or any.")
REFERENCE = argument("REFERENCE", "Reference of a job, as history shows it.")
DIRECTORY = argument("DIR", "Directory of one run, as simulate --out writes it.")
MONTH = option("--month YYYY-MM", "Month to which it belongs.", shown="the current month")
JOBS_MONTH = option(
    "--month YYYY-MM", "Month to which everything belongs.", shown="each job's, by the log's clock"
)
MEMO = option("--memo TEXT", "A note.", "", shown=False)


def _tables() -> ModuleType:
    """Return what prints of a ledger; imported late, for `--help` to answer at once."""
    from utilitysched_centre.report import accounts

    return accounts


@app.command("init", plugins=False)
def init(
    ledger: str = LEDGER,
    unit: str = option("--unit NAME", "Unit of its amounts.", "SU"),
    decimals: int = option(
        "--decimals N", "Decimals of the smallest amount, 0 to 12.", 6, parser=from_zero
    ),
    payer: str = option(
        "--payer KIND", "Who pays for jobs: user, group, project, account.", "user"
    ),
    credit: str = option("--credit AMOUNT", "How far below 0 new accounts may go, or any.", "0"),
    keyed: bool = option(
        "--keyed",
        "Seal postings with the key in UTILITYSCHED_LEDGER_KEY, or in @FILE that it names; "
        "everything that writes needs it.",
        False,
    ),
    json: bool = shared.JSON,
) -> None:
    """Make a ledger."""
    tables = _tables()
    tables.make_ledger(ledger, tables.Money(unit, decimals), payer, credit, keyed=keyed, json=json)


@app.command("endow", plugins=False)
def endow(
    ledger: str = LEDGER,
    account: str = ACCOUNT_NAME,
    amount: str = AMOUNT,
    month: str | None = MONTH,
    memo: str = MEMO,
    key: str | None = option("--key TEXT", "A second endowment with the same key changes nothing."),
    json: bool = shared.JSON,
) -> None:
    """Endow an account: give it an amount to spend."""
    tables = _tables()
    with tables.opened(ledger, json=json) as shown:
        whose = tables.read_account(account)
        posted = shown.book.endow(whose, amount, month=month, memo=memo, key=key)
        shown.posted(posted, [whose])


@app.command("limit", plugins=False)
def limit(
    ledger: str = LEDGER,
    account: str = ACCOUNT_NAME,
    amount: str = LIMIT_AMOUNT,
    json: bool = shared.JSON,
) -> None:
    """Set how far below 0 an account may go."""
    tables = _tables()
    with tables.opened(ledger, json=json) as shown:
        whose = tables.read_account(account)
        shown.book.set_limit(whose, tables.limit_of(amount))
        shown.balances([whose])


@app.command("assign", plugins=False)
def assign(
    ledger: str = LEDGER,
    member: str = argument("MEMBER", "user:7 or group:3."),
    account: str = ACCOUNT_NAME,
    json: bool = shared.JSON,
) -> None:
    """Choose the account that pays for a user's or group's jobs."""
    tables = _tables()
    with tables.opened(ledger, json=json) as shown:
        whose = tables.read_account(account)
        shown.book.assign(tables.read_account(member), whose)
        shown.balances([whose])


@app.command("balance", plugins=False)
def balance(
    ledger: str = LEDGER,
    accounts: list[str] | None = argument("[ACCOUNT]...", "Default: all.", None),
    json: bool = shared.JSON,
) -> None:
    """Show what accounts have."""
    tables = _tables()
    with tables.opened(ledger, json=json) as shown:
        chosen = [tables.read_account(name) for name in accounts] if accounts else None
        shown.balances(chosen)


@app.command("hold", plugins=False)
def hold(
    ledger: str = LEDGER,
    account: str = ACCOUNT_NAME,
    amount: str = AMOUNT,
    reference: str = argument("REFERENCE", "Name of the job from now on."),
    month: str | None = MONTH,
    json: bool = shared.JSON,
) -> None:
    """Hold what a job can cost at most, when it is submitted."""
    tables = _tables()
    with tables.opened(ledger, json=json) as shown:
        whose = tables.read_account(account)
        shown.posted(shown.book.hold(whose, amount, reference, month=month), [whose])


@app.command("capture", plugins=False)
def capture(
    ledger: str = LEDGER,
    reference: str = REFERENCE,
    amount: str = AMOUNT,
    month: str | None = MONTH,
    json: bool = shared.JSON,
) -> None:
    """Charge a job from what is held for it; release the rest."""
    tables = _tables()
    with tables.opened(ledger, json=json) as shown:
        shown.posted(shown.book.capture(reference, amount, month=month))


@app.command("post")
def post(
    ledger: str = LEDGER,
    directory: Path = DIRECTORY,
    rules: Path | None = option("--rules FILE", "By which the invoice in DIR was made, if any."),
    month: str | None = JOBS_MONTH,
    json: bool = shared.JSON,
) -> None:
    """Bill a run anew, and charge the accounts, each job once."""
    from utilitysched_centre.claims import read_claims

    tables = _tables()
    with tables.opened(ledger, json=json) as shown:
        claims = read_claims(directory, shown.book, rules=rules, month=month)
        shown.posted(shown.book.post(claims, memo=f"{directory}, {claims.mechanism}"))


@app.command("refund", plugins=False)
def refund(
    ledger: str = LEDGER,
    reference: str | None = argument(
        "[REFERENCE]", "Reference of a job, as history shows it.", None
    ),
    amount: str | None = argument("[AMOUNT]", "Default: the whole charge.", None),
    posting: int | None = option(
        "--posting N", "Undo this posting instead: a bill, holds, an endowment.", parser=from_one
    ),
    month: str | None = MONTH,
    memo: str = MEMO,
    json: bool = shared.JSON,
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


@app.command("close", plugins=False)
def close(
    ledger: str = LEDGER,
    month: str = argument("YYYY-MM", ""),
    json: bool = shared.JSON,
) -> None:
    """Close a month and all before it to further entries."""
    tables = _tables()
    with tables.opened(ledger, json=json) as shown:
        shown.closing(shown.book.close(month))


@app.command("holds", plugins=False)
def holds(ledger: str = LEDGER, json: bool = shared.JSON) -> None:
    """List what is still held, the oldest first."""
    tables = _tables()
    with tables.opened(ledger, json=json) as shown:
        shown.holds()


@app.command("seal", plugins=False)
def seal(
    ledger: str = LEDGER,
    to: Path | None = option("--to FILE", "Add it to a file, for verify --against."),
    json: bool = shared.JSON,
) -> None:
    """Show the last seal, to be kept out of the writers' reach."""
    tables = _tables()
    with tables.opened(ledger, json=json) as shown:
        shown.anchor(to)


@app.command("verify", plugins=False)
def verify(
    ledger: str = LEDGER,
    against: Path | None = option("--against FILE", "Seals that were kept, as by seal --to."),
    json: bool = shared.JSON,
) -> None:
    """Check every entry and seal; exit code 2 if any fails."""
    tables = _tables()
    with tables.opened(ledger, json=json) as shown:
        shown.checks(against)


@app.command("history", plugins=False)
def history(
    ledger: str = LEDGER,
    account: str | None = argument("[ACCOUNT]", "Default: all.", None),
    latest: int | None = option(
        "--latest N", "Only the last N entries.", parser=from_one, shown="all"
    ),
    json: bool = shared.JSON,
) -> None:
    """Show entries, the oldest first."""
    tables = _tables()
    with tables.opened(ledger, json=json) as shown:
        shown.history(account, latest)
