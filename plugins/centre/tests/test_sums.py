"""Sums: every table that commands print or write adds up, column by column."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import pytest

from swfx.base.numbers import UNKNOWN
from tests.utilitysched.cli.conftest import Command
from utilitysched.analysis.documents import ResultTable, plain_table
from utilitysched_centre.report.statements.page import LISTED
from utilitysched_centre.report.statements.statement import Link

NUMBER = re.compile(r"[-+]?[0-9][0-9,]*(\.[0-9]+)?")
RUNNING = "balance"
"""Heading of the column of an account's statement that goes on from line to line."""

HEAD = (
    "JobID|JobIDRaw|User|Account|Partition|JobName|Submit|Start|End|Elapsed|State|AllocCPUS"
    "|ReqCPUS|NNodes|TimelimitRaw|AllocTRES"
)
RULES = """
minimum_charge = 0.1
[quantity]
weights = "CPU=1,GRES/gpu=20"
[state]
TIMEOUT = 50
[[discount]]
name = "night"
percent = 33
partitions = ["night"]
[currency]
code = "EUR"
rate = 0.7
[tax]
name = "VAT"
percent = 19
"""
BILLING = """
log = "slurm:sacct.txt"
mechanism = "single-price:rate=0.37"
rules = "rules.toml"
ledger = "books.db"
"""


def line(number: str, account: str, month: int, state: str = "COMPLETED", hours: int = 1) -> str:
    """A job of sacct's listing; the partition and the GPUs go by its number."""
    plain = int(re.split("[_+]", number)[0])
    begun = f"2026-{month:02}-{plain % 20 + 1:02}T08:00:00"
    ended = f"2026-{month:02}-{plain % 20 + 1:02}T{8 + hours:02}:00:00"
    partition, gpus = ("night", "main")[plain % 2], f",gres/gpu={plain % 3}"
    return (
        f"{number}|{plain}|user{plain % 7}|{account}|{partition}|fit|{begun}|{begun}|{ended}"
        f"|{hours:02}:00:00|{state}|{plain % 5 + 1}|{plain % 5 + 1}|1|1440"
        f"|cpu={plain % 5 + 1},node=1{gpus}"
    )


def listing() -> str:
    """Accounts of two months: of some the first alone; jobs in parts, tasks, and runs."""
    lines = [line(str(100 + lab), f"lab{lab}", 9, hours=lab % 4 + 1) for lab in range(27)]
    lines += [
        line(str(200 + job), f"lab{job % 25}", 10, state, hours=job % 9 + 1)
        for job, state in enumerate(("COMPLETED", "TIMEOUT", "NODE_FAIL", "FAILED") * 15)
    ]
    lines += [line(f"300+{part}", "lab1", 10, hours=2) for part in range(3)]
    lines += [line(f"301_{task}", "lab2", 10, hours=3) for task in range(4)]
    lines.append(line("302", "lab1", 10, "NODE_FAIL"))
    lines.append(line("302", "lab1", 10).replace("T08:00:00|2", "T12:00:00|2"))
    return "\n".join([HEAD, *lines, ""])


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[ResultTable]:
    """Every table that is made from now on."""
    made: list[ResultTable] = []
    check = ResultTable.__post_init__

    def remember(table: ResultTable) -> None:
        check(table)
        made.append(table)

    monkeypatch.setattr(ResultTable, "__post_init__", remember)
    for name, text in (("sacct.txt", listing()), ("rules.toml", RULES), ("billing.toml", BILLING)):
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    return made


def number(cell: object) -> Decimal | None:
    """Return the number in a cell; None of a text, and of what is not known."""
    text = str(cell)
    return Decimal(text.replace(",", "")) if NUMBER.fullmatch(text) else None


def unequal(table: ResultTable) -> list[str]:
    """Return the headings of the columns of a table that do not add up to its total."""
    (total,) = table.total
    wrong = []
    for place, column in enumerate(table.columns):
        stated = number(total[place])
        cells = [number(row[place]) for row in table.rows]
        if stated is None or (column.name.startswith(RUNNING) and table.columns[0].name == "date"):
            continue
        if sum((cell for cell in cells if cell is not None), Decimal(0)) != stated:
            wrong.append(column.name)
    return wrong


def run(command: Command, *words: object) -> str:
    answer = command(*words)
    assert answer.code == 0, (words, answer.err)
    return answer.out


def run_all(command: Command) -> None:
    """Bill two months, correct, pay, hold; invoices by account, user and month; a statement."""
    books = ("ledger", "init", "books.db", "--unit", "EUR", "--decimals", "2")
    run(command, *books, "--payer", "project", "--credit", "any")
    for month in ("2026-09", "2026-10"):
        run(command, "billing-run", "billing.toml", "--month", month, "-q")
    run(
        command, "billing-run", "adjust", "billing.toml", "201", "--percent", 50, "--reason", "slow"
    )
    run(command, "billing-run", "billing.toml", "--month", "2026-10", "-q")
    for invoice in ("2026-09-0001", "2026-10-0003"):
        run(command, "ledger", "pay", "books.db", invoice)
    for place in range(3):
        run(command, "ledger", "hold", "books.db", "project:lab1", f"{place}.25", f"job-{place}")
    for shown in ("balance", "holds", "open-items"):
        run(command, "ledger", shown, "books.db")
    run(command, "ledger", "statement", "books.db", "project:lab1", "--year", 2026)
    options = ("--mechanism", "single-price:rate=0.37", "--rules", "rules.toml", "-q")
    for by in ("account", "user", "month", "partition"):
        pages = ("--html", "pages") if by == "partition" else ()
        run(command, "invoice", "slurm:sacct.txt", *options, "--by", by, *pages)


def test_every_table_with_a_total_adds_up(command: Command, tables: list[ResultTable]) -> None:
    run_all(command)

    summed = [table for table in tables if table.total]
    heads = {table.columns[0].name for table in summed}
    assert {"account", "user", "month", "partition", "number", "invoice", "reference"} <= heads
    wrong = {
        (table.caption, tuple(column.name for column in table.columns)): unequal(table)
        for table in summed
    }
    assert {table: columns for table, columns in wrong.items() if columns} == {}


def test_the_most_expensive_jobs_come_first(command: Command, tables: list[ResultTable]) -> None:
    """A job of several parts by the sum of them."""
    run_all(command)

    jobs = [
        table
        for table in tables
        if table.columns[0].name == "job" and isinstance(table.rows[0][0], Link)
    ]
    named = [[row[0].text for row in table.rows] for table in jobs]
    assert any(name.endswith("parts)") for names in named for name in names)
    for table in jobs:
        amounts = [Decimal(row[-1]) for row in table.rows[:LISTED]]
        assert amounts == sorted(amounts, reverse=True)


def test_jobs_are_counted_in_one_way(command: Command, tables: list[ResultTable]) -> None:
    """A job of three parts is one, and so is one of two runs, also in the headline."""
    run(command, "ledger", "init", "books.db", "--unit", "EUR", "--payer", "project",
        "--credit", "any")  # fmt: skip

    text = run(command, "billing-run", "billing.toml", "--month", "2026-10", "-q")

    assert text.startswith("2026-10: 66 jobs of 25 accounts come to ")
    by_account = next(table for table in tables if table.columns[0].name == "account")
    assert by_account.total[0][1] == "66"
    assert [row[1] for row in by_account.rows if row[0] == "lab1"] == ["5"]


def test_reasons_of_jobs_add_up_to_the_jobs(command: Command, tables: list[ResultTable]) -> None:
    options = ("--mechanism", "single-price:rate=0.37", "--rules", "rules.toml", "-q")

    text = run(command, "invoice", "slurm:sacct.txt", *options)

    reasons = re.findall(r"^ +([0-9,]+)  (?:not )?charged", text, re.MULTILINE)
    (table,) = tables
    assert sum(map(int, reasons)) == int(table.total[0][1]) == 93
    assert f"The lines add up to {table.total[0][-1]} EUR." in text
    assert table.rows[-1][0] == "7 others, in invoice-by-account.csv"
    assert UNKNOWN not in table.rows[-1]


def test_a_table_that_does_not_add_up_is_found(tables: list[ResultTable]) -> None:
    table = plain_table(["account", "jobs", "paid"], [("a", "1", "0.5"), ("b", "-", "1,000.5")],
                        total=[("total", "2", "1,001.0")])  # fmt: skip

    assert unequal(table) == ["jobs"]
