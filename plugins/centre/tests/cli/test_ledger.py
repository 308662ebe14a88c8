"""`utilitysched ledger`, and `invoice --ledger`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import swfx
from plugins.centre.tests.accounts.issued import credit, invoices
from swfx import UtilityTable
from tests.utilitysched.cli.conftest import Answer, Command, refused
from tests.utilitysched.small import JOBS
from utilitysched_centre.accounts import Book, Money, Terms, create
from utilitysched_centre.register import write_register


@pytest.fixture
def books(command: Command, tmp_path: Path) -> Path:
    """A ledger in cents."""
    path = tmp_path / "books.db"
    assert command("ledger", "init", path, "--decimals", 2).code == 0
    return path


@pytest.fixture
def run(command: Command, market: Path, tmp_path: Path) -> Path:
    command("simulate", market, "--out", tmp_path / "runs")
    return tmp_path / "runs" / "easy"


def balances(command: Command, books: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(command("ledger", "balance", books, "--json").out)[
        "accounts"
    ]
    return found


def endow_all(command: Command, books: Path) -> None:
    for user in range(1, 6):
        assert command("ledger", "endow", books, f"user:{user}", 5000).code == 0


def test_a_ledger_is_made_once(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "a.db"

    made = command("ledger", "init", path, "--unit", "EUR", "--decimals", 3, "--json")

    assert json.loads(made.out) == {
        "ledger": str(path),
        "unit": "EUR",
        "decimals": 3,
        "payer": "user",
        "credit_limit": "0.000",
    }
    refused(command("ledger", "init", path), f"{path}: there is a ledger already")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--decimals", "13"], "--decimals: 13 is not from 0 to 12"),
        (["--payer", "queue"], "no accounts of kind 'queue'"),
        (["--unit", "a b"], "--unit: 'a b' is no unit"),
        (["--credit", "much"], "field amount: 'much' is not a number"),
        (["--credit", "-1"], "field credit limit: is below 0"),
    ],
)
def test_terms_of_no_use(command: Command, tmp_path: Path, options: list[str], said: str) -> None:
    refused(command("ledger", "init", tmp_path / "a.db", *options), said)

    assert list(tmp_path.iterdir()) == []


def test_a_job_from_hold_to_refund(command: Command, books: Path) -> None:
    answers = [
        command("ledger", *words)
        for words in (
            ["endow", books, "user:7", "100"],
            ["hold", books, "user:7", "60", "job-17"],
            ["capture", books, "job-17", "45.25"],
            ["refund", books, "job-17", "5", "--memo", "node failure"],
        )
    ]

    assert [answer.out.splitlines()[0] for answer in answers] == [
        "posting 1: 1 entry",
        "posting 2: 1 entry",
        "posting 3: 2 entries",
        "posting 4: 1 entry",
    ]
    assert balances(command, books) == [
        {"account": "user:7", "balance": "59.75", "held": "0.00", "credit_limit": "0.00"}
    ]
    history = json.loads(command("ledger", "history", books, "user:7", "--json").out)["entries"]
    assert [(line["kind"], line["available"], line["held"]) for line in history] == [
        ("endow", "100.00", "0.00"),
        ("hold", "-60.00", "60.00"),
        ("charge", "0.00", "-45.25"),
        ("release", "14.75", "-14.75"),
        ("refund", "5.00", "0.00"),
    ]
    assert "node failure" in command("ledger", "history", books, "--latest", 1).out


def test_an_overdrawn_account_is_refused_with_the_figures(command: Command, books: Path) -> None:
    command("ledger", "endow", books, "user:7", "100")
    command("ledger", "hold", books, "user:7", "60", "a")

    answer = command("ledger", "hold", books, "user:7", "40.01", "b")

    assert answer == Answer(
        2,
        "",
        "error: user:7 has 40.00 SU (60.00 SU held besides, credit limit 0.00 SU) and needs "
        "40.01 SU: 0.01 SU missing; endow the account, or raise its limit: utilitysched ledger "
        "endow, limit\n",
    )


def test_limits_and_assignments(command: Command, books: Path) -> None:
    command("ledger", "limit", books, "user:7", "any")
    command("ledger", "assign", books, "group:1", "user:7")

    assert balances(command, books)[0]["credit_limit"] is None
    assert "any" in command("ledger", "balance", books, "user:7").out
    refused(command("ledger", "limit", books, "user:7", "--", "-1"), "field limit: -1 is below 0")


def test_a_bill_is_posted_once(command: Command, books: Path, run: Path) -> None:
    endow_all(command, books)

    first = command("invoice", run, "--ledger", books)
    again = command("invoice", run, "--ledger", books, "--json")

    assert f"{books}: posting 6: " in first.err
    assert json.loads(again.out)["ledger"] == {"number": 6, "new": False, "entries": JOBS}
    assert "already posted, as posting 6: nothing changed" in again.err
    paid = sum(25000 - float(one["balance"]) - 20000 for one in balances(command, books))
    billed = json.loads(again.out)["total"]
    assert paid == pytest.approx(billed, abs=0.005)


def test_what_is_held_for_a_run_is_taken_and_given_back(
    command: Command, books: Path, run: Path
) -> None:
    endow_all(command, books)
    command("invoice", run, "--ledger", books)
    charged = balances(command, books)
    command("ledger", "refund", books, "--posting", 6)

    command("ledger", "hold-run", books, run)
    held = balances(command, books)
    command("invoice", run, "--ledger", books)

    assert sum(float(one["held"]) for one in held) > 0
    assert balances(command, books) == charged
    assert command("ledger", "verify", books).code == 0


def test_a_bill_that_cannot_be_paid_is_neither_posted_nor_written(
    command: Command, books: Path, run: Path
) -> None:
    before = sorted(run.iterdir())

    answer = command("invoice", run, "--ledger", books, "--quiet")

    refused(answer, "accounts are short", "endow the account")
    assert sorted(run.iterdir()) == before
    assert balances(command, books) == []


def test_a_bill_that_cannot_be_written_is_not_posted(
    command: Command, books: Path, run: Path
) -> None:
    endow_all(command, books)
    (run / "charges.csv").mkdir()

    refused(command("invoice", run, "--ledger", books, "--quiet"), "charges.csv")

    assert {one["balance"] for one in balances(command, books)} == {"5000.00"}


def test_a_ledger_in_another_unit_is_refused(command: Command, run: Path, tmp_path: Path) -> None:
    euro = tmp_path / "euro.db"
    command("ledger", "init", euro, "--unit", "EUR", "--decimals", 2, "--credit", "any")
    said = "field unit: the bill is in SU, the ledger in EUR with 2"
    command("bill", run)

    for words in (["invoice", run, "--ledger", euro], ["ledger", "hold-run", euro, run]):
        refused(command(*words), said)


def test_months(command: Command, books: Path, run: Path) -> None:
    endow_all(command, books)
    command("ledger", "close", books, "2000-04")

    closed = command("invoice", run, "--ledger", books, "--quiet")
    later = command("invoice", run, "--ledger", books, "--month", "2000-05", "--quiet")
    closing = command("ledger", "close", books, "2000-05", "--json")

    refused(closed, "2000-04 is closed, as is every month until 2000-04", "--month YYYY-MM")
    assert later.code == 0
    document = json.loads(closing.out)
    assert (document["month"], document["new"], document["refunded"]) == ("2000-05", True, "0.00")
    assert float(document["charged"]) > 0
    assert command("ledger", "close", books, "2000-05").out.startswith("2000-05 was closed before")
    refused(command("invoice", run, "--month", "2000-06"), "--month needs --ledger")
    refused(command("invoice", run, "--ledger", books, "--month", "June"), "'June' is no month")


def test_verify_tells_what_does_not_hold(command: Command, books: Path) -> None:
    import sqlite3

    command("ledger", "endow", books, "user:7", "100")
    sound = command("ledger", "verify", books)
    with sqlite3.connect(books) as connection:
        connection.execute("DROP TRIGGER ledger_entry_no_update")
        connection.execute("UPDATE ledger_entry SET amount = 1")
    connection.close()
    broken = command("ledger", "verify", books, "--json")

    assert (sound.code, sound.out.count(" yes ")) == (0, 9)
    assert broken.code == 2
    assert broken.err.startswith(f"error: {books}: does not hold: seals, database; go back to the")
    failed = [c["name"] for c in json.loads(broken.out)["checks"] if not c["holds"]]
    assert failed == ["seals", "database"]


def test_a_ledger_made_anew_has_other_seals(command: Command, books: Path, tmp_path: Path) -> None:
    anchors = tmp_path / "elsewhere.jsonl"
    command("ledger", "endow", books, "user:7", "100")
    first = command("ledger", "seal", books, "--to", anchors)
    command("ledger", "endow", books, "user:7", "1")
    second = command("ledger", "seal", books, "--to", anchors, "--json")
    kept = command("ledger", "verify", books, "--against", anchors)
    books.unlink()
    command("ledger", "init", books, "--decimals", 2)
    command("ledger", "endow", books, "user:7", "900")
    anew = command("ledger", "verify", books, "--against", anchors)
    again = command("ledger", "seal", books, "--to", anchors)

    assert first.out.startswith("posting 1: ")
    assert json.loads(second.out)["posting"] == 2
    assert kept.code == 0
    assert "2 kept, the latest of posting 2" in kept.out
    assert "posting 1 had another seal on 20" in anew.out
    assert anew.code == 2
    assert f"{books}: does not hold: anchors; go back to the last copy that does" in anew.err
    refused(again, f"{books}: does not hold: anchors; ")
    assert len(anchors.read_text().splitlines()) == 2


def test_anchors_that_are_none(command: Command, books: Path, tmp_path: Path) -> None:
    (tmp_path / "a").write_text('{"posting": 1}\n')

    refused(command("ledger", "verify", books, "--against", tmp_path / "b"), "b: cannot be read")
    refused(command("ledger", "verify", books, "--against", tmp_path / "a"), "is no anchor of")


def test_a_ledger_with_a_key(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    books, key = tmp_path / "keyed.db", tmp_path / "key"
    refused(command("ledger", "init", books, "--keyed"), "UTILITYSCHED_LEDGER_KEY holds no key")
    monkeypatch.setenv("UTILITYSCHED_LEDGER_KEY", "short")
    refused(command("ledger", "init", books, "--keyed"), "has 5 bytes, fewer than 16")
    key.write_text("0123456789abcdef\n")
    monkeypatch.setenv("UTILITYSCHED_LEDGER_KEY", f"@{key}")
    assert command("ledger", "init", books, "--keyed").code == 0
    assert command("ledger", "endow", books, "user:7", 5).code == 0
    assert command("ledger", "verify", books).code == 0
    key.write_text("another key that is long enough")
    refused(command("ledger", "endow", books, "user:7", 5), f"{books}: has another key; set")
    assert "does not hold: seals" in command("ledger", "verify", books).err
    monkeypatch.delenv("UTILITYSCHED_LEDGER_KEY")
    refused(
        command("ledger", "endow", books, "user:7", 5), "is sealed with a key that is not given"
    )
    assert command("ledger", "balance", books).code == 0
    assert b"0123456789abcdef" not in books.read_bytes()


def test_holds_never_released_are_listed(command: Command, books: Path) -> None:
    assert command("ledger", "holds", books).out == "nothing is held\n"
    command("ledger", "endow", books, "user:7", 100)
    for job in ("job-1", "job-2", "job-3"):
        command("ledger", "hold", books, "user:7", 20, job)
    command("ledger", "capture", books, "job-2", 5)

    table = command("ledger", "holds", books)
    held = json.loads(command("ledger", "holds", books, "--json").out)["holds"]

    assert [(one["reference"], one["held"], one["days"]) for one in held] == [
        ("job-1", "20.00", 0),
        ("job-3", "20.00", 0),
    ]
    assert table.out.splitlines()[-1].split() == ["total", "40.00"]


@pytest.fixture
def billed(tmp_path: Path) -> Path:
    """A ledger with an invoice over 8.00 EUR, of which 1.00 is credited, and one over 4.00."""
    path = tmp_path / "billed.db"
    create(path, Terms(Money("EUR", 2), credit_limit=None))
    with Book(path) as book:
        seven, _ = invoices(book, 300, 400, 500)
        credit(book, seven, 1, 100)
    return path


def test_invoices_are_paid_and_listed_until_then(command: Command, billed: Path) -> None:
    one, two = "HPC-2000-04-0001", "HPC-2000-04-0002"
    day = ["--on", "2000-06-15"]

    paid = command("ledger", "pay", billed, one, "--amount", 2, *day, "--key", "bank-1")
    again = command("ledger", "pay", billed, one, "--amount", 2, *day, "--key", "bank-1", "--json")

    assert paid.out == f"posting 5: 1 entry\n{one} has 5.00 EUR open\n"
    assert json.loads(again.out) == {"number": 5, "new": False, "entries": 1, "open": "5.00"}
    table = command("ledger", "open-items", billed).out.splitlines()
    assert table[2].split()[:3] == [one, "user:7", "2000-06-01"]
    assert table[2].split()[5:] == ["8.00", "3.00", "5.00"]
    assert table[-1].split() == ["total", "12.00", "3.00", "9.00"]
    answer = json.loads(command("ledger", "open-items", billed, "--json").out)
    assert (answer["open"], answer["unit"]) == ("9.00", "EUR")
    assert [(item["number"], item["open"]) for item in answer["invoices"]] == [
        (one, "5.00"),
        (two, "4.00"),
    ]
    refused(command("ledger", "pay", billed, one, "--amount", 6), f"--amount: {one} has 5.00 EUR o")
    refused(command("ledger", "pay", billed, one, "--on", "June"), "'June' is not YYYY-MM-DD")
    for number in (one, two):
        assert command("ledger", "pay", billed, number).out.endswith("has 0.00 EUR open\n")
    assert command("ledger", "open-items", billed).out == "no invoice is open\n"
    assert command("ledger", "pay", billed, two, "--back").out.endswith("has 4.00 EUR open\n")
    assert command("ledger", "verify", billed).code == 0


def test_the_statement_of_an_account(command: Command, billed: Path) -> None:
    command("ledger", "pay", billed, "HPC-2000-04-0001", "--amount", 2, "--on", "2000-06-15")

    table = command("ledger", "statement", billed, "user:7", "--year", 2000).out
    answer = json.loads(
        command("ledger", "statement", billed, "user:7", "--year", 2000, "--json").out
    )

    assert [line.split() for line in table.splitlines()[2:]] == [
        ["2000-01-01", "opening", "balance", "0.00"],
        ["2000-05-02", "invoice", "HPC-2000-04-0001", "8.00", "-8.00"],
        ["2000-05-02", "credit", "note", "HPC-2000-04-0003", "1.00", "-7.00"],
        ["2000-06-15", "payment", "HPC-2000-04-0001", "2.00", "-5.00"],
        [],
        ["2000-12-31", "closing", "balance", "8.00", "3.00", "-5.00"],
    ]
    assert (answer["opening"], answer["closing"]) == ("0.00", "-5.00")
    assert answer["rows"][2] == {
        "date": "2000-06-15",
        "what": "payment",
        "document": "HPC-2000-04-0001",
        "charge": "0.00",
        "credit": "2.00",
        "balance": "-5.00",
    }
    refused(command("ledger", "statement", billed, "user:9"), "there is no account user:9")


def test_register_and_refunds_are_held_against_the_ledger(
    command: Command, billed: Path, tmp_path: Path
) -> None:
    with Book(billed) as book:
        write_register(tmp_path / "bills" / "register.csv", book)
    command("ledger", "refund", billed, "job-2", "1.50")

    answer = command("ledger", "verify", billed, "--documents", tmp_path / "bills")

    rows = [line.split(maxsplit=2) for line in answer.out.splitlines()]
    assert ["register", "NO"] in [row[:2] for row in rows]
    said = "posting 5 gave back 1.50 EUR for job 2 of HPC-2000-04-0002 without a credit note"
    assert said in " ".join(answer.out.split())
    assert answer.code == 2
    assert "does not hold: documents, register; see the details" in answer.err


def test_no_ledger(command: Command, tmp_path: Path, run: Path) -> None:
    path = tmp_path / "none.db"

    for words in (["ledger", "balance", path], ["invoice", run, "--ledger", path]):
        refused(
            command(*words),
            f"{path}: there is no ledger; make one with: utilitysched ledger init {path}",
        )
    assert not path.exists()


def test_refund_needs_one_of_both(command: Command, books: Path) -> None:
    for words in ([], ["job-1", "--posting", 1]):
        refused(command("ledger", "refund", books, *words), "name either a job's REFERENCE or")


def test_on_a_server(command: Command, postgresql: str, run: Path) -> None:
    import psycopg

    with psycopg.connect(postgresql.format("postgres"), autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS commands")
        connection.execute("CREATE DATABASE commands")
    address = postgresql.format("commands")

    assert command("ledger", "init", address, "--credit", "any").code == 0
    assert command("invoice", run, "--ledger", address).code == 0
    assert command("ledger", "verify", address).code == 0


def test_a_posted_bill_is_held_against_the_commitments(
    command: Command, books: Path, run: Path
) -> None:
    endow_all(command, books)
    refused(command("ledger", "verify", books, "--bill", run), "holds no bill")
    assert command("invoice", run, "--ledger", books).code == 0
    sound = command("ledger", "verify", books, "--bill", run, "--json")
    workload = run.parent / "workload.swfx.gz"
    jobs = swfx.read(workload, cleaning="none").workload
    curves = jobs.utility
    forged = jobs.replace(utility=UtilityTable(curves.offsets, curves.times, 3 * curves.values))
    swfx.write(forged, workload)
    for file in (run.parent / "load_report.json", run / "run.json"):
        file.write_text(file.read_text().replace(jobs.digest(), forged.digest()))

    assert sound.code == 0
    [check] = [each for each in json.loads(sound.out)["checks"] if each["name"] == "bill"]
    assert check["detail"].startswith(f"{run}: posting 6. Utility functions are those committed to")
    first = int(jobs.job_id[curves.defined][0])
    problem = f"job {first}: its utility function is not the one committed to on 20"
    refused(command("ledger", "verify", books, "--bill", run), problem)
    refused(command("invoice", run, "--ledger", books), problem)
    assert command("ledger", "verify", books).code == 0


def test_a_bill_of_another_ledger_is_refused(
    command: Command, books: Path, run: Path, tmp_path: Path
) -> None:
    command("bill", run)
    refused(command("ledger", "verify", books, "--bill", run), "reconciliation.csv: cannot be read")
    endow_all(command, books)
    command("invoice", run, "--ledger", books)
    command("ledger", "init", tmp_path / "other.db")

    answer = command("ledger", "verify", tmp_path / "other.db", "--bill", run)

    refused(answer, "names no posting of this ledger")
