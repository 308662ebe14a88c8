"""Sites: a run with its bill, accounts, and what users have saved."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np

from pricing.properties import Check
from swfx import InputError
from swfx.base.columns import Ints
from swfx.labels import LabelNames, Labels
from utilitysched.analysis.series.users import Bill
from utilitysched.counterfactual.explanation import Rebill, rebill
from utilitysched.runs import RunResults, read_results, run_directories
from utilitysched.schedulers.billed import as_billed_by
from utilitysched_centre.accounts import Account, Balance, Book, Money
from utilitysched_centre.payment import open_book
from utilitysched_web.invoices import Issued
from utilitysched_web.live import LiveView
from utilitysched_web.moments import SiteMoment
from utilitysched_web.quote_store import (
    PER_DAY,
    KeptQuote,
    QuestionCount,
    QuoteStore,
    named_quote,
)
from utilitysched_web.quoting import QuoteRules

LEDGER_FILE = "ledger.db"
QUOTES_FILE, QUESTIONS_FILE = "quotes.db", "questions.db"

CHECKED_FOR = 600.0
"""Seconds after which a ledger is checked again though it has not grown: somebody may edit it."""

Answer = TypeVar("Answer")


class JobPayers(NamedTuple):
    """Accounts that pay for jobs.

    Attributes
    ----------
    accounts : tuple of Account
        Each once.
    place : (n,) int64
        Of the account of each job among them.
    """

    accounts: tuple[Account, ...]
    place: Ints

    @classmethod
    def of(cls, each: Iterable[Account]) -> JobPayers:
        """Return the accounts of jobs, each once."""
        places: dict[Account, int] = {}
        place = np.array([places.setdefault(one, len(places)) for one in each], np.int64)
        return cls(tuple(places), place)


class LedgerVerdict(NamedTuple):
    """Checks of a ledger.

    Attributes
    ----------
    at : float
        When they were made (s, Unix time).
    checks : tuple of Check
        All of them.
    """

    at: float
    checks: tuple[Check, ...]


class LedgerReader:
    """Asks a ledger in a thread of its own.

    A connection to an SQLite file belongs to the thread that has opened it, and to open one for
    each page takes longer than what is asked.

    Parameters
    ----------
    ledger : str
        A file, or the address of a database.
    """

    def __init__(self, ledger: str) -> None:
        self._ledger = ledger
        self._thread = ThreadPoolExecutor(1, "ledger")
        self._book: Book | None = None

    def ask(self, question: Callable[[Book], Answer]) -> Answer:
        """Return what a question has for an answer; it must not write.

        Raises
        ------
        InputError
            The ledger cannot be opened or read.
        """
        return self._thread.submit(self._asked, question).result()

    def close(self) -> None:
        """Let go of the ledger."""
        self._thread.submit(self._closed).result()
        self._thread.shutdown()

    def _asked(self, question: Callable[[Book], Answer]) -> Answer:
        if self._book is None:
            self._book = open_book(self._ledger)
        return question(self._book)

    def _closed(self) -> None:
        if self._book is not None:
            self._book.close_connections()


@dataclass(frozen=True, eq=False)
class Site:
    """A run with its bill, its ledger, and the folder for everything written by the server.

    Parameters
    ----------
    run : Path
        Directory of one run with its bill.
    state : Path
        Folder for what is written: the audit log, curves, quotes, by default the ledger.
    ledger : str, optional
        A file, or the address of a database; default: a file in `state`.
    live : LiveView, optional
        A cluster whose queue is shown in place of a moment of the run.
    quotes_per_day : int
        Jobs that a user is quoted for within a day.
    invoices : Path, optional
        Billing folder whose documents are shown.
    """

    run: Path
    state: Path
    ledger: str = ""
    live: LiveView | None = None
    quotes_per_day: int = PER_DAY
    invoices: Path | None = None

    @cached_property
    def results(self) -> RunResults:
        """The run, read once."""
        return read_results(self.run)

    @cached_property
    def runs(self) -> list[RunResults]:
        """The run, and those of the same results directory, read once."""
        others = [each for each in run_directories([self.run.parent]) if each.name != self.run.name]
        return [self.results, *map(read_results, others)]

    @cached_property
    def past(self) -> SiteMoment:
        """A busy moment of the run."""
        return SiteMoment.of(self.results)

    @property
    def moment(self) -> SiteMoment:
        """Moment of the queue that pages show."""
        return self.past if self.live is None else self.live.moment(self.past.run)

    @property
    def rules(self) -> QuoteRules:
        """Rules of quotes: charged like the bill."""
        scheduler, mechanism = self.moment.scheduler, self.bill.mechanism
        if scheduler != self.moment.snapshot.scheduler:  # nobody is known to decide
            scheduler = as_billed_by(scheduler, (mechanism,))
        return QuoteRules(scheduler, mechanism)

    @property
    def quotes(self) -> QuoteStore:
        """Store of quotes."""
        return QuoteStore(self.state / QUOTES_FILE)

    def count_question(self, user: str | None, subject: str) -> None:
        """Count what a user asks about; None for operators, who may ask as they like.

        Raises
        ------
        ExhaustedError
            The user has asked about as much as anybody may within a day.
        """
        if user is not None:
            QuestionCount(self.state / QUESTIONS_FILE, self.quotes_per_day).add(user, subject)

    def quoted(self, row: int) -> KeptQuote | None:
        """Return the quote that the comment of a job names, if it was its user's own."""
        workload = self.results.workload
        comments = self._labels.of("comment")
        number = named_quote(comments.name(int(comments.numbers[row])))
        quote = None if number is None else self.quotes.find(number)
        own = quote is not None and quote.user == self.users.name(int(workload.user[row]))
        return quote if own else None

    @property
    def bill(self) -> Bill:
        """Bill of the run.

        Raises
        ------
        InputError
            It has none.
        """
        if self.results.bill is None:
            raise InputError(
                "has no bill", source=self.results.label, remedy="run: utilitysched bill RUN"
            )
        return self.results.bill

    @property
    def _labels(self) -> Labels:
        return self.results.workload.labels

    @cached_property
    def users(self) -> LabelNames:
        """Names of users, whose numbers stand in the workload."""
        return self._labels.in_field("user")

    def queue_title(self, number: int) -> str:
        """Return what people call a queue of the moment shown; Slurm's are numbered by the look."""
        named = LabelNames("queue", {}) if self.live else self._labels.in_field("queue")
        return named.title(number)

    def number_of(self, user: str) -> int | None:
        """Return a user's number in the workload; None if no job is theirs."""
        return self.past.number_of(user)

    def jobs_of(self, user: str) -> Ints:
        """Positions of a user's jobs in the workload."""
        number = self.number_of(user)
        if number is None:
            return np.zeros(0, np.int64)
        return np.flatnonzero(self.results.workload.user == number)

    def rows_of(self, job: str, user: str | None) -> list[int]:
        """Positions of the jobs of a number or name; only those of a user, if one is named."""
        everybody = self.results.workload
        rows = np.arange(len(everybody)) if user is None else self.jobs_of(user)
        jobs = everybody if user is None else everybody[rows]
        try:
            number = jobs.job_names.number(job)
        except InputError:  # none, or several
            return []
        return [int(row) for row in rows[jobs.job_id == number]]

    @cached_property
    def books(self) -> LedgerReader:
        """The ledger; see `LedgerReader.ask`."""
        return LedgerReader(self._ledger)

    @property
    def _ledger(self) -> str:
        return self.ledger or str(self.state / LEDGER_FILE)

    def verdict(self) -> LedgerVerdict:
        """Return the checks of the ledger, made again once it has changed or they are old.

        They read all of it, by a connection of their own: nobody else's page waits for that.
        """
        seal = self.books.ask(lambda book: book.anchor().seal)
        kept, now = self._verdicts.get(seal), time.time()
        if kept is None or now - kept.at > CHECKED_FOR:
            with open_book(self._ledger) as book:
                kept = LedgerVerdict(now, book.verify())
            self._verdicts.clear()
            self._verdicts[seal] = kept
        return kept

    @cached_property
    def _verdicts(self) -> dict[str, LedgerVerdict]:
        return {}

    def payers(self) -> JobPayers:
        """Return who pays for each job by the ledger as it is; its user where that does not say."""

        def asked(book: Book) -> JobPayers:
            seal, workload = book.anchor().seal, self.results.workload
            if seal not in self._payers:  # whatever changes a payer is a posting with a new seal
                self._payers.clear()
                try:
                    each = book.payers(workload)
                except InputError:  # nobody is known to pay for a job
                    each = [Account("user", str(n)) for n in workload.user.tolist()]
                self._payers[seal] = JobPayers.of(each)
            return self._payers[seal]

        return self.books.ask(asked)

    @cached_property
    def _payers(self) -> dict[str, JobPayers]:
        return {}

    def payers_of(self, user: str) -> set[Account]:
        """Return the accounts that pay for a user's jobs, and the user's own."""
        number = self.number_of(user)
        if number is None:  # in a log with names a number names nobody
            return set() if self.users.names else {Account("user", user)}
        payers = self.payers()
        places = np.unique(payers.place[self.jobs_of(user)]).tolist()
        return {Account("user", str(number)), *(payers.accounts[place] for place in places)}

    def balance_of(self, user: str) -> tuple[Balance, Money] | None:
        """Return what the account of a user has, and in what; None if the ledger knows of none."""
        payers = self.payers_of(user)

        def asked(book: Book) -> tuple[Balance, Money] | None:
            balances = (each for each in book.balances() if each.account in payers)
            return next(((each, book.money) for each in balances), None)

        return self.books.ask(asked)

    def issued(self, user: str | None) -> Issued:
        """Return the invoices and credit notes of who pays for a user's jobs; None for all."""
        payers = None if user is None else self.payers_of(user)
        return self.books.ask(lambda book: Issued.of(book, self.invoices, payers))

    def budget_of(self, user: str | None) -> float | None:
        """Return what the account of a user can pay (SU), its credit included.

        None for operators, where credit has no limit, and where the ledger does not say.
        """
        account = None if user is None else self.balance_of(user)
        if account is None:
            return None
        balance, money = account
        if balance.limit is None or money.unit != "SU":
            return None
        return max(0.0, float(money.plain(balance.available + balance.limit)))

    @cached_property
    def rebill(self) -> Rebill:
        """The bill computed again once, with what each charge rests on."""
        return rebill(self.run)
