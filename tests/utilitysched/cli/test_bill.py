"""`utilitysched bill`: totals that reconcile."""

from __future__ import annotations

import csv
import json
import re
from decimal import Decimal
from pathlib import Path

import pytest

from tests.utilitysched.cli.conftest import Command
from tests.utilitysched.preempted import stored_preempted
from tests.utilitysched.small import JOBS


@pytest.fixture
def run(command: Command, market: Path, tmp_path: Path) -> Path:
    command("simulate", market, "--out", tmp_path / "runs")
    return tmp_path / "runs" / "easy"


def charges(path: Path) -> list[Decimal]:
    with path.open() as file:
        return [Decimal(row["charge"]) for row in csv.DictReader(file)]


def test_first_price_adds_up_to_the_aggregate_utility_digit_for_digit(
    command: Command, run: Path
) -> None:
    answer = command("bill", run)

    utility = json.loads((run / "summary.json").read_text())["aggregate_utility"]
    total = Decimal(repr(utility))
    assert sum(charges(run / "charges.csv")) == total
    for kind in ("user", "group", "queue", "month"):
        assert sum(charges(run / f"statement-by-{kind}.csv")) == total
    assert f"The lines add up to {total:,.2f} SU" in answer.out
    assert answer.err.startswith("wrote charges.csv, statement-by-user.csv")


def test_lines_are_sorted_by_charge_and_summed(command: Command, run: Path) -> None:
    answer = command("bill", run, "--mechanism", "single-price:rate=0.5", "--by", "queue")

    lines = [line.split() for line in answer.out.splitlines()]
    first = next(i for i, line in enumerate(lines) if line[:1] == ["queue"]) + 2
    paid = [float(line[4].replace(",", "")) for line in lines[first : first + 3]]
    assert paid == sorted(paid, reverse=True)
    total = next(line for line in lines if line[:1] == ["total"])
    assert int(total[1]) == JOBS
    assert float(total[4].replace(",", "")) == pytest.approx(sum(paid))


def test_json_has_every_statement(command: Command, run: Path) -> None:
    document = json.loads(command("bill", run, "--json").out)

    assert document["mechanism"] == "first-price:reading=end"
    assert set(document["statements"]) == {"user", "group", "queue", "month"}
    assert all(check["holds"] for check in document["checks"])


def test_statuses_can_be_let_off(command: Command, run: Path) -> None:
    answer = command("bill", run, "--exclude-status", 1)

    assert f"0 jobs charged, {JOBS} excluded by status" in answer.out


def test_statuses_that_no_job_has_are_named(command: Command, run: Path) -> None:
    answer = command("bill", run, "--exclude-status", 77, "--exclude-status", 1)
    silent = command("bill", run, "--exclude-status", 77, "--quiet")

    assert answer.err.startswith("no job of this run has status 77: none is let off by it\n")
    assert silent.err == ""


def test_rounded_lines_still_add_up(command: Command, run: Path) -> None:
    command("bill", run, "--decimals", 2)

    lines = charges(run / "statement-by-user.csv")
    assert all(line.as_tuple().exponent == -2 for line in lines)
    total = json.loads((run / "summary.json").read_text())["aggregate_utility"]
    assert sum(lines) == round(Decimal(repr(total)), 2)


def test_the_same_bill_twice_is_the_same_bytes(command: Command, run: Path) -> None:
    command("bill", run)
    first = (run / "charges.csv").read_bytes(), (run / "statements.json").read_bytes()
    command("bill", run)

    assert ((run / "charges.csv").read_bytes(), (run / "statements.json").read_bytes()) == first


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "rules.toml"
    path.write_text("[currency]\ncode = 'EUR'\nrate = 0.5\n", "utf-8")
    return path


def test_rules_make_of_charges_what_is_to_be_paid(
    command: Command, run: Path, rules: Path, tmp_path: Path
) -> None:
    answer = command("bill", run, "--rules", rules, "--html", tmp_path / "pages", "--by", "account")

    with (run / "invoice.csv").open() as file:
        paid = sum(Decimal(row["amount"]) for row in csv.DictReader(file))
    assert f"The lines add up to {paid:,f} EUR." in answer.out
    assert paid == Decimal(json.loads((run / "invoice.json").read_text())["total"])
    assert (tmp_path / "pages" / "index.html").is_file()


def test_what_other_choices_would_have_cost_stands_on_invoices(
    command: Command, market: Path, tmp_path: Path
) -> None:
    command("simulate", market, "--scheduler", "value-density", "--out", tmp_path / "runs")
    pages = tmp_path / "pages"
    how = ("--mechanism", "vcg", "--by", "user", "--html", pages)

    answer = command("bill", tmp_path / "runs/value-density", *how, "--savings", "5")

    assert answer.code == 0, answer.err
    assert "asking what other choices would have cost" in answer.err
    said = {
        path.name: found[0]
        for path in pages.glob("*.html")
        if (found := re.findall("Job 49, .* SU by list, would have been .*", path.read_text()))
    }
    assert len(said) == 2  # the invoice and its evidence
    for text in said.values():
        assert "4.56 SU by list, would have been 0.00 SU if its utility function" in text
        assert "; 2.90 SU if 8 min had been asked for, not" in text


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--mechanism", "vcg"), "field --savings: goes on invoices; add --html FOLDER"),
        (
            ("--html", "pages"),
            "field --savings: first-price:reading=end does not ask what would have been;",
        ),
    ],
)
def test_savings_that_cannot_be_asked_are_refused(
    command: Command, run: Path, options: tuple[str, ...], said: str
) -> None:
    answer = command("bill", run, *options, "--savings", "2")

    assert answer.code == 2
    assert answer.err.startswith(f"error: {said}")
    assert not (run / "charges.csv").exists()


def test_invoices_as_pdf_alone(command: Command, run: Path, rules: Path, tmp_path: Path) -> None:
    answer = command("bill", run, "--rules", rules, "--pdf", tmp_path / "paper", "--by", "user")

    made = list((tmp_path / "paper").iterdir())
    assert f"wrote {len(made)} files in {tmp_path / 'paper'}" in answer.err
    assert made
    assert all(path.read_bytes().startswith(b"%PDF") for path in made)


def test_json_has_the_invoice(command: Command, run: Path, rules: Path) -> None:
    document = json.loads(command("bill", run, "--rules", rules, "--json").out)

    assert document["invoice"] == json.loads((run / "invoice.json").read_text())


def test_a_bill_without_rules_leaves_no_invoice_of_an_earlier_one(
    command: Command, run: Path, rules: Path
) -> None:
    command("bill", run, "--rules", rules)
    command("bill", run)

    assert list(run.glob("invoice*")) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--exclude-status", 0], "--exclude-status and --exclude-state do not go with --rules"),
        (["--decimals", 2], "--decimals does not go with --rules; write decimals below"),
        (["--by", "year"], "no statement by 'year'"),
    ],
)
def test_options_that_do_not_go_with_rules(
    command: Command, run: Path, rules: Path, options: list[object], message: str
) -> None:
    answer = command("bill", run, "--rules", rules, *options)

    assert answer.code == 2
    assert message in answer.err


def test_jobs_that_were_preempted_pay_for_all_their_segments(
    command: Command, tmp_path: Path
) -> None:
    directory = stored_preempted(tmp_path / "runs")

    command("bill", directory, "--mechanism", "single-price:rate=3600")

    with (directory / "charges.csv").open() as file:
        hours = [float(row["processor_hours"]) * 3600 for row in csv.DictReader(file)]
    assert hours == [512, 30, 20]
    assert charges(directory / "charges.csv") == [512, 30, 20]
    assert command("bill", directory).out  # by turnaround: from the submission to the last end
    assert charges(directory / "charges.csv") == [47, 0, 0]


def test_a_bill_says_who_pays_for_preemption(command: Command, tmp_path: Path) -> None:
    """Job 11 loses 20 s of work and 8 s of restart on 4 processors to job 12 of user 2."""
    directory = stored_preempted(tmp_path / "runs")

    answer = command("bill", directory, "--mechanism", "single-price:rate=3600,lost=preemptor")

    said = " ".join(answer.out.split())
    assert "charge (SU) share (%) times preempted for stops (SU)" in said
    assert "2 2 0.02 0.00 162.00 28.8 0 112.00" in said
    assert "total 3 0.16 47.00 562.00 100.0 1 112.00" in said
    assert (
        "1 preemption lost 0.03111 processor-hours, at 112.00 SU: 112.00 SU of that is charged,"
        " 0.00 SU borne by the centre." in said
    )
    with (directory / "charges.csv").open() as file:
        rows = list(csv.DictReader(file))
    parts = [[row[name] for name in ("preemptions", "own_charge", "waste_charge")] for row in rows]
    assert parts == [
        ["1", "400.000000", "0.000000"],
        ["0", "30.000000", "112.000000"],
        ["0", "20.000000", "0.000000"],
    ]
    told = json.loads((directory / "statements.json").read_text())["waste"]
    assert (told["payer"], told["preemptions"], told["price"]) == ("preemptor", 1, "112.000000")
    assert [
        check["holds"] for check in json.loads(command("bill", directory, "--json").out)["checks"]
    ]


@pytest.mark.parametrize(
    ("decimals", "rate", "told"),
    [
        ((), "1.01", "at 0.03 SU: 0.03 SU of that is charged, 0.00 SU borne"),
        (("--decimals", "4"), "1.01", "at 0.0314 SU: 0.0314 SU of that is charged"),
        (("--decimals", "0"), "1.01", "at 0 SU: 0 SU of that is charged, 0 SU borne"),
        (("--decimals", "40"), "3600", "at 112.000000 SU: 112.000000 SU of that is charged"),
    ],
)
def test_what_preemptions_cost_is_rounded_as_the_lines_are(
    decimals: tuple[str, ...], rate: str, told: str, command: Command, tmp_path: Path
) -> None:
    directory = stored_preempted(tmp_path / "runs")

    answer = command(
        "bill", directory, "--mechanism", f"single-price:rate={rate},lost=preemptor", *decimals
    )

    assert told in " ".join(answer.out.split())
    exact = json.loads((directory / "statements.json").read_text())["waste"]
    assert Decimal(exact["price"]) == Decimal(exact["paid"]) + Decimal(exact["borne"])
    assert float(exact["price"]) == pytest.approx(112 * float(rate) / 3600)


def test_who_paid_for_a_preemption_is_explained_and_computed_again(
    command: Command, tmp_path: Path
) -> None:
    directory = stored_preempted(tmp_path / "runs")
    command("bill", directory, "--mechanism", "single-price:rate=3600,lost=preemptor")

    answer = command("explain-charge", directory, 12)

    said = " ".join(answer.out.split())
    assert "It pays 112.00 SU for the losses of others: job 11 (112.00)." in said
    assert "identical to the last decimal" in said
    table = directory / "waste.csv"
    table.write_text(table.read_text().replace("112.000000,2,12,112", "112.000000,2,12,111"))
    answer = command("explain-charge", directory, 11)
    assert answer.code == 2
    assert "waste.csv:2: job 11: field paid says 111.000000, its evidence 112.000000" in answer.out


def test_lines_of_an_invoice_for_displaced_jobs_add_up(command: Command, tmp_path: Path) -> None:
    """Job 11 of user 1 is worth 47 SU; user 2's job 12 displaced it, at a price of 12.50 SU."""
    directory = stored_preempted(tmp_path / "runs", value_lost=12.5)

    command("bill", directory, "--mechanism", "first-price:reading=end", "--drawn-values",
            "--html", tmp_path / "pages", "--by", "user")  # fmt: skip

    displaced, displacing = (
        " ".join(re.sub("<[^>]+>", " ", page.read_text()).split())
        for page in (tmp_path / "pages" / f"000{user}-user-{user}.html" for user in (1, 2))
    )
    assert "Received for having been displaced -12.50 SU To pay 34.50 SU" in displaced
    assert "For jobs of others that these displaced 0.00 SU" in displaced
    assert "For jobs of others that these displaced 12.50 SU" in displacing
    assert "Received for having been displaced 0.00 SU To pay 12.50 SU" in displacing


def test_statements_to_print_say_who_pays_for_preemption(command: Command, tmp_path: Path) -> None:
    directory = stored_preempted(tmp_path / "runs")

    command("bill", directory, "--mechanism", "single-price:lost=preemptor,rate=3600",
            "--html", tmp_path / "pages", "--by", "user")  # fmt: skip

    pages = {path.name: path.read_text() for path in (tmp_path / "pages").glob("*.html")}
    lost = "SU of the list price is for work lost in stops"
    assert f"0.00 {lost} (1 preemption of these jobs)." in pages["0001-user-1.html"]
    assert f"112.00 {lost} (no stop of these jobs)." in pages["0002-user-2.html"]
    evidence = pages["0002-user-2-evidence.html"]
    assert (
        "price: 142.00 SU, 112.00 of them for work lost in stops, 3600 SU per processor" in evidence
    )
    assert "It pays 112.00 SU for the losses of others: job 11 (112.00)." in evidence


def test_rules_and_ledger_take_what_is_paid_for_preemption(
    command: Command, tmp_path: Path
) -> None:
    directory, rules = stored_preempted(tmp_path / "runs"), tmp_path / "rules.toml"
    rules.write_text("minimum_charge = 50\n")
    command("ledger", "init", tmp_path / "ledger.db")
    for user in (1, 2):
        command("ledger", "endow", tmp_path / "ledger.db", f"user:{user}", 1000)

    answer = command("bill", directory, "--mechanism", "single-price:lost=preemptor,rate=3600",
                     "--rules", rules, "--ledger", tmp_path / "ledger.db")  # fmt: skip

    assert answer.code == 0, answer.err
    with (directory / "invoice.csv").open() as file:
        assert [row["due"] for row in csv.DictReader(file)] == ["400", "142", "50"]
