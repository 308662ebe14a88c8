"""Months of a log, billed once and again."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from swfx import InputError
from swfx.reading.notes import Echo
from utilitysched_centre.accounts import (
    CREDIT_NOTE,
    INVOICE,
    Book,
    Document,
    Money,
    OverdraftError,
    Terms,
    create,
)
from utilitysched_centre.billing_config import read_config
from utilitysched_centre.billing_run import billing_run
from utilitysched_centre.month_bill import BilledMonth
from utilitysched_centre.month_documents import CHARGED, MonthIssue
from utilitysched_centre.register import check_register
from utilitysched_centre.report.billing_run import remarks
from utilitysched_centre.report.statements import read_document_file, statement
from utilitysched_centre.staging import Staging, staging

NAMES = "JobID|JobIDRaw|User|Account|Submit|Start|End|State|AllocCPUS"
FIRST = ("1|1|ann|physics|{0}-01T00:00:00|{0}-01T01:00:00|{0}-01T03:00:00|COMPLETED|4",)  # 8 hours
SECOND = ("2|2|bob|biology|{0}-02T00:00:00|{0}-02T00:00:00|{0}-02T03:00:00|COMPLETED|1",)  # 3
LATE = ("3|3|bob|biology|{0}-02T00:00:00|{0}-03T00:00:00|{0}-03T05:00:00|TIMEOUT|2",)  # 10
OCTOBER, NOVEMBER = "2026-10", "2026-11"
TODAY = date(2026, 12, 1)


class Centre:
    """A centre that bills by the processor-hour; accounts of the log pay."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.config = folder / "billing.toml"
        self.config.write_text(
            'log = "slurm:sacct-*.txt"\nprocessors = 64\n'
            'mechanism = "single-price:rate=1"\nledger = "books.db"\n',
            "utf-8",
        )
        create(folder / "books.db", Terms(Money("SU", 2), "project", None))

    def listing(self, month: str, *rows: str) -> None:
        lines = [NAMES, *(row.format(month) for row in rows)]
        (self.folder / f"sacct-{month}.txt").write_text("\n".join(lines) + "\n", "utf-8")

    def run(
        self, month: str = OCTOBER, today: date = TODAY, echo: Echo = lambda _: None
    ) -> BilledMonth:
        return billing_run(read_config(self.config), month, today, echo=echo)

    def balances(self) -> dict[str, int]:
        with Book(self.folder / "books.db") as book:
            assert [check for check in book.verify() if not check.holds] == []
            if book.documents():
                assert check_register(self.folder / "billing", book) == []
            return {str(one.account): one.available for one in book.balances()}


@pytest.fixture
def centre(tmp_path: Path) -> Centre:
    return Centre(tmp_path)


def amounts(billed: BilledMonth) -> list[tuple[str, str, int]]:
    return [(one.number, one.kind, one.amount) for one in billed.issued]


def live(centre: Centre, month: str = OCTOBER) -> list[Document]:
    with Book(centre.folder / "books.db") as book:
        return list(book.live(month).values())


def test_a_month_is_billed_once(centre: Centre) -> None:
    centre.listing(OCTOBER, *FIRST, *SECOND)
    centre.listing(NOVEMBER, *FIRST)

    billed = centre.run()

    assert amounts(billed) == [
        ("2026-10-0001", INVOICE, 300),
        ("2026-10-0002", INVOICE, 800),
    ]
    assert centre.balances() == {"project:physics": -800, "project:biology": -300}
    again = centre.run()
    assert (again.issued, again.documents) == ((), billed.documents)
    assert centre.balances() == {"project:physics": -800, "project:biology": -300}
    next_month = centre.run(NOVEMBER)
    assert amounts(next_month) == [("2026-11-0001", INVOICE, 800)]
    assert centre.balances() == {"project:physics": -1600, "project:biology": -300}


def test_a_billing_run_says_how_far_it_is(centre: Centre) -> None:
    centre.listing(OCTOBER, *FIRST, *SECOND)
    shares: list[float] = []
    billing_run(read_config(centre.config), OCTOBER, TODAY, on_progress=shares.append)
    assert shares == [CHARGED, (1 + CHARGED) / 2]


def test_what_holds_for_a_month_is_worked_out_once(
    centre: Centre, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not for each of its documents: there may be hundreds, of as many thousand jobs."""
    calls = []
    monkeypatch.setattr(statement, "applied", lambda bill: calls.append(bill) or [])
    centre.listing(OCTOBER, *FIRST, *SECOND)
    assert len(centre.run().issued) == 2
    assert len(calls) == 1


def test_a_credit_note_says_nothing_of_the_new_listing(centre: Centre) -> None:
    centre.listing(OCTOBER, *FIRST, *SECOND)
    centre.run()
    centre.listing(OCTOBER, *FIRST, *SECOND, *LATE)
    folder = centre.run().directory / "invoices"
    [old, note, new] = [read_document_file(folder / f"2026-10-000{n}.json") for n in (1, 3, 4)]
    assert (old.jobs, note.jobs, new.jobs) == (1, 0, 2)
    assert (note.usage, note.about, note.rules) == ((), "", ())
    assert old.basis == new.basis == "recorded by Slurm"


def test_a_listing_that_has_grown_is_corrected_for_whom_it_concerns(centre: Centre) -> None:
    centre.listing(OCTOBER, *FIRST, *SECOND)
    first = centre.run()
    centre.listing(OCTOBER, *FIRST, *SECOND, *LATE)

    second = centre.run()

    assert amounts(second) == [
        ("2026-10-0003", CREDIT_NOTE, 300),
        ("2026-10-0004", INVOICE, 1300),
    ]
    assert (second.issued[0].corrects, second.issued[0].cancels) == ("2026-10-0001", True)
    assert second.documents == (*first.issued, *second.issued)
    assert centre.balances() == {"project:physics": -800, "project:biology": -1300}
    centre.listing(OCTOBER, *FIRST, *SECOND)  # and back
    assert [one.amount for one in centre.run().issued] == [1300, 300]
    assert centre.balances() == {"project:physics": -800, "project:biology": -300}
    centre.listing(OCTOBER, *FIRST)  # a job that is no longer there
    assert [(one.kind, one.amount) for one in centre.run().issued] == [(CREDIT_NOTE, 300)]
    assert centre.balances() == {"project:physics": -800, "project:biology": 0}
    assert centre.run().issued == ()


@pytest.mark.parametrize(
    ("owner", "name"),
    [(MonthIssue, "_add"), (Staging, "complete"), (Staging, "settle")],
)
def test_a_run_that_broke_off_is_taken_up_again(
    centre: Centre, owner: type, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While documents are staged, before the ledger has them, and before they are published."""
    centre.listing(OCTOBER, *FIRST, *SECOND)
    centre.run()
    centre.listing(OCTOBER, *FIRST, *SECOND, *LATE)
    whole, calls = getattr(owner, name), []

    def broken(*words: object) -> object:
        calls.append(words)
        if name == "settle" and len(calls) == 1:  # what was left from before
            return whole(*words)
        raise RuntimeError("broke off")

    with monkeypatch.context() as patch:
        patch.setattr(owner, name, broken)
        with pytest.raises(RuntimeError, match="broke off"):
            centre.run()
    is_issued = name == "settle"
    assert (centre.folder / "billing" / ".staging").exists() is is_issued

    billed = centre.run()

    assert len(billed.issued) == (0 if is_issued else 2)
    assert sorted(one.amount for one in live(centre)) == [800, 1300]
    assert [one.number for one in billed.documents] == [f"2026-10-{k:04}" for k in range(1, 5)]
    assert centre.balances() == {"project:physics": -800, "project:biology": -1300}
    assert centre.run().issued == ()
    assert not (centre.folder / "billing" / ".staging").exists()


def test_the_run_of_another_month_publishes_what_is_staged(
    centre: Centre, monkeypatch: pytest.MonkeyPatch
) -> None:
    centre.listing(OCTOBER, *FIRST)
    centre.listing(NOVEMBER, *FIRST)
    with monkeypatch.context() as patch:
        patch.setattr("utilitysched_centre.staging._publish", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            centre.run()
    assert not (centre.folder / "billing" / OCTOBER).exists()

    centre.run(NOVEMBER, date(2026, 12, 31))

    assert (centre.folder / "billing" / OCTOBER / "invoices" / "2026-10-0001.html").exists()
    assert (centre.folder / "billing" / OCTOBER / "focus.csv").exists()
    assert centre.balances() == {"project:physics": -1600}


def test_a_document_that_was_edited_is_left_out_of_the_index(centre: Centre) -> None:
    centre.listing(OCTOBER, *FIRST, *SECOND)
    invoices = centre.run().directory / "invoices"
    path = invoices / "2026-10-0001.json"
    path.write_text(path.read_text("utf-8").replace('"biology"', '"zoology"'), "utf-8")
    said: list[str] = []

    centre.run(echo=said.append)

    assert f"left out of index and focus.csv: {path} is not as it was issued" in said
    index = (invoices / "index.html").read_text("utf-8")
    assert ("2026-10-0001" in index, "2026-10-0002" in index) == (False, True)


def test_who_cannot_pay_is_refused_and_nobody_pays(centre: Centre) -> None:
    (centre.folder / "books.db").unlink()
    create(centre.folder / "books.db", Terms(Money("SU", 2), "project", 0))
    centre.listing(OCTOBER, *FIRST, *SECOND)
    with pytest.raises(OverdraftError, match=r"8\.00 SU missing"):
        centre.run()
    assert not (centre.folder / "billing").exists()
    assert centre.balances() == {}


def test_a_closed_month_is_corrected_in_the_present_one(centre: Centre) -> None:
    centre.listing("2025-10", *FIRST, *SECOND)
    centre.run("2025-10")
    with Book(centre.folder / "books.db") as book:
        book.close("2025-10")
    centre.listing("2025-10", *FIRST, *SECOND, *LATE)
    centre.run("2025-10")
    with Book(centre.folder / "books.db") as book:
        months = {(one.month, one.charged - one.refunded) for one in book.income()}
    assert ("2025-10", 300) in months
    assert {paid for month, paid in months if month > "2025-10"} == {1000}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('log = "slurm:sacct-*.txt"', "mechanism is missing; add mechanism"),
        ('log = 1\nmechanism = "vcg"\nledger = "b.db"', "log: is a number, not a text"),
        ('mechanism = "vgc"\nlog = "x"\nledger = "b.db"', "mechanism: .*did you mean 'vcg'"),
        ('mechanisms = "vcg"', "is not a known key"),
    ],
)
def test_a_config_that_cannot_be_used(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "billing.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=message):
        read_config(path)


def test_a_month_without_jobs(centre: Centre) -> None:
    centre.listing(OCTOBER, *FIRST)
    with pytest.raises(InputError, match=r"no job completed in 2026-09; .* did from 2026-10"):
        centre.run("2026-09")


def test_curves_of_the_centre_s_own_lie_beside_the_configuration(centre: Centre) -> None:
    with centre.config.open("a", encoding="utf-8") as file:
        file.write('utilities = "curves:file=own.toml"\n')
    text = centre.config.read_text("utf-8").replace(
        "single-price:rate=1", "first-price:reading=end"
    )
    centre.config.write_text(text, "utf-8")
    own = centre.folder / "own.toml"
    own.write_text("default = 'a'\n[curves.a]\npoints = '0:7,9d:7'\nper = 'job'\n", "utf-8")
    centre.listing(OCTOBER, *FIRST)

    assert amounts(centre.run()) == [("2026-10-0001", INVOICE, 700)]

    own.write_text("default = 'b'\n", "utf-8")
    with pytest.raises(
        InputError, match=r"billing.toml:5: field utilities: .*own.toml.* curves is missing"
    ):
        centre.run()


def test_numbers_have_the_prefix_of_the_pages(centre: Centre) -> None:
    (centre.folder / "rules.toml").write_text("[invoice]\nprefix = 'HPC'\n", "utf-8")
    with centre.config.open("a", encoding="utf-8") as file:
        file.write('rules = "rules.toml"\n')
    centre.listing(OCTOBER, *FIRST)
    centre.run()
    centre.listing(OCTOBER, *FIRST, *(row.replace("bob|biology", "ann|physics") for row in LATE))

    billed = centre.run()

    assert [(one.number, one.corrects) for one in billed.issued] == [
        ("HPC-2026-10-0002", "HPC-2026-10-0001"),
        ("HPC-2026-10-0003", ""),
    ]
    pages = billed.directory / "invoices"
    assert "Invoice HPC-2026-10-0003" in (pages / "HPC-2026-10-0003.html").read_text("utf-8")
    note = (pages / "HPC-2026-10-0002.html").read_text("utf-8")
    assert "Invoice HPC-2026-10-0001 is cancelled" in note
    assert "8.00 SU" in note


def test_issued_files_are_never_replaced(centre: Centre) -> None:
    centre.listing(OCTOBER, *FIRST, *SECOND)
    invoices = centre.run().directory / "invoices"
    before = {path: path.read_bytes() for path in invoices.glob("2026-*")}
    assert len(before) == 2 * 4
    centre.listing(OCTOBER, *FIRST, *SECOND, *LATE)
    centre.run()

    assert {path: path.read_bytes() for path in before} == before
    assert len([*invoices.glob("2026-*")]) == 2 * 4 + 2 + 4
    index = (invoices / "index.html").read_text("utf-8")
    assert "cancelled by 2026-10-0003" in index


def test_a_ledger_that_does_not_know_a_document_issues_none_over_it(centre: Centre) -> None:
    centre.listing(OCTOBER, *FIRST)
    centre.run()
    (centre.folder / "books.db").unlink()
    create(centre.folder / "books.db", Terms(Money("SU", 2), "project", None))
    with pytest.raises(InputError, match=r"the ledger has no document 2026-10-0001, and there is"):
        centre.run()
    assert live(centre) == []


def test_a_month_that_is_not_over(centre: Centre) -> None:
    centre.listing(OCTOBER, *FIRST)
    today = date(2026, 10, 31)
    with pytest.raises(InputError, match=r"2026-10 is not over on 2026-10-31; .* --partial"):
        centre.run(today=today)
    assert not (centre.folder / "billing").exists()

    billed = billing_run(read_config(centre.config), OCTOBER, today, partial=True)

    assert amounts(billed) == [("2026-10-0001", INVOICE, 800)]


@pytest.mark.parametrize("place", ["2026-10", "2026-10/invoices", ".staging", ".staging/2026-10"])
def test_what_is_in_the_way_is_named_and_nothing_is_issued(centre: Centre, place: str) -> None:
    centre.listing(OCTOBER, *FIRST)
    path = centre.folder / "billing" / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("in the way", "utf-8")

    with pytest.raises(InputError, match=str(path)):
        centre.run()

    assert (live(centre), path.read_text("utf-8")) == ([], "in the way")


def test_what_is_issued_and_cannot_be_shown_is_shown_by_the_next_run(centre: Centre) -> None:
    centre.listing(OCTOBER, *FIRST)
    register = centre.folder / "billing" / "register.csv"
    register.mkdir(parents=True)

    with pytest.raises(InputError, match="is a directory; see to that; the next billing run pub"):
        centre.run()

    assert len(live(centre)) == 1
    register.rmdir()
    assert centre.run().issued == ()
    assert centre.balances() == {"project:physics": -800}


def test_one_billing_run_at_a_time(centre: Centre) -> None:
    centre.listing(OCTOBER, *FIRST)
    with (
        staging(centre.folder / "billing"),
        pytest.raises(InputError, match="another billing run is at work here"),
    ):
        centre.run()


@pytest.mark.parametrize("edited", ["999999.00", "NaN", "-3.00", "", None])
def test_nothing_is_believed_of_the_register(centre: Centre, edited: str | None) -> None:
    centre.listing(OCTOBER, *FIRST, *SECOND)
    centre.run()
    register = centre.folder / "billing" / "register.csv"
    right = register.read_text("utf-8")
    if edited is None:
        register.unlink()
    else:
        register.write_text(right.replace("3.00", edited), "utf-8")
    with Book(centre.folder / "books.db") as book:
        assert check_register(centre.folder / "billing", book)
    centre.listing(OCTOBER, *FIRST, *SECOND, *LATE)

    assert amounts(centre.run()) == [
        ("2026-10-0003", CREDIT_NOTE, 300),
        ("2026-10-0004", INVOICE, 1300),
    ]
    assert centre.balances() == {"project:physics": -800, "project:biology": -1300}


def test_accounts_pay_as_projects_do(tmp_path: Path) -> None:
    paid = []
    for kind in ("project", "account"):
        (folder := tmp_path / kind).mkdir()
        centre = Centre(folder)
        (folder / "books.db").unlink()
        create(folder / "books.db", Terms(Money("SU", 2), kind, None))
        centre.listing(OCTOBER, *FIRST, *SECOND)
        centre.run()
        centre.listing(OCTOBER, *FIRST, *SECOND, *LATE)
        paid.append([(one.account.name, one.kind, one.amount) for one in centre.run().documents])
        assert centre.balances() == {f"{kind}:physics": -800, f"{kind}:biology": -1300}
    assert paid[0] == paid[1]


def test_names_that_no_ledger_can_hold_are_on_invoices_and_are_listed(centre: Centre) -> None:
    strange = "phys:ics \u202e"
    centre.listing(OCTOBER, *SECOND, *(row.replace("physics", strange) for row in FIRST))

    billed = centre.run()

    [name] = {one.account.name for one in billed.issued} - {"biology"}
    assert name.startswith("physics~")
    pages = [path.read_text("utf-8") for path in (billed.directory / "invoices").glob("*2.json")]
    assert any(strange.strip() in page for page in pages)
    assert [*remarks(billed)] == [
        f"No account of a ledger can be called {strange!r}: project:{name} pays for it."
    ]
    assert centre.run().issued == ()
