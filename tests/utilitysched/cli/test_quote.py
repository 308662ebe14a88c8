"""`utilitysched quote`."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.utilitysched.cli.conftest import Command, refused

JOB = ("--processors", 4, "--request", "10min", "--user", 2)
CURVES = ("--curve", "0:50,20min:0", "--curve", "default")


@pytest.fixture
def queue(command: Command, run: Path, tmp_path: Path) -> Path:
    command("decision", "snapshot", run, "--at", 600, "-o", tmp_path / "queue.json")
    return tmp_path / "queue.json"


def test_a_run_and_its_snapshot_give_the_same_quote(
    command: Command, run: Path, queue: Path
) -> None:
    of_run = command("quote", run, "--at", 600, *JOB, *CURVES, "--samples", 10, "--json")
    of_file = command("quote", queue, *JOB, *CURVES, "--samples", 10, "--json")

    assert of_run.code == 0
    assert of_run.out == of_file.out
    found = json.loads(of_run.out)
    assert found["scheduler"] == "easy"
    assert [offer["curve"] for offer in found["offers"]] == ["0:50,20min:0", "default"]
    now = found["offers"][0]["now"]
    assert 600 < now["completion"]["10%"] <= now["completion"]["90%"]
    assert set(now["charges"]) >= {"single-price", "vcg"}


def test_a_table_for_people(command: Command, queue: Path) -> None:
    patient = ("--scheduler", "ga", "--samples", 5, "--limit", "20min")  # may have to compile
    answer = command("quote", queue, *JOB, *CURVES, *patient)

    assert answer.code == 0
    assert "4 processors for at most 10 min, submitted at 2000-04-01" in answer.out
    assert "--replan" in answer.out
    for text in ("A: now", "B: now", "08:00 UTC", "saves", "A: 0:50,20min:0", "Later submissions"):
        assert text in answer.out


def test_the_reserve_is_told_apart(command: Command, queue: Path) -> None:
    mechanisms = ("--mechanism", "vcg:reserve=0.3", "--mechanism", "vcg:settle=end,reserve=0.2")
    answer = command("quote", queue, *JOB, *CURVES, *mechanisms, "--samples", 2)
    plain = command("quote", queue, *JOB, *CURVES, "--mechanism", "vcg", "--samples", 2)

    text = " ".join(answer.out.split())
    of_it = "the reserve for later submissions is"
    for told in (
        f"by vcg:reserve=0.3 {of_it} 0.20 SU, 0.3 SU for each processor-hour requested.",
        f"by vcg:settle=end,reserve=0.2 {of_it} 0.2 SU for each processor-hour held.",
    ):
        assert told in text
    assert "reserve" not in plain.out


def test_a_refusal_is_offered(command: Command, queue: Path) -> None:
    asked = ("quote", queue, *JOB, "--curve", "0:0.1,20min:0.1", "--samples", 2)
    priced = ("--mechanism", "vcg:reserve=0.3", "--scheduler", "easy:reserve=0.2")
    answer = command(*asked, *priced)
    found = json.loads(command(*asked, *priced, "--json").out)["offers"][0]

    text = " ".join(answer.out.split())
    assert "Worth less than 0.2 SU per requested processor-hour, even at once: easy:" in text
    assert "on average it is charged more than it is worth under vcg:reserve=0.3." in text
    assert (found["below_reserve"], found["refusals"]) == (True, ["vcg:reserve=0.3"])


def test_lines_for_programs(command: Command, queue: Path, tmp_path: Path) -> None:
    out = tmp_path / "quote.csv"
    command("quote", queue, *JOB, *CURVES, "--samples", 5, "--csv", out, "--quantile", 0.5)

    rows = list(csv.DictReader(out.read_text().splitlines()))
    assert {row["case"] for row in rows} >= {"now", "later"}
    waits = [row for row in rows if row["figure"] == "wait" and row["case"] == "now"]
    assert len(waits) == 2
    assert float(waits[0]["50%"]) >= 0


def test_a_job_in_a_file(command: Command, queue: Path, tmp_path: Path) -> None:
    job = tmp_path / "job.json"
    job.write_text(
        '{"processors": 4, "request": 600, "user": 2, "curves": {"mine": [[0, 50], [1200, 0]]}}'
    )
    typed = command("quote", queue, *JOB, "--curve", "0:50,20min:0", "--samples", 5, "--json")
    filed = command("quote", queue, "--job", job, "--samples", 5, "--json")

    one, other = (json.loads(answer.out) for answer in (typed, filed))
    assert other["offers"][0].pop("curve") == "mine"
    one["offers"][0].pop("curve")
    assert one == other


@pytest.mark.parametrize(
    ("at", "said"),
    [(-1, "nothing is there at -1: the first job is submitted at "),
     (1e7, "nothing is there at 10000000: the last job ended at ")],
)  # fmt: skip
def test_a_moment_outside_the_run_is_remarked_on(
    command: Command, run: Path, tmp_path: Path, at: float, said: str
) -> None:
    quoted = command("quote", run, "--at", at, *JOB, "--samples", 2)
    taken = command("decision", "snapshot", run, "--at", at, "-o", tmp_path / "empty.json")
    inside = command("quote", run, "--at", 600, *JOB, "--samples", 2)

    assert quoted.code == taken.code == 0
    assert quoted.err.startswith(said)
    assert taken.err.startswith(said)
    assert "nothing is there" not in inside.err


def test_without_dates_there_is_no_morning(command: Command, queue: Path) -> None:
    document = json.loads(queue.read_text())
    del document["unix_start_time"], document["timezone"]
    queue.write_text(json.dumps(document))
    plain = command("quote", queue, *JOB, "--samples", 2, "--json")
    until = command("quote", queue, *JOB, "--samples", 2, "--json", "--until", 900)

    assert "the moment's date is not known: give --until T" in plain.err
    assert json.loads(plain.out)["offers"][0]["later"] is None
    assert json.loads(until.out)["offers"][0]["later"]["submit"] == 900


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no job is given; give --processors and --request, or --job FILE"),
        (("--processors", 4), "no job is given"),
        ((*JOB, "--at", 5), "is a file: a snapshot has one moment; leave --at out"),
        ((*JOB, "--job", "x.json"), "--job and --processors exclude each other"),
        (("--job", "x.json"), "x.json: cannot be read: no such file or directory"),
        ((*JOB, "--morning", "8"), "--morning: '8' is no time of the day"),
        ((*JOB, "--morning", "08:00", "--until", 900), "--morning and --until exclude each other"),
        ((*JOB, "--until", 600), "field later: 600 is not after the moment (600)"),
        ((*JOB, "--timezone", "Moon"), "no time zone is named 'Moon'"),
        ((*JOB, "--curve", "0:1,9:0", "--curve", "0:1,9:0"), "--curve: '0:1,9:0' is given"),
        ((*JOB, "--mechanism", "vgc"), "unknown price mechanism 'vgc'"),
        (
            (*JOB, "--queue", 2, "--mechanism", "multi-queue:rates=high:3"),
            "field rates: each queue is a number without a name",
        ),
        (
            (*JOB, "--mechanism", "multi-queue:rates=gpu:3,by=partition"),
            "the log does not say 'partition'",
        ),
        ((*JOB, "-s", "esay"), "unknown scheduler 'esay'"),
        ((*JOB, "--csv", "/nowhere/x.csv"), "/nowhere/x.csv: cannot be written"),
    ],
)
def test_refusals_are_one_line(
    command: Command, queue: Path, arguments: tuple[object, ...], message: str
) -> None:
    answer = command("quote", queue, *arguments)

    refused(answer, message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[", "job.json:1: is no JSON"),
        ('{"processors": 4}', "job.json:1: request is missing; add request"),
        (
            '{"processors": 4, "reqest": 9}',
            "job.json:1: field reqest: is not a known key; did you mean",
        ),
        (
            '{"processors": 4, "request": 9, "curves": {"a": [[0]]}}',
            "field curves.a[0]: [0] is not [time, value]",
        ),
        ('{"processors": 4, "request": 9, "curves": {"a": []}}', "curves.a: has no points"),
    ],
)
def test_what_is_no_job(
    command: Command, queue: Path, tmp_path: Path, text: str, message: str
) -> None:
    job = tmp_path / "job.json"
    job.write_text(text)
    answer = command("quote", queue, "--job", job)

    refused(answer, message)


def test_moments_are_typed_as_people_say_them(command: Command, run: Path) -> None:
    options = (*JOB, "--samples", 2, "--until", 1200)
    seconds = command("quote", run, "--at", 600, *options)

    quantity = command("quote", run, "--at", "10min", *options[:-1], "20min")
    date = command("quote", run, "--at", "2000-04-01T00:10", *options[:-1], "2000-04-01T00:20")
    neither = command("quote", run, "--at", "ten", *options)

    assert seconds.code == 0
    assert quantity.out == seconds.out
    assert date.out == seconds.out
    refused(neither, "--at: 'ten' is neither seconds nor a date; write 2004-03-07T09:30")


def test_a_run_needs_a_moment(command: Command, run: Path) -> None:
    answer = command("quote", run, *JOB)

    assert "is a directory: of what moment of the run?; give --at T" in answer.err
