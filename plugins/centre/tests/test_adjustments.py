"""Adjustments of single jobs: files of them, and the credit notes that follow."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from plugins.centre.tests.test_billing_run import FIRST, LATE, OCTOBER, SECOND, Centre, live
from swfx import InputError
from utilitysched_centre.accounts import CREDIT_NOTE, INVOICE, Book, Money, Terms, create
from utilitysched_centre.adjustments import (
    ADJUSTMENTS_FILE,
    AdjustedMonth,
    Adjustment,
    BilledJob,
    append_adjustment,
    rounded_credits,
)
from utilitysched_centre.billing_config import read_config
from utilitysched_centre.billing_run import adjust
from utilitysched_centre.month_bill import BilledMonth
from utilitysched_centre.report.billing_run import account_lines, remarks
from utilitysched_centre.staging import staging

HALF = '[[adjust]]\njob = "{}"\npercent = 50\nreason = "slow node"\n'

IN_OCTOBER = 'month = "2026-10"\nreason = "x"'

JOBS = (
    BilledJob("102_1", "optics", "a", 1921, 365),
    BilledJob("103 (run 1)", "optics", "b", 100, 19),
    BilledJob("103 (run 2)", "optics", "c", 200, 38),
    BilledJob("104+0", "optics", "d", 301, 57),
    BilledJob("104+1", "optics", "e", 700, 133),
    BilledJob("105", "optics", "f", 100, 19),
    BilledJob("105", "climate", "g", 100, 19),
    BilledJob("106", "climate", "h", 0, 0),
    BilledJob("107", "climate", "i", 5, 1),
    BilledJob("107", "climate", "j", 5, 1),
    BilledJob("108_1", "climate", "k", 40, 8),
    BilledJob("108_2 (run 1)", "climate", "l", 0, 0),
    BilledJob("108_2 (run 2)", "climate", "m", 60, 12),
)
MONTH = AdjustedMonth(OCTOBER, JOBS, 2)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / ADJUSTMENTS_FILE


@pytest.fixture
def centre(tmp_path: Path) -> Centre:
    return Centre(tmp_path)


def issued(billed: BilledMonth) -> list[tuple[str, str, int, str]]:
    return [(one.number[-2:], one.kind, one.amount, one.corrects[-2:]) for one in billed.issued]


def adjusted(centre: Centre, text: str) -> None:
    (centre.folder / ADJUSTMENTS_FILE).write_text(text, "utf-8")


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ("percent = 50", r":1: field adjust\[0\]: reason is missing; add reason, such as"),
        ("percent = 50\nreason = ''", r":4: field adjust\[0\].reason: is empty"),
        ("reason = 'x'", r":2: .*job: has neither percent nor amount; give one of them"),
        ("percent = 5\namount = 5\nreason = 'x'", "has both percent and amount"),
        ("percent = 101\nreason = 'x'", r":3: .*percent: 101 is out of range"),
        ("percent = -1\nreason = 'x'", "-1 is out of range"),
        ("percent = 0\nreason = 'x'", "gives nothing back"),
        ("amount = 5\nreason = 'x'", r":3: .*amount: has no month; add the month of the invoice"),
        (f"amount = 22.87\n{IN_OCTOBER}", r"given back of 102_1 than the 22\.86 that it cost;"),
        (f"amount = 1.001\n{IN_OCTOBER}", "has more than 2 decimals"),
        ("percent = 5\nreason = 'x'\nwhy = 'x'", "is not a known key"),
        ("month = '2026-13'\npercent = 5\nreason = 'x'", "is no month"),
    ],
)
def test_an_adjustment_that_cannot_be_used(file: Path, keys: str, message: str) -> None:
    file.write_text(f"[[adjust]]\njob = '102_1'\n{keys}\n", "utf-8")
    with pytest.raises(InputError, match=message):
        MONTH.read(file)


@pytest.mark.parametrize(
    ("job", "message"),
    [
        ("999", r":2: .*job: no job 999 is billed in 2026-10; name it as Slurm prints it"),
        ("103", r'103 ran more than once; name "103 \(run 1\)", "103 \(run 2\)"'),
        ("108_2", r'108_2 ran more than once; name "108_2 \(run 1\)", "108_2 \(run 2\)"'),
        ("105", "105 is a job of several accounts; name account, too: climate, optics"),
        ("106", "106 cost nothing"),
        ("107", "107 is the name of 2 jobs of climate; refund it by"),
        ("102_1'\naccount = 'climate", ":3: .*account: 102_1 is no job of climate; name optics"),
    ],
)
def test_a_job_that_cannot_be_told(file: Path, job: str, message: str) -> None:
    file.write_text(
        f"[[adjust]]\njob = '{job}'\nmonth = '2026-10'\npercent = 5\nreason = 'x'\n", "utf-8"
    )
    with pytest.raises(InputError, match=message):
        MONTH.read(file)


def test_more_than_a_job_cost_is_never_given_back(file: Path) -> None:
    file.write_text(HALF.format("102_1") * 2, "utf-8")
    assert sum(one.net for one in MONTH.read(file).credits) == 1921
    file.write_text(HALF.format("102_1") * 3, "utf-8")
    with pytest.raises(
        InputError, match=r"toml:10: .*adjust\[2\].job: more .* cost, of which 0\.00"
    ):
        MONTH.read(file)


def test_names_of_runs_parts_and_accounts(file: Path) -> None:
    file.write_text(
        HALF.format("103 (run 2)")
        + HALF.format("104")
        + HALF.format("104+0")
        + HALF.format("105").replace("percent", "account = 'climate'\npercent")
        + HALF.format("998"),  # perhaps in another month
        "utf-8",
    )
    found = MONTH.read(file)

    assert [one.job.reference for one in found.credits] == ["c", "d", "e", "d", "g"]
    assert [one.job for one in found.elsewhere] == ["998"]
    assert len({one.key for one in found.credits}) == 4  # parts share one


def test_the_number_of_an_array_is_the_name_of_all_its_tasks(file: Path) -> None:
    file.write_text(HALF.format("108"), "utf-8")
    found = MONTH.read(file).credits
    assert [(one.job.name, one.net, one.tax) for one in found] == [
        ("108_1", 20, 4),
        ("108_2 (run 2)", 30, 6),
    ]


def test_an_amount_is_given_back_to_the_last_cent(file: Path) -> None:
    file.write_text(f"[[adjust]]\njob = 104\namount = 3.33\n{IN_OCTOBER}\n", "utf-8")
    found = MONTH.read(file).credits

    given = rounded_credits(found, {job.reference: (job.net, job.tax) for job in JOBS})

    assert [one.job.name for one in found] == ["104+0", "104+1"]
    assert sum(map(sum, given)) == 333
    assert given == [(84, 16), (196, 37)]


def test_an_adjustment_is_rounded_by_itself(file: Path) -> None:
    """As announced, whatever else is on the document."""
    file.write_text(HALF.format("104") + HALF.format("102_1"), "utf-8")
    found = MONTH.read(file).credits

    given = rounded_credits(found, {job.reference: (job.net, job.tax) for job in JOBS})

    # 150.5 + 28.5 and 350 + 66.5, 595.5 altogether; 960.5 + 182.5, 1143 altogether
    assert given == [(150, 29), (350, 67), (960, 183)]


def test_two_halves_are_the_whole(file: Path) -> None:
    month = AdjustedMonth(OCTOBER, [BilledJob("9", "optics", "a", 5, 1)], 2)
    file.write_text(HALF.format("9") * 2, "utf-8")
    given = rounded_credits(month.read(file).credits, {"a": (5, 1)})
    assert [*map(sum, zip(*given, strict=True))] == [5, 1]


def test_half_of_a_job_is_half_of_its_amount(file: Path) -> None:
    file.write_text(HALF.format("102_1"), "utf-8")
    [(net, tax)] = rounded_credits(MONTH.read(file).credits, {"a": (1921, 365)})
    assert net + tax == 1143  # of 22.86


def test_what_is_written_is_read_and_written_once(file: Path) -> None:
    one = Adjustment("102_1", 'a "slow" node', "optics", OCTOBER, percent=Fraction("33.3"))
    assert append_adjustment(file, one, MONTH)
    assert not append_adjustment(file, one, MONTH)
    file.write_text(file.read_text("utf-8").rstrip("\n"), "utf-8")
    other = Adjustment("105", "x", "climate", OCTOBER, amount=Fraction("0.5"))
    assert append_adjustment(file, other, MONTH)

    assert [one.reason for one in MONTH.read(file).credits] == ['a "slow" node', "x"]
    before = file.read_bytes()
    with pytest.raises(
        InputError, match=r"job: more .* 105 than the 1\.19 .* which 0\.69 are left"
    ):
        append_adjustment(file, Adjustment("105", "y", "climate", OCTOBER, Fraction(99)), MONTH)
    assert file.read_bytes() == before


def test_an_invoice_that_stands_gets_a_credit_note(centre: Centre) -> None:
    centre.listing(OCTOBER, *FIRST, *SECOND)
    centre.run()
    adjusted(centre, HALF.format(1))

    billed = centre.run()

    assert issued(billed) == [("03", CREDIT_NOTE, 400, "02")]
    note = (billed.directory / "invoices" / "2026-10-0003.html").read_text("utf-8")
    assert "slow node" in note
    assert "2026-10-0002" in note
    assert centre.balances() == {"project:physics": -400, "project:biology": -300}
    assert centre.run().issued == ()
    adjusted(centre, HALF.format(1) + HALF.format(2))
    assert issued(centre.run()) == [("04", CREDIT_NOTE, 150, "01")]


def test_a_new_invoice_carries_its_credits(centre: Centre) -> None:
    """Also one that replaces another: adjustments are in force again, each once."""
    centre.listing(OCTOBER, *FIRST, *SECOND)
    adjusted(centre, HALF.format(2))
    assert issued(centre.run()) == [("01", INVOICE, 150, ""), ("02", INVOICE, 800, "")]
    assert centre.balances() == {"project:physics": -800, "project:biology": -150}
    centre.listing(OCTOBER, *FIRST, *SECOND, *LATE)

    billed = centre.run()

    assert issued(billed) == [("03", CREDIT_NOTE, 150, "01"), ("04", INVOICE, 1150, "")]
    assert centre.balances() == {"project:physics": -800, "project:biology": -1150}
    assert centre.run().issued == ()


def test_refunds_made_in_the_ledger_alone_get_a_credit_note(centre: Centre) -> None:
    """And stay given back when the invoice is replaced."""
    centre.listing(OCTOBER, *FIRST, *SECOND)
    centre.run()
    with Book(centre.folder / "books.db") as book:
        [entry] = [one for one in book.history() if str(one.account) == "project:biology"]
        book.refund(str(entry.reference), 1, memo="node failure")
        [check] = [check for check in book.verify() if not check.holds]
        assert "gave back 1.00 SU for job 2 of 2026-10-0001 without a credit note" in check.detail

    billed = centre.run()

    assert issued(billed) == [("03", CREDIT_NOTE, 100, "01")]
    assert [*remarks(billed)] == [
        "Given back in the ledger alone: 1.00 for job 2 by posting 3; 2026-10-0003 says so now."
    ]
    assert "node failure" in (billed.directory / "invoices/2026-10-0003.html").read_text("utf-8")
    assert centre.balances() == {"project:physics": -800, "project:biology": -200}
    centre.listing(OCTOBER, *FIRST, *SECOND, *LATE)
    assert issued(centre.run()) == [("04", CREDIT_NOTE, 200, "01"), ("05", INVOICE, 1200, "")]
    assert centre.balances() == {"project:physics": -800, "project:biology": -1200}
    adjusted(centre, HALF.format(2).replace("50", "100"))
    with pytest.raises(InputError, match=r"give back more of 2 than the 2\.00 that are left of it"):
        centre.run()


def test_a_refund_that_no_document_can_state_is_completed(centre: Centre) -> None:
    """A ledger may have more decimals than documents."""
    (centre.folder / "books.db").unlink()
    create(centre.folder / "books.db", Terms(Money("SU", 4), "project", None))
    centre.listing(OCTOBER, *FIRST)
    centre.run()
    with Book(centre.folder / "books.db") as book:
        reference = str(book.history()[0].reference)
        book.refund(reference, "1.0001")

        with pytest.raises(InputError, match=rf"and documents have 2 dec.*{reference} 0\.0099"):
            centre.run()

        book.refund(reference, "0.0099")
    assert [one.amount for one in centre.run().issued] == [10100]
    assert centre.balances() == {"project:physics": -69900}


def test_all_given_back_in_the_ledger_leaves_the_invoice_alone(centre: Centre) -> None:
    centre.listing(OCTOBER, *FIRST, *SECOND)
    centre.run()
    with Book(centre.folder / "books.db") as book:
        book.undo(1)

    assert issued(centre.run()) == [("03", CREDIT_NOTE, 300, "01"), ("04", CREDIT_NOTE, 800, "02")]
    assert len(live(centre)) == 2
    assert centre.run().issued == ()
    assert centre.balances() == {"project:physics": 0, "project:biology": 0}
    centre.listing(OCTOBER, *FIRST)  # a job that is no longer there
    assert issued(centre.run()) == [("05", CREDIT_NOTE, 0, "01")]
    assert centre.balances() == {"project:physics": 0, "project:biology": 0}


def test_a_refund_of_more_than_a_job_costs_now_is_carried_over_in_part(centre: Centre) -> None:
    centre.listing(OCTOBER, *FIRST, *SECOND)
    centre.run()
    for amount in (3, 2):
        with Book(centre.folder / "books.db") as book:
            entry = next(one for one in book.history() if one.job == 1)
            book.refund(str(entry.reference), amount)
        centre.run()
    text = centre.config.read_text("utf-8").replace("rate=1", "rate=0.5")
    centre.config.write_text(text, "utf-8")

    billed = centre.run()

    assert [one.amount for one in billed.issued if one.kind == INVOICE] == [150, 0]
    assert centre.balances() == {"project:physics": 0, "project:biology": -150}
    assert centre.run().issued == ()


def test_an_issued_adjustment_stands_when_it_leaves_the_file(centre: Centre) -> None:
    centre.listing(OCTOBER, *FIRST, *SECOND)
    adjusted(centre, HALF.format(1))
    centre.run()
    adjusted(centre, HALF.format(7).replace("percent", "month = '2026-11'\npercent"))

    billed = centre.run()

    assert billed.issued == ()
    assert [*remarks(billed)] == [
        "Adjustments: 0 in force in 2026-10.",
        "Not for this month: the adjustment of job 7 is of 2026-11.",
        (
            "No longer in the file: the adjustment of job 1 stands, for 2026-10-0002 says so; what"
            " is issued is not taken back."
        ),
    ]


def test_tasks_that_get_nothing_are_not_listed(centre: Centre) -> None:
    """An array of three at 5.00 each gets 0.01, where all else would be lines of 0.00."""
    tasks = [LATE[0].replace("3|3", f"4_{n}|{n}").replace("-02T", f"-0{n}T") for n in (1, 2)]
    centre.listing(OCTOBER, *FIRST, *tasks)
    centre.run()
    small = HALF.format(4).replace("percent = 50", "month = '2026-10'\namount = 0.01")
    adjusted(centre, HALF.format(1).replace("50", "33.333") + small)

    billed = centre.run()

    assert [(line.job, line.amount) for line in billed.live_lines()] == [("4_1", 1), ("1", 267)]
    assert centre.run().issued == ()


@pytest.mark.parametrize(("old", "new"), [("slow node", "slow nodes"), ("50", "30")])
def test_an_edited_adjustment_gives_nothing_back_again(centre: Centre, old: str, new: str) -> None:
    centre.listing(OCTOBER, *FIRST, *SECOND)
    centre.run()
    adjusted(centre, HALF.format(1))
    centre.run()
    adjusted(centre, HALF.format(1).replace(old, new))

    with pytest.raises(InputError, match=r"gave back 4\.00 for job 1 \('slow node'\) was changed"):
        centre.run()

    assert centre.balances() == {"project:physics": -400, "project:biology": -300}
    adjusted(centre, HALF.format(1).replace("50", "10") + HALF.format(1))
    assert issued(centre.run()) == [("04", CREDIT_NOTE, 80, "02")]


def test_less_than_half_a_cent_issues_nothing(centre: Centre) -> None:
    centre.listing(OCTOBER, *FIRST, *SECOND)
    centre.run()
    adjusted(centre, HALF.format(2).replace("50", "0.1"))
    assert centre.run().issued == ()


def test_adjust_says_what_follows(centre: Centre) -> None:
    centre.listing(OCTOBER, *FIRST, *SECOND)
    config = read_config(centre.config)
    one = Adjustment("1", "slow node", month=OCTOBER, percent=Fraction(50))

    before = adjust(config, one)
    assert (before.is_new, before.invoice) == (True, None)
    centre.run()
    again = adjust(config, one)

    assert not again.is_new
    assert again.invoice is not None
    assert again.invoice.amount == 400
    assert not list((centre.folder / "billing").glob(".*"))


def test_an_adjustment_is_not_lost_beside_another_or_a_billing_run(centre: Centre) -> None:
    centre.listing(OCTOBER, *FIRST)
    one = Adjustment("1", "slow node", month=OCTOBER, percent=Fraction(50))

    with (
        staging(centre.folder / "billing"),
        pytest.raises(InputError, match="another billing run is at work here"),
    ):
        adjust(read_config(centre.config), one)

    assert not (centre.folder / ADJUSTMENTS_FILE).exists()


def test_columns_add_up_to_the_documents(centre: Centre) -> None:
    centre.listing(OCTOBER, *FIRST, *SECOND, *LATE)
    adjusted(centre, HALF.format(1) + HALF.format(3))
    billed = centre.run()

    for one in account_lines(billed):
        assert one.to_pay == one.charged + one.further - one.given_back
    assert sum(one.to_pay for one in account_lines(billed)) == 400 + 300 + 500
