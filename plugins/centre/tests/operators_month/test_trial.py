"""An operator's month: from sacct's listing to invoices, every amount recomputed by hand."""

from __future__ import annotations

import csv
import re
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from plugins.centre.tests.operators_month.by_hand import cells_of, exact_bill, in_cents, seconds
from utilitysched.cli.entry import run

LISTING = Path(__file__).with_name("sacct.txt")
RULES = """
[quantity]
weights = "CPU=1,GRES/gpu:a100=30"
[state]
OUT_OF_MEMORY = 50
"CANCELLED by another" = 0
[currency]
code = "EUR"
rate = 1
"""


def billed(folder: Path, command: str, *options: str) -> Path:
    log = f"slurm:{LISTING}"
    assert run([command, log, "--out", str(folder / "bill"), "--quiet", *options]) == 0
    return folder / "bill" / "recorded"


@pytest.fixture(scope="module")
def invoices(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("operator")
    (folder / "rules.toml").write_text(RULES, "utf-8")
    rules = str(folder / "rules.toml")
    options = ("--mechanism", "single-price:rate=0.35", "--rules", rules)
    return billed(folder, "invoice", *options, "--html", str(folder / "pages"))


@pytest.fixture(scope="module")
def charges(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, str]]:
    folder = billed(tmp_path_factory.mktemp("charges"), "bill", "--mechanism", "single-price")
    return rows(folder / "charges.csv")


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_the_amount_of_every_job_is_the_one_by_hand(invoices: Path) -> None:
    charged: dict[str, list[Decimal]] = {}
    for row in rows(invoices / "invoice.csv"):
        charged.setdefault(row["account"], []).append(Decimal(row["amount"]))

    assert charged == {
        account: [Decimal(cents).scaleb(-2) for cents in in_cents([due for _, due in jobs])]
        for account, jobs in exact_bill(LISTING).items()
    }
    assert charged.keys() == {"optics", "climate", "genomics"}


def test_hours_by_account_are_those_of_the_rows(charges: list[dict[str, str]]) -> None:
    by_hand: Counter[str] = Counter()
    for cells in cells_of(LISTING):
        if cells[13] not in {"NODE_FAIL", "BOOT_FAIL", "RUNNING", "PENDING", "DEADLINE"}:
            by_hand[cells[4]] += seconds(cells[11]) * int(cells[14])

    hours: Counter[str] = Counter()
    for row in charges:
        hours[row["account"]] += round(Fraction(row["processor_hours"]) * 3600)
    assert hours == by_hand


def test_names_and_states_are_those_of_the_listing(charges: list[dict[str, str]]) -> None:
    by_number = {row["job_id"]: row for row in charges}

    assert by_number["123"]["job_name"] == "a | in its name"
    assert by_number["104"]["user_name"] == "cleo"
    assert by_number["109"]["state"] == "CANCELLED by user"
    assert by_number["110"]["state"] == "CANCELLED by another"
    assert [by_number[n]["part_of"] for n in ("112", "113", "114", "115")] == ["112"] * 3 + [""]
    assert not {"111", "120", "121", "122"} & by_number.keys()


def test_nobody_is_told_to_have_asked_for_what_she_did_not(
    invoices: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def told(job: str) -> str:
        assert run(["explain-charge", str(invoices), job]) == 0
        return " ".join(capsys.readouterr().out.split())

    assert "requested 1 processor without a time limit (365 d by default)" in told("115")
    assert "requested 8 processors for 4 h" in told("101")  # it ran for longer
    assert "requested 2 processors for 4 h" in told("119")
    assert "ran for 2 min on 48 processors" in told("119")


def test_a_job_of_several_parts_is_one_line_of_the_invoice(invoices: Path) -> None:
    [page] = (invoices.parents[1] / "pages").glob("*-genomics.html")
    text = " ".join(re.sub("<[^>]*>", " ", page.read_text("utf-8")).split())

    assert "112 (3 parts) coupled eve 2026-10-03 07:08 15 min 18 1 4.02 " in text
    assert "all 4 jobs" in text
    assert " 113 coupled" not in text
    assert "Basis recorded by Slurm" in text


@pytest.mark.parametrize(
    ("states", "missing"),
    [
        ([], {"NODE_FAIL", "BOOT_FAIL"}),
        (["TIMEOUT", "CANCELLED"], {"NODE_FAIL", "BOOT_FAIL", "TIMEOUT"}),
        (["none"], set()),
    ],
)
def test_states_are_let_off_on_request(
    tmp_path: Path, states: list[str], missing: set[str]
) -> None:
    options = [word for state in states for word in ("--exclude-state", state)]
    folder = billed(tmp_path, "bill", "--mechanism", "single-price", *options)

    found = {row["state"] for row in rows(folder / "charges.csv")}
    assert {"NODE_FAIL", "BOOT_FAIL", "TIMEOUT", "COMPLETED"} - found == missing
    assert any(state.startswith("CANCELLED") for state in found) is ("CANCELLED" not in states)
