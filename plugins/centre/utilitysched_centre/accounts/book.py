"""A ledger: endowments, holds, charges, refunds, closings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import Self, TypeVar, TypeVarTuple

from sqlalchemy import Connection

from pricing.charges import Charges
from pricing.properties import Check
from swfx import InputError, Workload
from utilitysched_centre.accounts import journal, operations, periods
from utilitysched_centre.accounts.account import NAMED, Account
from utilitysched_centre.accounts.anchors import Anchor, check_anchors
from utilitysched_centre.accounts.chart import Chart
from utilitysched_centre.accounts.claims import Claims, charged, invoiced
from utilitysched_centre.accounts.database import Database
from utilitysched_centre.accounts.documents import (
    Document,
    DocumentLine,
    live_invoices,
    read_documents,
    read_lines,
)
from utilitysched_centre.accounts.issuing import Issue
from utilitysched_centre.accounts.keys import require_key
from utilitysched_centre.accounts.money import Money
from utilitysched_centre.accounts.payments import OpenItem, PaymentOrder, open_items, pay
from utilitysched_centre.accounts.reconciliation import Reconciliation, reconciled
from utilitysched_centre.accounts.reports import (
    Balance,
    HistoryLine,
    Income,
    OpenHold,
    balances_of,
    history,
    income,
    open_holds,
)
from utilitysched_centre.accounts.schema import no_ledger, require_version
from utilitysched_centre.accounts.standing import Stand, payers, standing
from utilitysched_centre.accounts.sums import RunningSums, balances
from utilitysched_centre.accounts.terms import key_check, read_terms
from utilitysched_centre.accounts.transaction import Amount, Posted, Transaction
from utilitysched_centre.accounts.verify import verify
from utilitysched_centre.accounts.yearly import AccountStatement, statement
from utilitysched_centre.rules.invoice import Invoice

T = TypeVar("T")
Args = TypeVarTuple("Args")


class Book:
    """An open ledger; a context manager that closes it.

    Amounts go in as numbers of the ledger's unit (text, int, Decimal) and come out in minor units,
    which `money` writes. Every method that writes does all or nothing, and returns when it is on
    the disk.

    Parameters
    ----------
    location : str or Path
        Path of an SQLite file, or ``postgresql://USER@HOST/DATABASE``.
    clock : callable
        Returns the time.
    key : bytes, optional
        That the ledger is sealed with, if it is; to read no key is needed.

    Raises
    ------
    InputError
        There is no ledger, or its schema is of another version.
    """

    def __init__(
        self,
        location: str | Path,
        clock: Callable[[], datetime] = periods.now,
        *,
        key: bytes | None = None,
    ) -> None:
        self._database = Database(location)
        self._clock = clock
        self._key = key
        self._sums = RunningSums()
        self._written: Chart | None = None  # the accounts after the last posting
        if self._database.is_missing_file:
            raise no_ledger(self._database)
        try:
            with self._reading() as connection:
                self.terms = read_terms(connection)
        except BaseException:
            self._database.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close_connections()

    def close_connections(self) -> None:
        """Let go of the database."""
        self._database.close()

    @property
    def money(self) -> Money:
        """What the ledger counts in."""
        return self.terms.money

    @property
    def source(self) -> str:
        """Where the ledger is, without password."""
        return self._database.source

    def endow(
        self,
        account: Account,
        amount: Amount,
        *,
        month: str | None = None,
        memo: str = "",
        key: str | None = None,
    ) -> Posted:
        """Give an account something to spend; it is opened if need be.

        Parameters
        ----------
        account : Account
            Whose.
        amount : str, int or Decimal
            Above 0.
        month : str, optional
            To which it belongs; default: the present one.
        memo : str
            For people.
        key : str, optional
            A second call with the same key, account and amount changes nothing.

        Raises
        ------
        InputError
            The amount cannot be used, the month is closed, or the key is that of another endowment.
        """
        with self._writing(month, memo) as ledger:
            return operations.endow(ledger, account, amount, key)

    def endow_all(
        self, amounts: Mapping[Account, Amount], *, month: str | None = None, memo: str = ""
    ) -> Posted:
        """Give each of some accounts something to spend, by one posting; see `endow`."""
        with self._writing(month, memo) as ledger:
            return operations.endow_all(ledger, amounts)

    def set_limit(self, account: Account, amount: Amount | None) -> None:
        """Let an account go so far below 0; None = any.

        Raises
        ------
        InputError
            It is further below 0 already.
        """
        with self._writing() as ledger:
            operations.set_limit(ledger, account, amount)

    def assign(self, member: Account, account: Account) -> None:
        """Let an account pay for the jobs of a user or a group from now on."""
        with self._writing() as ledger:
            operations.assign(ledger, member, account)

    def hold(
        self, account: Account, amount: Amount, reference: str, *, month: str | None = None
    ) -> Posted:
        """Set aside what a job can cost at most, when it is submitted.

        Parameters
        ----------
        account : Account
            Who pays.
        amount : str, int or Decimal
            Above 0.
        reference : str
            Names the job from now on; another hold under it changes nothing.
        month : str, optional
            To which it belongs; default: the present one.

        Raises
        ------
        OverdraftError
            The account does not have so much.
        InputError
            Something else is held for the job, or it was charged already.
        """
        with self._writing(month) as ledger:
            return operations.hold(ledger, account, amount, reference)

    def hold_run(self, claims: Claims, *, memo: str = "", more: bool = False) -> Posted:
        """Set aside what each job of a run can cost at most; see `at_most`.

        What is held already is left as it is; with `more`, it is raised where it is less.
        """
        with self._writing(memo=memo) as ledger:
            return operations.hold_run(ledger, claims, more=more)

    def capture(self, reference: str, amount: Amount, *, month: str | None = None) -> Posted:
        """Charge a job for which something is held, when it is complete; the rest is given back.

        Raises
        ------
        OverdraftError
            It costs more than is held and available.
        InputError
            Nothing is held under the reference.
        """
        with self._writing(month) as ledger:
            return operations.capture(ledger, reference, amount)

    def post(self, claims: Claims, *, memo: str = "") -> Posted:
        """Charge the jobs of a run: the same claims a second time change nothing.

        What is held for a job is taken first, and its rest given back.

        Parameters
        ----------
        claims : Claims
            See `utilitysched_centre.accounts.charged`.
        memo : str
            For people.

        Raises
        ------
        OverdraftError
            An account does not have what its jobs cost.
        InputError
            A job was charged by another posting, or a month is closed.
        """
        with self.posting(claims, memo=memo) as posted:
            return posted

    @contextmanager
    def posting(self, claims: Claims, *, memo: str = "") -> Iterator[Posted]:
        """Charge the jobs of a run, as `post` does, when a block ends without an exception.

        In the block it is certain that they can be charged: all has been checked, and nobody else
        writes meanwhile.

        Raises
        ------
        OverdraftError, InputError
            As by `post`, before the block begins. The posting has other figures than the claims.
        """
        with self._writing(memo=memo) as ledger, operations.posting(ledger, claims) as posted:
            yield posted

    def reconcile(self, claims: Claims) -> Reconciliation:
        """Follow the accounts that have paid claims, from their first month on.

        Raises
        ------
        InputError
            They are not posted, or what an account had, was given and paid does not come to what it
            has: the figures are named.
        """
        with self._reading() as connection:
            posting = operations.posted_as(connection, claims)
            if posting is None:
                raise InputError("the bill is not posted", source=self.source)
            chart = self._chart(connection)
            return reconciled(connection, chart, claims, posting, self.money)

    def payers(self, workload: Workload, listed: Mapping[int, str] | None = None) -> list[Account]:
        """Return who pays for each job, or holds something for it, or has paid for it.

        Parameters
        ----------
        workload : Workload
            n jobs.
        listed : mapping of int to str, optional
            Projects that pay for users, unless the ledger assigns them to another account.

        Raises
        ------
        InputError
            Nobody pays for a job, or somebody else than the one listed.
        """
        return self._read(payers, workload, listed or {})

    def charged(self, charges: Charges, *, month: str | None = None) -> Claims:
        """Return the claims of a bill on the payers of the jobs by the ledger.

        Parameters
        ----------
        charges : Charges
            The bill.
        month : str, optional
            To which all entries belong; default: that in which each job completed.

        Raises
        ------
        InputError
            Nobody pays for a job.
        """
        payers = self.payers(charges.workload)
        accounts = payers if self.terms.payer in NAMED else None
        return charged(charges, self.money, month=month, accounts=accounts, payers=payers)

    def invoiced(self, bill: Invoice, *, month: str | None = None) -> Claims:
        """Return the claims of an invoice on the accounts named on it.

        Raises
        ------
        InputError
            The ledger counts in something else, or in larger units.
        """
        return invoiced(bill, self.money, month=month, named=self.terms.named)

    def refund(
        self,
        reference: str,
        amount: Amount | None = None,
        *,
        month: str | None = None,
        memo: str = "",
    ) -> Posted:
        """Give back what is held for a job, and what it was charged, or a part of the charge.

        Raises
        ------
        InputError
            There is nothing, or not so much, to give back.
        """
        with self._writing(month, memo) as ledger:
            return operations.refund(ledger, reference, amount)

    def undo(
        self,
        number: int,
        *,
        account: Account | None = None,
        month: str | None = None,
        memo: str = "",
    ) -> Posted:
        """Give back all that a posting charged, held or endowed and that is not given back yet.

        A second time changes nothing. The same claims can be posted again afterwards.

        Parameters
        ----------
        number : int
            Of the posting.
        account : Account, optional
            Only what this one paid; default: all.
        month : str, optional
            To which it belongs; default: the present one.
        memo : str
            For people.

        Raises
        ------
        OverdraftError
            An endowment is spent.
        InputError
            There is no such posting, or it is one that gives back.
        """
        with self._writing(month, memo) as ledger:
            return operations.undo(ledger, number, account)

    def open_month(self, month: str) -> str:
        """Return a month for entries: the present month in place of a closed one."""
        with self._reading() as connection:
            closed = periods.closed_until(connection)
        return month if closed is None or month > closed else periods.month_of(self._clock())

    @contextmanager
    def issuing(self, month: str | None = None, memo: str = "") -> Iterator[Issue]:
        """Issue documents: what a block charges, refunds and lays down is stored when it ends.

        Nothing is stored if it ends by an exception, and nobody else writes meanwhile.

        Parameters
        ----------
        month : str, optional
            To which refunds belong; default: the present one.
        memo : str
            For people.

        Raises
        ------
        InputError
            New documents do not state what their postings charge and give back.
        """
        with self._writing(month, memo) as ledger:
            issue = Issue(ledger)
            yield issue
            issue.require_sound()
            ledger.record("issue")

    def documents(self, month: str | None = None) -> tuple[Document, ...]:
        """Return the documents of a month's use, or all, in the order of issue."""
        return tuple(one for one in self._read(read_documents) if month in (None, one.month))

    def document_lines(self) -> tuple[DocumentLine, ...]:
        """Return the credits on all documents."""
        with self._reading() as connection:
            return read_lines(connection)

    def live(self, month: str) -> dict[Account, Document]:
        """Return the invoice of each account for a month that no credit note cancels."""
        return live_invoices(self.documents(), month)

    def pay(
        self,
        number: str,
        amount: Amount | None = None,
        *,
        on: date | None = None,
        memo: str = "",
        back: bool = False,
        key: str | None = None,
    ) -> Posted:
        """Enter the payment of an invoice.

        Parameters
        ----------
        number : str
            Number of the invoice.
        amount : str, int or Decimal, optional
            Amount above 0; default: all that is open, or all that can go back.
        on : date, optional
            Day on which the money came in, or went back; default: the present one.
        memo : str
            For people.
        back : bool
            Whether the money goes back: what was paid too much, else what was paid.
        key : str, optional
            A second payment with the same key, invoice and amount changes nothing.

        Raises
        ------
        InputError
            There is no such invoice, not so much is open or can go back, or the key is that of
            another payment.
        OverdraftError
            The account cannot pay back so much.
        """
        with self._writing(memo=memo) as ledger:
            day = on or self._clock().date()
            return pay(ledger, PaymentOrder(number, amount, day, back, key))

    def open_items(self, today: date | None = None) -> list[OpenItem]:
        """Return invoices with an amount that is open, the oldest first.

        An account owes at most what it is below 0, so what else it was given covers its oldest
        invoices.
        """
        return self._read(open_items, today or self._clock().date())

    def statement(self, account: Account, year: int | None = None) -> AccountStatement:
        """Return the documents, payments and endowments of an account in a year, by day.

        Parameters
        ----------
        account : Account
            Account.
        year : int, optional
            Year; default: the present one.

        Raises
        ------
        InputError
            There is no such account.
        """
        return self._read(statement, account, year or self._clock().year)

    def close(self, month: str) -> periods.Closing:
        """Close a month and all before it; a second time changes nothing.

        Raises
        ------
        InputError
            The month is not over, or a later one is closed.
        """
        with self._writing() as ledger:
            return operations.close(ledger, periods.read_month(month))

    def balances(self, accounts: Iterable[Account] | None = None) -> list[Balance]:
        """Return balances of accounts; default: all payers."""
        return self._read(balances_of, accounts)

    def endowed(self) -> int:
        """Return what was given out and not taken back."""
        with self._reading() as connection:
            chart = self._chart(connection)
            return -balances(connection, [chart.endowments]).get(chart.endowments, 0)

    def income(self, month: str | None = None) -> list[Income]:
        """Return what accounts paid, by month."""
        return self._read(income, month)

    def history(
        self, account: Account | None = None, *, latest: int | None = None
    ) -> list[HistoryLine]:
        """Return entries, the oldest first: of an account or all, or only the latest so many."""
        return self._read(history, account, latest)

    def holds(self) -> list[OpenHold]:
        """Return what is held and was neither charged nor given back, the oldest first."""
        return self._read(open_holds, self._clock())

    def standing(self, references: Sequence[str]) -> dict[str, Stand]:
        """Return holds and charges by reference, for jobs in the ledger."""
        return self._read(standing, references)

    def anchor(self) -> Anchor:
        """Return the last seal, to be kept elsewhere; `verify` holds the ledger against it."""
        with self._reading() as connection:
            number, seal = journal.last(connection)
        return Anchor(number, seal, periods.instant(self._clock()))

    def anchored(self, anchors: Sequence[Anchor]) -> Check:
        """Say whether the ledger has the seals that were kept elsewhere."""
        with self._reading() as connection:
            return check_anchors(anchors, journal.seals(connection))

    def verify(self, anchors: Sequence[Anchor] | None = None) -> tuple[Check, ...]:
        """Check all that a ledger promises, from its tables alone.

        Parameters
        ----------
        anchors : sequence of Anchor, optional
            Seals that were kept elsewhere: the ledger must still have them.
        """
        return self._read(verify, self.money, self._key, anchors)

    def _read(self, report: Callable[[Connection, Chart, *Args], T], *args: *Args) -> T:
        """Return what a report of the accounts says."""
        with self._reading() as connection:
            return report(connection, self._chart(connection), *args)

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with self._database.reading() as connection:
            require_version(connection, self._database)
            yield connection

    @contextmanager
    def _writing(self, month: str | None = None, memo: str = "") -> Iterator[Transaction]:
        with self._database.writing() as connection:
            require_version(connection, self._database)
            require_key(self._key, key_check(connection), self.source)
            now = self._clock()
            is_mine, chart = self._sums.advance(connection), self._written
            if chart is not None and is_mine:  # nobody else has posted anything since
                chart = chart.go_on(connection, periods.instant(now))
            else:
                chart = self._chart(connection)
            self._written = None  # unless all goes well
            belongs = periods.month_of(now) if month is None else periods.read_month(month)
            yield Transaction(
                connection, chart, self.money, now, belongs, memo, self._sums, self._key
            )
            self._written = chart

    def _chart(self, connection: Connection) -> Chart:
        now = periods.instant(self._clock())
        return Chart(connection, self.terms.payer, self.terms.credit_limit, now)
