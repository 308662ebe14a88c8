"""The result stands in the first sentence; tables come after."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.utilitysched.cli.conftest import Answer, Command
from utilitysched.cli.app import COMMANDS

QUOTE = "--at 300 --processors 2 --request 1h --curve 0:9,2h:0 --mechanism first-price"
AUDIT = "-s easy -m first-price --sample 3 --draws 1 --lie step"


def first_sentence(answer: Answer) -> str:
    assert answer.code == 0, answer.err
    return " ".join(answer.out.partition("\n\n")[0].split())


@pytest.fixture
def run(command: Command, market: Path, tmp_path: Path) -> Path:
    """Directory of a run of EASY."""
    command("simulate", market, "--out", tmp_path / "runs")
    return tmp_path / "runs" / "easy"


def test_simulate_says_who_earns_most(command: Command, market: Path) -> None:
    words = ("simulate", market, "-s", "fcfs", "-s", "easy")
    runs = json.loads(command(*words, "--json").out)["runs"]
    fcfs, easy = (each["summary"]["aggregate_utility"] for each in runs)
    assert easy > fcfs

    said = first_sentence(command(*words))
    assert said.startswith(f"easy earns the most, {easy:,.2f} SU: {100 * (easy / fcfs - 1):.1f}%")
    assert " more than fcfs. " in said
    said = first_sentence(command("simulate", market, "-s", "easy", "-s", "fcfs"))
    assert " more than fcfs. " in said
    alone = first_sentence(command("simulate", market, "-s", "easy"))
    assert alone.startswith(f"easy earns {easy:,.2f} SU. ")


def test_where_nothing_is_worth_anything_it_is_who_slows_jobs_least(
    command: Command, log: Path
) -> None:
    said = first_sentence(
        command("simulate", log, "-s", "fcfs", "-s", "easy", "--utilities", "none")
    )

    assert said.startswith("easy has the least mean bounded slowdown, ")
    assert "% less than fcfs. " in said


def test_quote_says_when_it_would_be_done_and_what_it_would_cost(
    command: Command, run: Path
) -> None:
    answer = command("quote", run, *QUOTE.split())

    assert answer.code == 0, answer.err
    notice, said, *_ = answer.out.split("\n\n")
    sentence = " ".join(said.split())
    assert notice.startswith("This is a simulation")
    assert sentence.startswith("Done ")
    assert " after submission (median), worth " in sentence
    assert " SU by " in sentence


def test_audit_says_whether_misreporting_pays(
    command: Command, market: Path, tmp_path: Path
) -> None:
    answer = command("audit", market, *AUDIT.split(), "-o", tmp_path / "audit")

    assert first_sentence(answer).startswith("first-price: ")
    assert "lie" not in answer.out.replace("earlier", "").split()


def test_bill_says_what_is_charged(command: Command, run: Path) -> None:
    _, heading, *rest = command("bill", run, "--mechanism", "single-price").out.split("\n\n")

    start = "Bill under single-price, per user: 60 jobs charged, "
    total = heading.removeprefix(start).removesuffix(" SU in all")
    assert f"The lines add up to {total} SU" in " ".join(rest)


def test_digits_are_an_option_of_the_commands_with_tables(command: Command, market: Path) -> None:
    taking = {name for name in COMMANDS if "--digits" in command(name, "--help").out}

    assert taking >= {"simulate", "compare", "audit", "quote", "ceiling", "describe"}
    words = ("simulate", market, "-s", "fcfs", "-s", "easy")
    exact = json.loads(command(*words, "--json", "--digits", 0).out)["runs"][0]["summary"]
    slowdown = exact["bounded_slowdown_mean"]
    assert slowdown != round(slowdown, 2)
    assert f" {slowdown:.5g} " in command(*words, "--digits", 4).out
    assert f" {slowdown:.5g} " not in command(*words).out


def test_examples_of_the_help_fit_the_terminal(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    pages = {name: command(name, "--help").out for name in COMMANDS}

    assert [name for name, text in pages.items() if max(map(len, text.splitlines())) > 80] == []
    assert "--mtbf 5y \\\n        --preemptions 2d\n" in pages["advise-checkpoint"]
    quotation = "'.quantiles[] | select(.figure == \"processors\")'"
    assert f"jq \\\n        {quotation}\n" in pages["describe"]
