"""`utilitysched decision`: one decision, on five jobs and four processors.

Job 1 holds three processors until 100. At 10 there wait, by arrival: job 2 for all four, job 3 for
one until 100, job 4 for one and longer than that, job 5 for one and 20 s. Under EASY job 3 starts,
as job 2 cannot begin before 100.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from swfx import InputError, Workload, write
from tests.utilitysched.cli.conftest import Command, refused
from utilitysched.exact.decision import explain_decision, start_of
from utilitysched.exact.search import ExplainedSearch
from utilitysched.report.decision import sentences
from utilitysched.runs.stored import read_run

LOG = Workload.from_columns(
    submit=[0, 10, 10, 10, 10],
    run=[100, 50, 90, 300, 20],
    requested_time=[100, 50, 90, 300, 20],
    processors=[3, 4, 1, 1, 1],
    user=[1, 2, 3, 4, 5],
)

MACHINE = ("--machine-size", 4)


@pytest.fixture
def easy(command: Command, tmp_path: Path) -> Path:
    write(LOG, tmp_path / "log.swf")
    command(
        "simulate",
        tmp_path / "log.swf",
        *MACHINE,
        "--utilities",
        "none",
        "--out",
        tmp_path / "runs",
    )
    return tmp_path / "runs" / "easy"


def test_who_started_and_when_the_others_are_planned(easy: Path) -> None:
    found = explain_decision(easy, 10.0, others=["fcfs"])

    assert found.problem.snapshot.ids.tolist() == [2, 3, 4, 5]
    assert found.started.tolist() == [False, True, False, False]
    assert not found.passed_over.any()  # nothing stays idle
    own, fcfs = found.plans
    assert own.start.tolist() == [100.0, 10.0, 150.0, 150.0]
    assert fcfs.label == "fcfs"
    assert fcfs.start.tolist() == [100.0, 150.0, 150.0, 150.0]
    assert found.problem.snapshot.ids[found.order].tolist() == [3, 2, 4, 5]


def test_who_was_passed_over(command: Command, tmp_path: Path) -> None:
    write(LOG, tmp_path / "log.swf")
    command("simulate", tmp_path / "log.swf", *MACHINE, "-s", "fcfs", "--out", tmp_path / "runs")

    found = explain_decision(tmp_path / "runs" / "fcfs", 10.0)

    assert not found.started.any()
    assert found.passed_over.tolist() == [False, True, True, True]  # one processor is idle


def test_values_are_read_as_the_scheduler_of_the_run_reads_them(
    command: Command, tmp_path: Path
) -> None:
    write(LOG, tmp_path / "log.swf")
    name = "value-density:duration=requested"
    command("simulate", tmp_path / "log.swf", *MACHINE, "-s", name, "--out", tmp_path / "runs")
    (directory,) = (tmp_path / "runs").glob("value-density*")

    found = explain_decision(directory, 10.0)

    curves = read_run(directory).workload.utility
    at_end = [curves[job](LOG.request[job]) for job in range(1, 5)]
    assert found.value_now == pytest.approx(at_end)


def test_the_moment_at_which_a_job_started(easy: Path) -> None:
    run = read_run(easy)

    assert start_of(run, 3) == 10.0
    with pytest.raises(InputError, match="no job has the number 7; numbers go from 1 to 5"):
        start_of(run, 7)
    with pytest.raises(InputError, match="no job is queued at 5 s"):
        explain_decision(easy, 5.0)


def test_the_command_names_starts_and_plans(
    command: Command, easy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = command("decision", "explain", easy, "--job", 3, "-s", "saf").out

    assert "4 queued jobs, 1 of 4 processors free. Jobs started: 1." in " ".join(text.split())
    assert "in 2 min" in text  # job 2
    assert any(line.startswith("saf ") for line in text.splitlines())
    assert max(map(len, text.splitlines())) <= 80
    refused(command("decision", "explain", easy), "give one of --at TIME and --job N")


def test_how_a_genetic_scheduler_came_to_its_plan(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    write(LOG, tmp_path / "log.swf")
    command("simulate", tmp_path / "log.swf", *MACHINE, "-s", "ga", "--out", tmp_path / "runs")
    asked = ("decision", "explain", tmp_path / "runs" / "ga", "--at", 10)

    out = command(*asked).out
    told = json.loads(command(*asked, "--json").out)["search"]

    said = " ".join(out.split())
    assert f"appeared in generation {told['born']} of {len(told['generations']) - 1}." in said
    assert "Fitness: what the plan of the 4 jobs put in order is worth, of 4 queued" in said
    assert told["jobs"] == 4
    assert told["first"] == "index"
    assert set(told["generations"][0]) == {"evaluations", "plans", "best", "median", "worst"}
    assert max(map(len, out.splitlines())) <= 80


def test_other_schedulers_have_no_search_to_explain(command: Command, easy: Path) -> None:
    asked = ("decision", "explain", easy, "--at", 10)

    assert "generation" not in command(*asked).out
    assert json.loads(command(*asked, "--json").out)["search"] is None


def told(**changed: object) -> str:
    """What is said of a search in which the order by the index was beaten."""
    search = ExplainedSearch(
        3, np.zeros((11, 5)), "index", ("index", "value"), 7,
        np.array([4]), np.array([5, 6]), 12.5, 1.25,
    )  # fmt: skip
    names = {number: str(number) for number in range(20)} | {4: "103_1"}
    return " ".join(sentences(search._replace(**changed), names))


def test_sentences_name_what_is_started_otherwise() -> None:
    assert told() == (
        "The best plan is worth 12.50 SU more than the order by index, as the search reads values,"
        " of which the prior takes 1.25 SU. It starts job 103_1, which that order would not,"
        " and not jobs 5 and 6, which it would."
        " It descends from index and value, and appeared in generation 7 of 10."
    )
    none = np.empty(0, np.int64)
    assert "SU. It starts the same jobs now. It" in told(starts=none, leaves=none)
    assert "It does not start jobs 5 and 6, which that order would. It" in told(starts=none)
    many = np.arange(20)
    assert "It starts jobs 0, 1, 2, 3, 103_1, 5, 6, 7 and 12 more, which" in told(starts=many)
    assert told(gained=0.0, pull=0.0).startswith(
        "The search found nothing worth more than the order"
    )


@pytest.fixture
def queue(command: Command, market: Path, tmp_path: Path) -> Path:
    command("simulate", market, "--out", tmp_path / "runs")
    out = tmp_path / "queue.json"
    answer = command("decision", "snapshot", tmp_path / "runs" / "easy", "--at", 240, "-o", out)
    assert answer.err.startswith("wrote 4 queued jobs and 4 running jobs")
    return out


def test_no_plan_is_above_the_bound(command: Command, queue: Path) -> None:
    answer = command("decision", "bound", queue, "-s", "easy", "-s", "ga", "--charges", "--json")

    found = json.loads(answer.out)
    assert found["proven"]
    assert found["gap"] == 0
    assert set(found["plans"]) == {"easy", "ga"}
    assert all(plan["utility"] <= found["bound"] for plan in found["plans"].values())
    assert sum(row["utility"] for row in found["charges"]) == pytest.approx(found["optimum"])
    assert all(-1e-6 <= row["charge"] <= row["utility"] + 1e-6 for row in found["charges"])


def test_the_same_bytes_twice(command: Command, queue: Path) -> None:
    first, second = (command("decision", "bound", queue, "--json").out for _ in range(2))

    assert first == second


def test_a_table_for_people(command: Command, queue: Path) -> None:
    answer = command("decision", "bound", queue, "-s", "easy", "--charges")

    assert "best of all schedules" in answer.out
    assert "best of all orders" in answer.out
    assert "Exact charges by VCG" in answer.out


def test_unknown_durations_are_refused(command: Command, queue: Path) -> None:
    answer = command("decision", "bound", queue, "--read", "requestd")

    refused(answer, "did you mean 'requested'?")


POOLS = """
[[pools]]
name = "all"
capacity = {processors = 4}

[[limits]]
of = "user"
most = {jobs = 1}
"""


@pytest.fixture
def limited(command: Command, tmp_path: Path) -> Path:
    """Return the run of the five jobs, two of them of one user, who may run one at a time."""
    write(LOG.replace(user=[1, 2, 3, 4, 3]), tmp_path / "log.swf")
    (tmp_path / "machine.toml").write_text(POOLS, encoding="utf-8")
    machine = ("--machine", tmp_path / "machine.toml", "--utilities", "none")
    command("simulate", tmp_path / "log.swf", *machine, "--out", tmp_path / "runs")
    return tmp_path / "runs" / "easy"


def test_what_the_queued_jobs_wait_for_on_a_machine_of_pools(
    command: Command, limited: Path
) -> None:
    text = command("decision", "explain", limited, "--at", 20).out

    assert text.startswith("3 jobs still queued after the pass at 20 s.")
    rows = [" ".join(line.split()) for line in text.splitlines()]
    assert "2 all 10 s processors: needs 4, 0 of 4 free" in rows
    assert "5 all 10 s limit of user 3: 1 of 1 running jobs" in rows


def test_why_a_job_did_not_start(command: Command, limited: Path) -> None:
    def reason(job: int, at: int) -> str:
        text = command("decision", "explain", limited, "--job", job, "--at", at).out
        return " ".join(text.split())

    assert reason(5, 20) == (
        "Job 5 waits for a limit: user 3 may have 1 running job at a time, and has 1: job 3 (1)."
    )
    assert reason(2, 20) == (
        "Job 2 waits for processors in pool all: it needs 4, with 0 of 4 free and the rest in use"
        " by user 1 (3), user 3 (1)."
    )
    told = json.loads(command("decision", "explain", limited, "--job", 5, "--at", 20, "--json").out)
    assert told["jobs"][0]["kind"] == "limit"
    assert told["jobs"][0]["holders"] == [{"name": "job 3", "amount": 1}]


@pytest.mark.parametrize("scheduler", ["fcfs", "fairshare:placement=none"])
def test_who_is_ahead_of_a_job_that_waits_for_its_turn(
    command: Command, tmp_path: Path, scheduler: str
) -> None:
    write(LOG, tmp_path / "log.swf")
    (tmp_path / "machine.toml").write_text(POOLS, encoding="utf-8")
    run = ("--machine", tmp_path / "machine.toml", "--utilities", "none", "-s", scheduler)
    command("simulate", tmp_path / "log.swf", *run, "--out", tmp_path / "runs")
    (directory,) = (tmp_path / "runs").glob(f"{scheduler[:4]}*")

    text = command("decision", "explain", directory, "--job", 3, "--at", 20).out

    assert " ".join(text.split()) == (
        "Job 3 waits for its turn in pool all: what it needs is free, but job 2 waits ahead of it"
        " (processors: needs 4, 1 of 4 free), and no job overtakes another."
    )


def test_for_how_long_a_job_waited_for_what(command: Command, limited: Path) -> None:
    text = command("decision", "explain", limited, "--job", 5).out

    assert text.startswith("Job 5 waited 2 min: 50 s for room and 2 min for limits.")
    assert "limit of user 3 on running jobs" in text
    hours = json.loads(command("decision", "explain", limited, "--job", 5, "--json").out)["hours"]
    assert hours["limits"] == pytest.approx(90 / 3600)


def test_plans_are_not_compared_on_a_machine_of_pools(command: Command, limited: Path) -> None:
    refused(
        command("decision", "explain", limited, "--job", 5, "-s", "saf"),
        "--scheduler: plans are not compared on the pools of a machine file",
    )
    refused(command("decision", "explain", limited), "no moment is given")


def test_json_has_waits_by_group_and_the_use_of_each_resource(
    command: Command, tmp_path: Path
) -> None:
    write(LOG.replace(queue=[1, 2, 2, 2, 1]), tmp_path / "log.swf")
    (tmp_path / "machine.toml").write_text(POOLS, encoding="utf-8")
    options = ("--machine", tmp_path / "machine.toml", "--utilities", "none", "--json")

    (run,) = json.loads(command("simulate", tmp_path / "log.swf", *options).out)["runs"]

    assert [(each["name"], each["jobs"]) for each in run["waits"]["queue"]] == [("2", 3), ("1", 2)]
    assert [each["jobs"] for each in run["waits"]["week"]] == [5]
    (processors,) = run["use"]
    assert (processors["pool"], processors["resource"], processors["capacity"]) == (
        *("all", "processors"),
        4,
    )
    assert processors["used"] == pytest.approx(run["summary"]["utilisation"])
