"""`ledger pay` killed at random moments: all or nothing is entered, and again completes."""

from __future__ import annotations

import random
import shutil
import signal
import time
from pathlib import Path

import pytest

from plugins.centre.tests.accounts.issued import credit, invoices
from tests.scale import many
from tests.utilitysched.cli.conftest import Command
from tests.warm import Started
from utilitysched_centre.accounts import Book, Money, Terms, create

ONE = "HPC-2000-04-0001"
KILLS = many(10, least=3)


@pytest.fixture
def original(tmp_path: Path) -> Path:
    """A ledger with invoices over so many jobs that to enter a payment takes a while."""
    path = tmp_path / "original.db"
    create(path, Terms(Money("EUR", 2), credit_limit=None))
    with Book(path) as book:
        seven, _ = invoices(book, *range(100, 2100))
        credit(book, seven, 1, 50)
    return path


def paid(ledger: Path) -> list[int]:
    """Payments in a ledger that holds what it promises."""
    with Book(ledger) as book:
        assert [check for check in book.verify() if not check.holds] == []
        return [line.available for line in book.history() if line.kind == "pay"]


@pytest.mark.slow
def test_killed_at_random_moments(command: Command, original: Path, tmp_path: Path) -> None:
    chance = random.Random(0)
    assert Started("ledger", "balance", original).wait() == 0  # what it needs is imported once
    began = time.monotonic()
    whole = Path(shutil.copy(original, tmp_path / "whole.db"))
    assert Started("ledger", "pay", whole, ONE, "--amount", 5, "--key", "bank").wait() == 0
    window = time.monotonic() - began

    for number in range(KILLS):
        ledger = Path(shutil.copy(original, tmp_path / f"{number}.db"))
        words = ("ledger", "pay", ledger, ONE, "--amount", 5, "--key", "bank")
        process = Started(*words)
        time.sleep(chance.uniform(0, window))
        process.send_signal(signal.SIGKILL)
        was_alive = process.wait() == -signal.SIGKILL

        left = paid(ledger)
        assert left == [500] or (left == [] and was_alive)
        assert command(*words).code == 0
        assert paid(ledger) == [500]
