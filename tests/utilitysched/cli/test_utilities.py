"""Where utility functions come from, as told on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import swfx
from swfx import UtilityFunction
from swfx.base.numbers import shortened
from swfx.families.utilities.valuation import Valuation
from tests.utilitysched.cli.conftest import Command, refused
from tests.utilitysched.small import JOBS, plain_workload


@pytest.fixture
def jobs_csv(tmp_path: Path) -> Path:
    path = tmp_path / "jobs.csv"
    path.write_text("job,t,v\n1,0,8\n1,3600,0\n99,0,1\n99,1,0\n")
    return path


@pytest.fixture
def answers_csv(tmp_path: Path) -> Path:
    """Answers about the first job only: user 1, 6 processors, 120 s, turnaround 60 s."""
    path = tmp_path / "answers.csv"
    path.write_text("user,processors,request,factor,willingness\n1,6,120,2,4\n1,6,120,1/2,0.5\n")
    return path


def test_queues_and_users_with_functions_of_their_own(
    command: Command, log: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.swfx"
    overrides = ["queue=1:step=1", "user=2:diurnal:zone=US/Pacific"]
    answer = command(
        *("augment", log, "-o", out, "--utilities", "factor=3", "--seed", 7),
        *("--utilities-for", overrides[0], "--utilities-for", overrides[1]),
    )

    made = Valuation.parse("factor=3", overrides).attach(swfx.read(log).workload, 7)
    assert swfx.read(out).workload == made.workload
    assert answer.err.splitlines() == [*map(shortened, made.notes), f"wrote {JOBS} jobs to {out}"]
    assert [note.partition(" by ")[0] for note in made.notes] == [
        "utilities: 32 of 60 jobs (53.3%)",
        "queue=1: 16 of 60 jobs (26.7%)",
        "user=2: 12 of 60 jobs (20.0%)",
    ]


def test_curves_then_answers_replace_what_is_drawn(
    command: Command, log: Path, jobs_csv: Path, answers_csv: Path, tmp_path: Path
) -> None:
    out, sizes = tmp_path / "out.swfx", tmp_path / "sizes.csv"
    sizes.write_text("size,t,v\n6-,0,1\n6-,60,0.5\n")
    command("augment", log, "-o", tmp_path / "drawn.swfx", "--seed", 2)
    answer = command(
        *("augment", log, "-o", out, "--seed", 2, "--elicited", answers_csv),
        *("--curves", jobs_csv, "--curves", f"{sizes},start=2"),
    )

    made, drawn = swfx.read(out).workload, swfx.read(tmp_path / "drawn.swfx").workload
    # job 1: 6 processors for 120 s cost 0.2 SU, and 0.4 SU at 2 SU a processor-hour; job 5 is wide
    assert made.utility[0] == UtilityFunction([0, 30, 120], [0.8, 0.8, 0.1])
    assert made.utility[4] == UtilityFunction(
        [0, 60], [made.request[4] / 300, made.request[4] / 600]
    )
    assert made.utility[1] == drawn.utility[1]
    assert [line.partition(" (")[0] for line in made.header.all("UtilityModel")[1:]] == [
        "curves by size of sizes.csv",
        "curves by job of jobs.csv",
        "answers of answers.csv",
    ]
    assert f"{jobs_csv}: left out: 1 of 2 curves (2 of 4 rows), matching no job" in answer.err
    assert "have no utility function" not in answer.err


def test_jobs_without_a_function_are_told_and_earn_nothing(
    command: Command, log: Path, jobs_csv: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.swfx"
    answer = command("augment", log, "-o", out, "--utilities", "none", "--curves", jobs_csv)

    assert "59 of 60 jobs (98.3%) have no utility function and earn nothing\n" in answer.err
    told = command("simulate", out, "--out", tmp_path / "runs")
    assert "59 jobs without" in told.out
    run = json.loads((tmp_path / "runs" / "easy" / "run.json").read_text())
    assert run["utilities"]["models"] == list(swfx.read(out).workload.header.all("UtilityModel"))
    summary = json.loads((tmp_path / "runs" / "easy" / "summary.json").read_text())
    assert 0 < summary["aggregate_utility"] <= 8


def test_simulate_and_generate_take_any_model(command: Command, log: Path, tmp_path: Path) -> None:
    diurnal = "diurnal:at=13:00,zone=US/Pacific"
    answer = command("simulate", log, "--utilities", diurnal, "--json")
    assert json.loads(answer.out)["utilities"]["spec"] == diurnal
    assert json.loads(answer.out)["utilities"]["waits"] is None

    out = tmp_path / "model.swfx"
    command("generate", "lublin", "jobs=9", "-o", out, "--utilities", f"{diurnal},start=954547200")
    assert swfx.read(out).workload.utility.points.tolist() == [4] * 9


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--utilities", "diurnal"], "field TimeZoneString: the log does not say in which time"),
        (["--utilities-for", "group=1:factor=3"], "'group=1:factor=3' is for no queue or user"),
        (["--utilities-for", "queue=1:facter=3"], "field facter: is not a known key; did you"),
        (["--curves", "none.csv"], "none.csv: cannot be read: no such file or directory"),
        (["--elicited", "none.csv"], "none.csv: cannot be read: no such file or directory"),
    ],
)
def test_refusals(
    command: Command, log: Path, tmp_path: Path, options: list[str], message: str
) -> None:
    out = tmp_path / "out.swfx"
    answer = command("augment", log, "-o", out, *options)

    refused(answer, message)
    assert not out.exists()


def test_the_small_workload_is_what_the_figures_above_say() -> None:
    w = plain_workload()

    assert (int(w.size[0]), float(w.request[0]), float(w.wait[0] + w.run[0])) == (6, 120, 60)
    assert (int(w.size[4]), int((w.user == 2).sum())) == (6, 12)
