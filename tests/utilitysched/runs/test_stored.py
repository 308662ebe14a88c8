from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import utilitysched
from swfx import InputError
from tests.utilitysched.small import plain_workload
from utilitysched.runs import Results, claim, read_run, write_run


@pytest.fixture
def run(tmp_path: Path) -> Path:
    jobs = plain_workload()
    target = claim(tmp_path, jobs.digest(), ["easy"])
    target.write_workload(jobs, {})
    record = {"workload": {"digest": jobs.digest(), "classes": None}}
    results = Results(jobs, utilitysched.simulate(jobs), {"jobs": 60}, record, {"simulation_s": 1})
    assert write_run(target.runs["easy"], results) == []
    return target.runs["easy"]


def test_what_was_written_is_read(run: Path) -> None:
    jobs = plain_workload()
    schedule = utilitysched.simulate(jobs)

    stored = read_run(run)
    assert stored.workload == jobs
    assert np.array_equal(stored.start, schedule.start)
    assert np.array_equal(stored.end, schedule.end)
    assert stored.record["workload"]["digest"] == jobs.digest()


def test_a_relative_path_finds_the_workload(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(run)

    assert read_run(Path()).workload == plain_workload()


def test_a_changed_table_is_noticed(run: Path) -> None:
    path = run / "jobs.csv"
    path.write_text(path.read_text().replace("9", "8", 1))

    with pytest.raises(InputError, match=r"jobs\.csv and run\.json belong to different runs"):
        read_run(run)


@pytest.mark.parametrize("text", ["", "[]", "3", '{"workload": {}}', '{"workload": []}'])
def test_a_damaged_record_is_refused(text: str, run: Path) -> None:
    (run / "run.json").write_text(text)

    with pytest.raises(InputError, match=r"run\.json: is damaged; simulate again"):
        read_run(run)


def test_files_of_an_earlier_schedule_go(run: Path) -> None:
    jobs = plain_workload()
    (run / "charges.csv").write_text("old")
    (run / "statement-by-user.csv").write_text("old")
    record = json.loads((run / "run.json").read_text())

    same = Results(jobs, utilitysched.simulate(jobs), {}, record, {})
    assert write_run(run, same) == []
    other = Results(jobs, utilitysched.simulate(jobs, "fcfs"), {}, record, {})
    assert write_run(run, other) == ["charges.csv", "statement-by-user.csv"]
    assert read_run(run).start.tolist() == other.schedule.start.tolist()
