"""`utilitysched ledger ...`."""

from pathlib import Path

import typer

from utilitysched.cli.options import JSON, argument, from_one, from_zero, option

EPILOG = """\b
Examples:
  utilitysched ledger init books.db
  utilitysched ledger endow books.db user:7 1000
  utilitysched bill runs/blue/ga --ledger books.db
  utilitysched ledger balance books.db
"""

app = typer.Typer(
    help="Keep accounts: endowments, holds, charges, refunds, by double entry.",
    epilog=EPILOG,
    no_args_is_help=True,
)

LEDGER = argument("LEDGER", "A file, or postgresql://USER@HOST/DATABASE.")
ACCOUNT_NAME = argument("ACCOUNT", "user:7, group:3 or project:NAME; opened if need be.")
AMOUNT = argument("AMOUNT", "In the ledger's unit.")
LIMIT_AMOUNT = argument("AMOUNT", "In the ledger's unit, or any.")
REFERENCE = argument("REFERENCE", "Of a job, as history shows it.")
DIRECTORY = argument("DIR", "Of one run, as simulate --out makes it.")
MONTH = option("--month YYYY-MM", "To which it belongs.", shown="the present one")
JOBS_MONTH = option(
    "--month YYYY-MM", "To which all belongs.", shown="each job's, by the log's clock"
)
MEMO = option("--memo TEXT", "A note.", "", shown=False)


@app.command("init")
def init(
    ledger: str = LEDGER,
    unit: str = option("--unit NAME", "What it counts.", "SU"),
    decimals: int = option("--decimals N", "Of the smallest amount; 0 to 12.", 6, parser=from_zero),
    payer: str = option("--payer KIND", "Who pays for jobs: user, group, project.", "user"),
    credit: str = option(
        "--credit AMOUNT", "How far below 0 accounts may go at first, or any.", "0"
    ),
    json: bool = JSON,
) -> None:
    """Make a ledger."""
    from utilitysched.cli.accounting import make_ledger

    make_ledger(ledger, (unit, decimals), payer, credit, json=json)


@app.command("endow")
def endow(
    ledger: str = LEDGER,
    account: str = ACCOUNT_NAME,
    amount: str = AMOUNT,
    month: str | None = MONTH,
    memo: str = MEMO,
    key: str | None = option("--key TEXT", "A second endowment with the same key changes nothing."),
    json: bool = JSON,
) -> None:
    """Give an account something to spend."""
    from utilitysched.cli.accounting import account_of, show_posted
    from utilitysched.market.payment import open_book

    with open_book(ledger) as book:
        whose = account_of(account)
        posted = book.endow(whose, amount, month=month, memo=memo, key=key)
        show_posted(book, posted, [whose], json=json)


@app.command("limit")
def limit(
    ledger: str = LEDGER, account: str = ACCOUNT_NAME, amount: str = LIMIT_AMOUNT, json: bool = JSON
) -> None:
    """Let an account go so far below 0."""
    from utilitysched.cli.accounting import account_of, limit_of, show_balances
    from utilitysched.market.payment import open_book

    with open_book(ledger) as book:
        whose = account_of(account)
        book.set_limit(whose, limit_of(amount))
        show_balances(book, [whose], json=json)


@app.command("assign")
def assign(
    ledger: str = LEDGER,
    member: str = argument("MEMBER", "user:7 or group:3."),
    account: str = ACCOUNT_NAME,
    json: bool = JSON,
) -> None:
    """Let an account pay for the jobs of a user or a group from now on."""
    from utilitysched.cli.accounting import account_of, show_balances
    from utilitysched.market.payment import open_book

    with open_book(ledger) as book:
        whose = account_of(account)
        book.assign(account_of(member), whose)
        show_balances(book, [whose], json=json)


@app.command("balance")
def balance(
    ledger: str = LEDGER,
    accounts: list[str] | None = argument("[ACCOUNT]...", "Default: all.", None),
    json: bool = JSON,
) -> None:
    """Show what accounts have."""
    from utilitysched.cli.accounting import account_of, show_balances
    from utilitysched.market.payment import open_book

    with open_book(ledger) as book:
        chosen = [account_of(name) for name in accounts] if accounts else None
        show_balances(book, chosen, json=json)


@app.command("hold")
def hold(
    ledger: str = LEDGER,
    account: str = ACCOUNT_NAME,
    amount: str = AMOUNT,
    reference: str = argument("REFERENCE", "Names the job from now on."),
    month: str | None = MONTH,
    json: bool = JSON,
) -> None:
    """Set aside what a job can cost at most, when it is submitted."""
    from utilitysched.cli.accounting import account_of, show_posted
    from utilitysched.market.payment import open_book

    with open_book(ledger) as book:
        whose = account_of(account)
        show_posted(book, book.hold(whose, amount, reference, month=month), [whose], json=json)


@app.command("hold-run")
def hold_run(
    ledger: str = LEDGER,
    directory: Path = DIRECTORY,
    mechanism: str = option("--mechanism NAME", "By which they will be charged.", "first-price"),
    cap: bool = option("--cap", "Charges will be cut to what jobs are worth.", False),
    rules: Path | None = option(
        "--rules FILE", "What the centre will make of the charges, as for bill."
    ),
    month: str | None = JOBS_MONTH,
    json: bool = JSON,
) -> None:
    """Set aside what each job of a run can cost at most."""
    from utilitysched.cli.accounting import show_posted
    from utilitysched.market.payment import open_book
    from utilitysched.runs.claims import Ceiling, claims_at_most

    with open_book(ledger) as book:
        priced = Ceiling(mechanism, cap, rules)
        claims = claims_at_most(directory, priced, book.money, month=month)
        show_posted(book, book.hold_run(claims, memo=f"{directory}, {mechanism}"), json=json)


@app.command("capture")
def capture(
    ledger: str = LEDGER,
    reference: str = REFERENCE,
    amount: str = AMOUNT,
    month: str | None = MONTH,
    json: bool = JSON,
) -> None:
    """Charge a job for which something is held; the rest of it is given back."""
    from utilitysched.cli.accounting import show_posted
    from utilitysched.market.payment import open_book

    with open_book(ledger) as book:
        show_posted(book, book.capture(reference, amount, month=month), json=json)


@app.command("post")
def post(
    ledger: str = LEDGER,
    directory: Path = DIRECTORY,
    month: str | None = JOBS_MONTH,
    json: bool = JSON,
) -> None:
    """Charge what the bill in DIR says; a second time changes nothing."""
    from utilitysched.cli.accounting import show_posted
    from utilitysched.market.payment import open_book
    from utilitysched.runs.claims import read_claims

    with open_book(ledger) as book:
        claims = read_claims(directory, book.money, month=month)
        show_posted(book, book.post(claims, memo=f"{directory}, {claims.mechanism}"), json=json)


@app.command("refund")
def refund(
    ledger: str = LEDGER,
    reference: str | None = argument("[REFERENCE]", "Of a job, as history shows it.", None),
    amount: str | None = argument("[AMOUNT]", "Default: the whole charge.", None),
    posting: int | None = option(
        "--posting N", "Undo this posting instead: a bill, holds, an endowment.", parser=from_one
    ),
    month: str | None = MONTH,
    memo: str = MEMO,
    json: bool = JSON,
) -> None:
    """Give back what a job was charged, or what is held for it."""
    from swfx import InputError
    from utilitysched.cli.accounting import show_posted
    from utilitysched.market.payment import open_book

    with open_book(ledger) as book:
        if (reference is None) == (posting is None):
            raise InputError("name either a job's REFERENCE or --posting N")
        if posting is not None:
            posted = book.undo(posting, month=month, memo=memo)
        else:
            posted = book.refund(str(reference), amount, month=month, memo=memo)
        show_posted(book, posted, json=json)


@app.command("close")
def close(
    ledger: str = LEDGER,
    month: str = argument("YYYY-MM", ""),
    json: bool = JSON,
) -> None:
    """Close a month and all before it: nothing can be posted into them."""
    from utilitysched.cli.accounting import show_closing
    from utilitysched.market.payment import open_book

    with open_book(ledger) as book:
        show_closing(book, book.close(month), json=json)


@app.command("verify")
def verify(ledger: str = LEDGER, json: bool = JSON) -> None:
    """Check all that a ledger promises, from its tables alone; exit code 2 if anything fails."""
    from utilitysched.cli.accounting import show_checks
    from utilitysched.market.payment import open_book

    with open_book(ledger) as book:
        show_checks(book, json=json)


@app.command("history")
def history(
    ledger: str = LEDGER,
    account: str | None = argument("[ACCOUNT]", "Default: all.", None),
    latest: int | None = option(
        "--latest N", "Only the last N entries.", parser=from_one, shown="all"
    ),
    json: bool = JSON,
) -> None:
    """Show entries, the oldest first."""
    from utilitysched.cli.accounting import show_history
    from utilitysched.market.payment import open_book

    with open_book(ledger) as book:
        show_history(book, account, latest, json=json)


@app.command("upgrade")
def upgrade(ledger: str = LEDGER, json: bool = JSON) -> None:
    """Bring a ledger of an earlier version up to date."""
    from utilitysched.cli.accounting import upgrade_ledger

    upgrade_ledger(ledger, json=json)
