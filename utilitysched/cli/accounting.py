"""What the commands of `utilitysched ledger` share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from swfx import InputError
from utilitysched.report.console import print_json

if TYPE_CHECKING:
    from pricing.accounts import Account, Book, Claims, Closing, Money, Posted

ANY = "any"
"""Instead of a credit limit: there is none."""


@contextmanager
def needing_packages() -> Iterator[None]:
    """Say how to get packages that are missing.

    Raises
    ------
    InputError
        They are.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise InputError(
            f"ledgers need {error.name}, which is not installed",
            remedy="pip install utilitysched[ledger]",
        ) from error


def opened(ledger: str) -> Book:
    """Open a ledger."""
    with needing_packages():
        from pricing.accounts import Book

        return Book(ledger)


def account_of(text: str) -> Account:
    """Read the name of an account."""
    from pricing.accounts import read_account

    return read_account(text)


def limit_of(text: str) -> str | None:
    """Read a credit limit: an amount, or ``any``."""
    return None if text == ANY else text


def make_ledger(
    ledger: str, money: tuple[str, int], payer: str, credit: str, *, json: bool
) -> None:
    """Make a ledger and say so."""
    with needing_packages():
        from pricing.accounts import Money, Terms, create

    counted = Money(*money)
    limit = limit_of(credit)
    units = None if limit is None else counted.units(limit)
    create(ledger, Terms(counted, payer, units))
    document = {
        "ledger": ledger,
        "unit": counted.unit,
        "decimals": counted.decimals,
        "payer": payer,
        "credit_limit": None if units is None else counted.plain(units),
    }
    if json:
        print_json(document)
    else:
        print(f"made {ledger}: {counted.unit} with {counted.decimals} decimals; {payer}s pay")


def upgrade_ledger(ledger: str, *, json: bool) -> None:
    """Bring a ledger up to date and say so."""
    with needing_packages():
        from pricing.accounts import upgrade

    before, after = upgrade(ledger)
    if json:
        print_json({"before": before, "after": after})
    else:
        print(f"version {after} already" if before == after else f"version {before} is now {after}")


def claims_at_most(
    directory: Path, priced: tuple[str, bool], rules: Path | None, money: Money, month: str | None
) -> Claims:
    """Return what the jobs of a run can come to cost by a mechanism, with a cap or without."""
    from pricing.accounts import at_most, at_most_invoiced
    from pricing.accounts.claims import require_counted
    from pricing.ceilings import ceilings
    from pricing.rules import most, read_rules
    from pricing.rules.invoice import SU
    from utilitysched.runs import read_run

    mechanism, cap = priced
    when = month_of(month) if month else None
    if rules:
        chosen = read_rules(rules)
        jobs = read_run(directory).workload
        dearest = most(jobs, mechanism, chosen, cap=cap, finest=money.decimals)
        return at_most_invoiced(jobs, dearest, money, month=when)
    require_counted(SU, 0, money)
    jobs = read_run(directory).workload
    return at_most(jobs, ceilings(jobs, mechanism, cap=cap), money, month=when)


def claims_of_bill(directory: Path, money: Money, month: str | None) -> Claims:
    """Return what the bill in a run's directory says."""
    from utilitysched.runs.claims import read_claims

    return read_claims(directory, money, month=month_of(month) if month else None)


def give_back(
    book: Book,
    reference: str | None,
    amount: str | None,
    posting: int | None,
    heading: tuple[str | None, str],
) -> Posted:
    """Refund a job, or undo a posting.

    Raises
    ------
    InputError
        Neither or both are named.
    """
    month, memo = heading
    if (reference is None) == (posting is None):
        raise InputError("name either a job's REFERENCE or --posting N")
    if posting is not None:
        return book.undo(posting, month=month, memo=memo)
    return book.refund(str(reference), amount, month=month, memo=memo)


def tell(
    book: Book, posted: Posted, accounts: Sequence[Account] | None = None, *, json: bool
) -> None:
    """Say what a posting has led to, and what the accounts in question have now."""
    from utilitysched.report.accounts import balance_rows, show_balances

    if json:
        print_json(
            posted._asdict()
            | ({} if accounts is None else {"accounts": balance_rows(book, accounts)})
        )
        return
    print(posted_line(posted))
    if accounts is not None:
        show_balances(book, accounts)


def posted_line(posted: Posted) -> str:
    """Say in a line what a posting has led to."""
    from utilitysched.report.numbers import plural

    if not posted.new:
        return f"posted before, as posting {posted.number}: nothing changed"
    return f"posting {posted.number}: {plural(posted.entries, 'entry', 'entries')}"


def print_balances(book: Book, accounts: Sequence[Account] | None, *, json: bool) -> None:
    """Print what accounts have."""
    from utilitysched.report.accounts import balance_document, show_balances

    if json:
        print_json(balance_document(book, accounts))
    else:
        show_balances(book, accounts)


def tell_closing(book: Book, closing: Closing, *, json: bool) -> None:
    """Say what a closed month has brought in."""
    from utilitysched.report.accounts import income_document

    document = income_document(book, closing.month)
    if json:
        print_json({**closing._asdict(), **document})
        return
    print(f"{closing.month} is closed" if closing.new else f"{closing.month} was closed before")
    print(f"charged {document['charged']}, given back {document['refunded']} {book.money.unit}")


def tell_checks(book: Book, *, json: bool) -> None:
    """Say what holds.

    Raises
    ------
    InputError
        Something does not.
    """
    from utilitysched.report.accounts import show_checks

    checks = book.verify()
    if json:
        print_json({"checks": [check._asdict() for check in checks]})
    else:
        show_checks(checks)
    failed = [check.name for check in checks if not check.holds]
    if failed:
        raise InputError(
            f"does not hold: {', '.join(failed)}",
            source=book.source,
            remedy="go back to the last copy that does",
        )


def tell_history(book: Book, account: Account | None, latest: int | None, *, json: bool) -> None:
    """Print entries."""
    from utilitysched.report.accounts import history_rows, show_history

    lines = book.history(account, latest=latest)
    if json:
        print_json({"unit": book.money.unit, "entries": history_rows(book, lines)})
    else:
        show_history(book, lines)


def month_of(text: str) -> str:
    """Read a month."""
    from pricing.accounts import read_month

    return read_month(text)
