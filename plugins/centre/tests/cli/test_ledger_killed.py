"""`invoice --ledger` killed at random moments: all or nothing is posted, and again completes."""

from __future__ import annotations

import random
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest

from tests.scale import FACTOR, many
from tests.utilitysched.cli.conftest import Command
from tests.warm import Started
from utilitysched.market.billing import BillPlan, BillSource
from utilitysched_centre.accounts import Balance, Book, Claims
from utilitysched_centre.invoicing import InvoicePlan, make_invoice
from utilitysched_centre.rules import read_rules

Copy = Callable[[int], str]

OTHERS = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
"""

KILLS = min(many(2, least=2), 50)
"""On SQLite; on a server half as many. With RANDOM_CASES without rules, too."""

RULES = """\
minimum_charge = 0.1
[status]
failed = 0
[exempt]
users = [3]
[[discount]]
name = "night"
percent = 20
queues = [3]
[allowance]
monthly = 10
[currency]
code = "SU"
rate = 1
decimals = 6
[tax]
name = "VAT"
percent = 19
[accounts]
file = "accounts.csv"
"""


@pytest.fixture
def run(command: Command, tmp_path: Path) -> Path:
    """Jobs with utility functions, so many that posting their charges takes a while."""
    command(
        "simulate",
        "sample:market",
        "--jobs",
        "0:600",
        "--scheduler",
        "easy",
        "--out",
        tmp_path / "runs",
    )
    return tmp_path / "runs" / "easy"


@pytest.fixture(params=["rules", "plain"] if FACTOR > 1 else ["rules"])
def rules(request: pytest.FixtureRequest, tmp_path: Path) -> list[object]:
    """Options of a bill."""
    if request.param == "plain":
        return []
    (tmp_path / "rules.toml").write_text(RULES, "utf-8")
    (tmp_path / "accounts.csv").write_text("user,account\n1,physics\n2,physics\n", "utf-8")
    return ["--rules", tmp_path / "rules.toml"]


@pytest.fixture(params=["sqlite", "postgresql"])
def copy(
    request: pytest.FixtureRequest,
    command: Command,
    run: Path,
    rules: list[object],
    tmp_path: Path,
) -> Copy:
    """Copies of a ledger that holds what each job of the bill can cost at most."""
    if request.param == "sqlite":
        original = str(tmp_path / "ledger.db")
    else:
        address = request.getfixturevalue("postgresql")
        original = address.format("original")
        _execute(address, "DROP DATABASE IF EXISTS original", "CREATE DATABASE original")
    for words in (["init", original, "--credit", "any"], ["hold-run", original, run, *rules]):
        assert command("ledger", *words).code == 0

    def of_files(number: int) -> str:
        return shutil.copy(original, tmp_path / f"{number}.db")

    def on_server(number: int) -> str:
        name = f"copy_{number}"
        drop = f"DROP DATABASE IF EXISTS {name} WITH (FORCE)"
        _execute(address, drop, f"CREATE DATABASE {name} TEMPLATE original")
        return str(address.format(name))

    return of_files if request.param == "sqlite" else on_server


def _execute(address: str, *statements: str) -> None:
    with psycopg.connect(address.format("postgres"), autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)


class Bill(NamedTuple):
    """A bill of a run."""

    run: Path
    options: list[object]

    @property
    def words(self) -> tuple[object, ...]:
        """Of the command that makes it."""
        return "invoice", self.run, *self.options

    @property
    def written_at(self) -> int | None:
        """When it was last written: the file that comes last, before it is posted."""
        last = self.run / ("invoice.json" if self.options else "statements.json")
        try:
            return last.stat().st_mtime_ns
        except FileNotFoundError:  # between two bills there is no invoice
            return None


def claimed(bill: Bill, book: Book) -> Claims:
    """Claims of the bill, whose files are written."""
    rules = read_rules(Path(str(bill.options[1]))) if bill.options else None
    made = make_invoice(InvoicePlan(BillPlan(), rules), BillSource(str(bill.run)))
    return book.invoiced(made.invoice) if rules else book.charged(made.invoice.charges)


def started(bill: Bill, ledger: str | None) -> Started:
    return Started(*bill.words, *(["--ledger", ledger] if ledger else []))


def wait_for_files(process: Started, bill: Bill, before: int | None) -> None:
    """Wait until the bill is written, which is when it is posted."""
    while bill.written_at in (before, None):
        assert process.poll() is None or bill.written_at not in (before, None)
        time.sleep(0.0005)


def until_written(bill: Bill) -> float:
    """How long (s) it takes until the bill is written."""
    before, began = bill.written_at, time.monotonic()
    process = started(bill, None)
    wait_for_files(process, bill, before)
    written = time.monotonic()
    assert process.wait() == 0
    return written - began


def until_posted(bill: Bill, ledger: str) -> float:
    """How long (s) it takes to post it, rather more than less."""
    with Book(ledger) as book:
        claims = claimed(bill, book)
        began = time.monotonic()
        assert book.post(claims).new
    return 2 * (time.monotonic() - began)


def killed(bill: Bill, ledger: str, moment: float, *, written: bool) -> bool:
    """Kill a bill after so many seconds, or so many after it is written; whether it was alive."""
    before = bill.written_at
    process = started(bill, ledger)
    if written:
        wait_for_files(process, bill, before)
    time.sleep(moment)
    process.send_signal(signal.SIGKILL)
    was_alive = process.wait() == -signal.SIGKILL
    if "://" in str(ledger):
        wait_for_server(ledger)
    return was_alive


def wait_for_server(ledger: str) -> None:
    """Wait until a server is done with what the killed process had sent, to the end or not."""
    with psycopg.connect(ledger, autocommit=True) as connection:
        while connection.execute(OTHERS).fetchone() != (0,):
            time.sleep(0.01)


def state(ledger: str) -> tuple[list[Balance], int]:
    """Balances and entries of a ledger that holds what it promises."""
    with Book(ledger) as book:
        assert [check for check in book.verify() if not check.holds] == []
        return book.balances(), len(book.history())


@pytest.mark.slow
def test_killed_at_random_moments(
    command: Command, run: Path, rules: list[object], copy: Copy, request: pytest.FixtureRequest
) -> None:
    chance = random.Random(0)
    bill = Bill(run, rules)
    ledger = copy(0)
    nothing = state(ledger)
    windows = until_written(bill), until_posted(bill, ledger)
    everything = state(ledger)
    assert everything != nothing

    kills = KILLS if "sqlite" in request.node.name else KILLS // 2
    during = after = 0
    for number in range(1, kills + 1):
        ledger = copy(number)
        written = number % 5 > 0
        moment = chance.uniform(0, windows[written])
        was_alive = killed(bill, ledger, moment, written=written)
        during += Path(f"{ledger}-journal").exists()  # of SQLite, half-way through
        left = state(ledger)
        assert left == everything or (left == nothing and was_alive)
        answer = command(*bill.words, "--ledger", ledger)
        assert answer.code == 0
        assert ("nothing changed" in answer.err) == (left == everything)
        assert state(ledger) == everything
        after += left == everything

    print(f"{kills} kills, {during} during the post, {after} after it")
