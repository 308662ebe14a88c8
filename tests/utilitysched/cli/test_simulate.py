"""`utilitysched simulate`: tables, JSON, run directories."""

from __future__ import annotations

import json
import shlex
import signal
import time
from pathlib import Path

import pandas as pd
import pytest

import swfx
from swfx.families.generators import attach_utilities
from swfx.families.transforms import apply_all
from tests.utilitysched.cli.conftest import Command, refused
from tests.utilitysched.small import JOBS
from tests.warm import Started
from utilitysched import runs
from utilitysched.workers.places import COMPILING

RUN_FILES = {"jobs.csv", "run.json", "summary.json", "timing.json"}
TIMED = "timing.json"
ENDLESS = [word for n in range(2000, 2030) for word in ("-s", f"ga:generations={n},population=100")]
"""For many minutes, however late they are stopped; hears of it within a second."""


def digests(directory: Path) -> dict[str, bytes]:
    return {
        path.relative_to(directory).as_posix(): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file() and path.name != TIMED
    }


def test_the_table_has_the_columns_of_lee_and_fits_100_columns(
    command: Command, market: Path
) -> None:
    answer = command("simulate", market, "-s", "easy", "-s", "priority-fifo")

    assert answer.code == 0
    for name in ("wait (s)", "expansion factor", "% of start value earned", "bounded", "utility"):
        assert name in answer.out
    assert answer.out.count("25%   50%   75%") + answer.out.count("25%  50%") >= 1
    assert max(map(len, answer.out.splitlines())) <= 100
    assert sum(line.startswith("priority-fifo  ") for line in answer.out.splitlines()) == 2


def test_titles_say_what_the_figures_are_about(command: Command, market: Path) -> None:
    answer = command("simulate", market, "--jobs", "10:50", "--tau", 60, "--scheduler-seed", 5)

    said = " ".join(answer.out.split())
    assert f"{market}, job lines 10:50: 40 jobs (standard cleaning: 0 dropped, 0 repaired)" in said
    assert "8 processors, 0.0 days of submissions" in said
    assert "tau 60 s, scheduler seed 5" in said
    assert "points=4, globmax=0.03333, epsilon=0.001; seed 3" in said


def test_json_is_one_object_and_nothing_else(command: Command, market: Path) -> None:
    answer = command("simulate", market, "-s", "fcfs", "-s", "saf", "--json")

    document = json.loads(answer.out)
    assert [run["scheduler"] for run in document["runs"]] == ["fcfs", "saf"]
    assert document["workload"]["job_count"] == JOBS
    assert document["runs"][0]["summary"]["jobs"] == JOBS
    assert document["runs"][0]["directory"] is None


def test_files_of_a_run(command: Command, market: Path, tmp_path: Path) -> None:
    out = tmp_path / "deep" / "runs"
    options = ("--swf", "--no-allocations")
    answer = command("simulate", market, "-s", "saf:placement=none", *options, "--out", out)

    assert answer.code == 0
    assert {path.name for path in out.iterdir()} == {
        "workload.swfx.gz",
        "load_report.json",
        "commitments.csv",
        "commitments.secret",
        "saf-placement_none",
    }
    run = out / "saf-placement_none"
    assert {path.name for path in run.iterdir()} == {*RUN_FILES, "schedule.swf.gz"}
    table = pd.read_csv(run / "jobs.csv")
    assert tuple(table.columns) == runs.JOBS_HEADER
    assert table.allocated_resources.isna().all()
    realised = swfx.read(run / "schedule.swf.gz").workload
    assert realised.wait.tolist() == table.waiting_time.tolist()
    assert realised.run.tolist() == table.execution_time.tolist()
    assert not realised.has_utilities
    stored = swfx.read(out / "workload.swfx.gz", cleaning="none").workload
    assert stored == swfx.read(market).workload
    assert json.loads((out / "load_report.json").read_text())["kept"] == JOBS


def test_percentiles_of_the_time_that_decisions_took(
    command: Command, market: Path, tmp_path: Path
) -> None:
    command("simulate", market, "-s", "easy", "-s", "ga", "--out", tmp_path / "runs")

    compiled, asked = (
        json.loads((tmp_path / "runs" / label / TIMED).read_text()) for label in ("easy", "ga")
    )
    assert set(compiled) == {"read_unix_s", "began_unix_s", "simulation_s"}
    took = [asked[f"decision_p{percent}_s"] for percent in (50, 90, 99, 100)]
    assert 0 < took[0] <= took[1] <= took[2] <= took[3] <= asked["simulation_s"]
    assert asked["decisions"] > 0


@pytest.mark.parametrize("scheduler", ["easy", "ga:population=4,generations=2"])
def test_the_same_seed_gives_the_same_bytes(
    command: Command, log: Path, tmp_path: Path, scheduler: str
) -> None:
    for name in ("a", "b"):
        command("simulate", log, "-s", scheduler, "--seed", 4, "--swf", "--out", tmp_path / name)

    first = digests(tmp_path / "a")
    assert first == digests(tmp_path / "b")
    assert len(first) == 8


def test_streams_are_independent_with_an_override_each(
    command: Command, log: Path, tmp_path: Path
) -> None:
    def digest(*seeds: object) -> str:
        answer = command("simulate", log, "--json", *seeds)
        return str(json.loads(answer.out)["workload"]["digest"])

    assert digest("--seed", 4) == digest("--seed", 9, "--utility-seed", 4)
    assert digest("--seed", 4) == digest("--seed", 4, "--scheduler-seed", 7)
    assert digest("--seed", 4) != digest("--seed", 5)


def test_transformed_jobs_are_simulated_recorded_and_repeated(
    command: Command, log: Path, tmp_path: Path
) -> None:
    texts = ["slice:jobs=:50", "accurate", "anonymise:order=random"]
    words = [word for text in texts for word in ("--apply", text)]
    answer = command("simulate", log, *words, "--seed", 3, "--out", tmp_path / "a")

    assert "transformed by slice:jobs=:50, accurate, anonymise:order=random: 50" in answer.out
    assert "10 jobs dropped: slice:jobs=:50: outside of it" in answer.err
    stored = swfx.read(tmp_path / "a" / "workload.swfx.gz").workload
    jobs = apply_all(swfx.read(log).workload, texts, 3).workload
    assert stored == attach_utilities(jobs, seed=3)
    run = json.loads((tmp_path / "a" / "easy" / "run.json").read_text())
    assert run["transformations"]["applied"] == texts
    assert run["transformations"]["dropped"] == {"slice:jobs=:50: outside of it": 10}


def test_the_recorded_command_repeats_the_run(command: Command, log: Path, tmp_path: Path) -> None:
    options = [
        "--jobs",
        "5:55",
        "--machine-size",
        "9",
        "--classes",
        "2=0",
        "--tau",
        "60",
        "--seed",
        "3",
    ]
    files = ["--strict", "--swf", "--no-allocations"]
    command("simulate", log, "-s", "saf", *options, *files, "--out", tmp_path / "a")
    recorded = json.loads((tmp_path / "a" / "saf" / "run.json").read_text())["command"]
    program, *arguments = shlex.split(recorded)

    command(*arguments, "--out", tmp_path / "b")
    assert program == "utilitysched"
    assert digests(tmp_path / "a" / "saf").keys() == digests(tmp_path / "b" / "saf").keys()
    for name in ("jobs.csv", "summary.json", "schedule.swf.gz"):
        assert (tmp_path / "a/saf" / name).read_bytes() == (tmp_path / "b/saf" / name).read_bytes()


def test_a_log_without_utilities_gets_the_default_ones_and_is_told(
    command: Command, log: Path, market: Path
) -> None:
    answer = command("simulate", log, "--seed", 3, "--json")

    assert "no utility functions: drawing the default ones" in answer.err
    assert "seed 3" in answer.err
    given = command("simulate", market, "--json")
    assert given.err == ""
    assert json.loads(answer.out)["runs"] == json.loads(given.out)["runs"]


def test_warnings_of_a_simulation_on_too_little(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "log.swf"
    job = "-1 3600 4 -1 -1 4 60 -1 1 1 1 -1 1"  # an hour, where a minute was asked for
    path.write_text(f"; MaxProcs: 8\n1 0 {job} 1 -1 -1\n2 5 {job} 2 -1 -1\n")

    every = command("simulate", path, "--scheduler", "fcfs", "--utilities", "none").err
    one = ("--scheduler", "fcfs", "--utilities", "none", "--apply", "filter:partition=1")

    assert "most jobs ran longer than they requested (2 of 2)" in every
    assert "2 partitions (1, 2) are one machine in simulations" in every
    assert "partitions" not in command("simulate", path, *one).err


def test_a_log_without_waits_is_simulated_once_for_them(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "model.swf"
    command("generate", "lublin", "jobs=50", "machine_size=32", "seed=1", "-o", path, "-q")

    answer = command("simulate", path, "--json")
    assert "simulating easy once" in answer.err
    assert json.loads(answer.out)["utilities"]["waits"] == "easy"

    refused = command("simulate", path, "--out", path)
    assert refused.err.startswith(f"error: {path}: cannot be written")
    assert "simulating easy once" not in refused.err


def test_replaced_utilities_are_told(command: Command, market: Path) -> None:
    answer = command("simulate", market, "--utilities", "factor=3", "--json")

    assert answer.err == "replacing the workload's utility functions, as --utilities asks\n"
    assert json.loads(answer.out)["utilities"]["spec"].startswith("factor=3,")


def test_quiet_says_nothing(command: Command, log: Path) -> None:
    assert command("simulate", log, "--quiet", "--json").err == ""


def test_standard_input_and_pipes(process: Command, market: Path) -> None:
    answer = process("simulate", "-", "--json", feed=market.read_bytes())

    assert answer.code == 0
    assert json.loads(answer.out)["workload"]["source"] == "-"
    assert answer.err in {"", f"{COMPILING}\n"}


def test_another_workload_in_the_directory_is_refused(
    command: Command, log: Path, tmp_path: Path
) -> None:
    out = tmp_path / "runs"
    command("simulate", log, "--out", out)
    before = digests(out)

    answer = command("simulate", log, "--seed", 1, "--out", out, "-q")
    assert answer.code == 2
    assert answer.err == (
        f"error: {out}: holds the results of another workload; "
        "choose another directory, or --force to replace it\n"
    )
    assert digests(out) == before
    forced = command("simulate", log, "--seed", 1, "-s", "fcfs", "--out", out, "--force")
    assert forced.code == 0
    assert forced.err.splitlines()[-1] == (
        f"still in {out}, of another workload and no longer to be billed: easy"
    )
    assert command("bill", out / "easy").code == 2
    assert command("bill", out / "fcfs").code == 0


def test_runs_are_replaced_file_by_file_and_said_so(
    command: Command, market: Path, tmp_path: Path
) -> None:
    out = tmp_path / "runs"
    command("simulate", market, "--out", out)
    command("bill", out / "easy")
    again = command("simulate", market, "--out", out)
    assert f"replacing in {out}, file by file: easy" in again.err
    assert (out / "easy" / "charges.csv").exists()

    changed = command("simulate", market, "--out", out, "--no-allocations")
    assert "the schedule changed, so removed charges.csv" in changed.err
    assert not (out / "easy" / "charges.csv").exists()


def test_an_unwritable_directory_is_refused_before_simulating(
    command: Command, market: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from utilitysched.runs import simulation

    def never(*_: object, **__: object) -> None:
        raise AssertionError("simulated")

    monkeypatch.setattr(simulation, "_simulate", never)
    (tmp_path / "file").write_text("in the way")

    answer = command("simulate", market, "--out", tmp_path / "file" / "runs")
    assert answer.code == 2
    assert answer.err.startswith(f"error: {tmp_path}/file/runs: cannot be written: not a directory")
    assert answer.err.count("\n") == 1


def test_a_killed_run_leaves_complete_files_or_none(market: Path, tmp_path: Path) -> None:
    out = tmp_path / "runs"
    schedulers = ["-s", "easy", "-s", "fcfs", *ENDLESS]
    process = Started("simulate", market, *schedulers, "--out", out)
    while not (out / "fcfs" / "run.json").exists():
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()

    assert {path.name for path in out.iterdir()} == {
        "workload.swfx.gz",
        "load_report.json",
        "commitments.csv",
        "commitments.secret",
        "easy",
        "fcfs",
    }
    for label in ("easy", "fcfs"):
        assert len(runs.read_run(out / label).start) == JOBS


def test_ctrl_c_ends_with_130_and_one_line(market: Path, tmp_path: Path) -> None:
    out = tmp_path / "runs"
    process = Started("simulate", market, "-s", "easy", *ENDLESS, "--out", out)
    while not (out / "easy" / "run.json").exists():
        assert process.poll() is None
        time.sleep(0.02)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    printed, said = (text.decode() for text in process.communicate())

    interrupted = "error: interrupted; the files written so far are complete"
    assert (process.returncode, printed, said.splitlines()[-1]) == (130, "", interrupted)
    assert "Traceback" not in said


def test_the_logbook_is_the_same_twice(command: Command, market: Path, tmp_path: Path) -> None:
    asked = ("simulate", market, "-s", "easy", "-s", "ga:population=4,generations=2", "--logbook")
    answers = [command(*asked, tmp_path / name) for name in ("one.csv", "two.csv")]

    assert [answer.code for answer in answers] == [0, 0]
    text = (tmp_path / "one.csv").read_text()
    assert text == (tmp_path / "two.csv").read_text()
    head, first, *_ = text.splitlines()
    assert head == "scheduler,now,jobs,generation,evaluations,plans,best,median,worst"
    assert first.startswith('"ga:population=4,generations=2",')
    assert sorted(path.name for path in tmp_path.glob("*.csv*")) == ["one.csv", "two.csv"]


@pytest.mark.parametrize(
    ("scheduler", "file", "message"),
    [
        ("climb", "log.csv", "--logbook: none of the schedulers breeds"),
        ("ga", "none/log.csv", "log.csv: cannot be written"),
    ],
)
def test_a_logbook_is_refused_before_anything_is_simulated(
    command: Command, market: Path, tmp_path: Path, scheduler: str, file: str, message: str
) -> None:
    asked = ("-s", scheduler, "--out", tmp_path / "runs", "--logbook", tmp_path / file)
    answer = command("simulate", market, *asked)

    refused(answer, message)
    assert not list((tmp_path).glob("runs/*"))
