"""`utilitysched ledger ...`."""

from pathlib import Path
from typing import Annotated

import typer

from utilitysched.cli.options import Json, from_one, from_zero

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

Ledger = Annotated[
    str,
    typer.Argument(
        metavar="LEDGER",
        help="A file, or postgresql://USER@HOST/DATABASE.",
        show_default=False,
    ),
]
AccountName = Annotated[
    str,
    typer.Argument(
        metavar="ACCOUNT",
        help="user:7, group:3 or project:NAME; opened if need be.",
        show_default=False,
    ),
]
Amount = Annotated[
    str, typer.Argument(metavar="AMOUNT", help="In the ledger's unit.", show_default=False)
]
LimitAmount = Annotated[
    str,
    typer.Argument(metavar="AMOUNT", help="In the ledger's unit, or any.", show_default=False),
]
Reference = Annotated[
    str,
    typer.Argument(metavar="REFERENCE", help="Of a job, as history shows it.", show_default=False),
]
Directory = Annotated[
    Path,
    typer.Argument(
        metavar="DIR", help="Of one run, as simulate --out makes it.", show_default=False
    ),
]
Month = Annotated[
    str | None,
    typer.Option(
        "--month",
        metavar="YYYY-MM",
        help="To which it belongs.",
        show_default="the present one",
    ),
]
JobsMonth = Annotated[
    str | None,
    typer.Option(
        "--month",
        metavar="YYYY-MM",
        help="To which all belongs.",
        show_default="each job's, by the log's clock",
    ),
]
Memo = Annotated[str, typer.Option("--memo", metavar="TEXT", help="A note.", show_default=False)]


@app.command("init")
def init(
    ledger: Ledger,
    unit: Annotated[str, typer.Option("--unit", metavar="NAME", help="What it counts.")] = "SU",
    decimals: Annotated[
        int,
        typer.Option(
            "--decimals",
            metavar="N",
            parser=from_zero,
            help="Of the smallest amount; 0 to 12.",
        ),
    ] = 6,
    payer: Annotated[
        str,
        typer.Option("--payer", metavar="KIND", help="Who pays for jobs: user, group, project."),
    ] = "user",
    credit: Annotated[
        str,
        typer.Option(
            "--credit", metavar="AMOUNT", help="How far below 0 accounts may go at first, or any."
        ),
    ] = "0",
    json: Json = False,
) -> None:
    """Make a ledger."""
    from utilitysched.cli.accounting import make_ledger

    make_ledger(ledger, (unit, decimals), payer, credit, json=json)


@app.command("endow")
def endow(
    ledger: Ledger,
    account: AccountName,
    amount: Amount,
    month: Month = None,
    memo: Memo = "",
    key: Annotated[
        str | None,
        typer.Option(
            "--key",
            metavar="TEXT",
            help="A second endowment with the same key changes nothing.",
            show_default=False,
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Give an account something to spend."""
    from utilitysched.cli.accounting import account_of, show_posted
    from utilitysched.market.payment import open_book

    with open_book(ledger) as book:
        whose = account_of(account)
        posted = book.endow(whose, amount, month=month, memo=memo, key=key)
        show_posted(book, posted, [whose], json=json)


@app.command("limit")
def limit(ledger: Ledger, account: AccountName, amount: LimitAmount, json: Json = False) -> None:
    """Let an account go so far below 0."""
    from utilitysched.cli.accounting import account_of, limit_of, show_balances
    from utilitysched.market.payment import open_book

    with open_book(ledger) as book:
        whose = account_of(account)
        book.set_limit(whose, limit_of(amount))
        show_balances(book, [whose], json=json)


@app.command("assign")
def assign(
    ledger: Ledger,
    member: Annotated[
        str,
        typer.Argument(metavar="MEMBER", help="user:7 or group:3.", show_default=False),
    ],
    account: AccountName,
    json: Json = False,
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
    ledger: Ledger,
    accounts: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ACCOUNT]...", help="Default: all.", show_default=False),
    ] = None,
    json: Json = False,
) -> None:
    """Show what accounts have."""
    from utilitysched.cli.accounting import account_of, show_balances
    from utilitysched.market.payment import open_book

    with open_book(ledger) as book:
        chosen = [account_of(name) for name in accounts] if accounts else None
        show_balances(book, chosen, json=json)


@app.command("hold")
def hold(
    ledger: Ledger,
    account: AccountName,
    amount: Amount,
    reference: Annotated[
        str,
        typer.Argument(metavar="REFERENCE", help="Names the job from now on.", show_default=False),
    ],
    month: Month = None,
    json: Json = False,
) -> None:
    """Set aside what a job can cost at most, when it is submitted."""
    from utilitysched.cli.accounting import account_of, show_posted
    from utilitysched.market.payment import open_book

    with open_book(ledger) as book:
        whose = account_of(account)
        show_posted(book, book.hold(whose, amount, reference, month=month), [whose], json=json)


@app.command("hold-run")
def hold_run(
    ledger: Ledger,
    directory: Directory,
    mechanism: Annotated[
        str,
        typer.Option("--mechanism", metavar="NAME", help="By which they will be charged."),
    ] = "first-price",
    cap: Annotated[
        bool, typer.Option("--cap", help="Charges will be cut to what jobs are worth.")
    ] = False,
    rules: Annotated[
        Path | None,
        typer.Option(
            "--rules",
            metavar="FILE",
            help="What the centre will make of the charges, as for bill.",
            show_default=False,
        ),
    ] = None,
    month: JobsMonth = None,
    json: Json = False,
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
    ledger: Ledger, reference: Reference, amount: Amount, month: Month = None, json: Json = False
) -> None:
    """Charge a job for which something is held; the rest of it is given back."""
    from utilitysched.cli.accounting import show_posted
    from utilitysched.market.payment import open_book

    with open_book(ledger) as book:
        show_posted(book, book.capture(reference, amount, month=month), json=json)


@app.command("post")
def post(ledger: Ledger, directory: Directory, month: JobsMonth = None, json: Json = False) -> None:
    """Charge what the bill in DIR says; a second time changes nothing."""
    from utilitysched.cli.accounting import show_posted
    from utilitysched.market.payment import open_book
    from utilitysched.runs.claims import read_claims

    with open_book(ledger) as book:
        claims = read_claims(directory, book.money, month=month)
        show_posted(book, book.post(claims, memo=f"{directory}, {claims.mechanism}"), json=json)


@app.command("refund")
def refund(
    ledger: Ledger,
    reference: Annotated[
        str | None,
        typer.Argument(
            metavar="[REFERENCE]", help="Of a job, as history shows it.", show_default=False
        ),
    ] = None,
    amount: Annotated[
        str | None,
        typer.Argument(metavar="[AMOUNT]", help="Default: the whole charge.", show_default=False),
    ] = None,
    posting: Annotated[
        int | None,
        typer.Option(
            "--posting",
            metavar="N",
            parser=from_one,
            help="Undo this posting instead: a bill, holds, an endowment.",
            show_default=False,
        ),
    ] = None,
    month: Month = None,
    memo: Memo = "",
    json: Json = False,
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
    ledger: Ledger,
    month: Annotated[str, typer.Argument(metavar="YYYY-MM", show_default=False)],
    json: Json = False,
) -> None:
    """Close a month and all before it: nothing can be posted into them."""
    from utilitysched.cli.accounting import show_closing
    from utilitysched.market.payment import open_book

    with open_book(ledger) as book:
        show_closing(book, book.close(month), json=json)


@app.command("verify")
def verify(ledger: Ledger, json: Json = False) -> None:
    """Check all that a ledger promises, from its tables alone; exit code 2 if anything fails."""
    from utilitysched.cli.accounting import show_checks
    from utilitysched.market.payment import open_book

    with open_book(ledger) as book:
        show_checks(book, json=json)


@app.command("history")
def history(
    ledger: Ledger,
    account: Annotated[
        str | None,
        typer.Argument(metavar="[ACCOUNT]", help="Default: all.", show_default=False),
    ] = None,
    latest: Annotated[
        int | None,
        typer.Option(
            "--latest",
            metavar="N",
            parser=from_one,
            help="Only the last N entries.",
            show_default="all",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Show entries, the oldest first."""
    from utilitysched.cli.accounting import show_history
    from utilitysched.market.payment import open_book

    with open_book(ledger) as book:
        show_history(book, account, latest, json=json)


@app.command("upgrade")
def upgrade(ledger: Ledger, json: Json = False) -> None:
    """Bring a ledger of an earlier version up to date."""
    from utilitysched.cli.accounting import upgrade_ledger

    upgrade_ledger(ledger, json=json)
