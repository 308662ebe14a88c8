from __future__ import annotations

import json

import pytest

from swfx import InputError, Workload
from swfx.families.exporters import EXPORTERS
from tests.swfx.families.exporters.jobs import awkward_jobs

BATSIM = EXPORTERS.make("batsim")


def test_the_text_is_this() -> None:
    data, notes = BATSIM.format(awkward_jobs())

    assert notes == ()
    assert data.decode() == (
        '{"nb_res": 8,\n'
        '"header": [" SWFX: 1.0", " UtilityUnits: SU", " MaxProcs: 8", '
        '" Note: \\u00fcn\\u00efcode"],\n'
        '"jobs": [\n'
        '{"id": "1", "subtime": 0, "res": 4, "profile": "delay_10", "walltime": 20, "wait": 3,'
        ' "processors": 4, "status": 1, "user": 1, "checkpoint_interval": 900,'
        ' "utility": [[0, 9], [60.5, 0]]},\n'
        '{"id": "1_2", "subtime": 5, "res": 8, "profile": "delay_0.001", "job_id": 1, "run": 0,'
        ' "status": 0, "user": 2},\n'
        '{"id": "3", "subtime": 6.25, "res": 2, "profile": "delay_1.5", "wait": 0,'
        ' "processors": 2, "requested_processors": 4, "requested_time": 0, "status": 5}\n'
        "],\n"
        '"profiles": {\n'
        '"delay_0.001": {"type": "delay", "delay": 0.001},\n'
        '"delay_1.5": {"type": "delay", "delay": 1.5},\n'
        '"delay_10": {"type": "delay", "delay": 10}\n'
        "}}\n"
    )


def test_batsim_gets_what_it_asks_for() -> None:
    """The checks of Batsim 4 on a workload file (src/jobs.cpp, src/profiles.cpp)."""
    workload = json.loads(BATSIM.format(awkward_jobs()).data)

    assert workload["nb_res"] > 0
    assert all(p["type"] == "delay" and p["delay"] > 0 for p in workload["profiles"].values())
    names = [job["id"] for job in workload["jobs"]]
    assert all(isinstance(name, str) and "!" not in name for name in names)
    assert len(set(names)) == len(names)
    for job in workload["jobs"]:
        assert isinstance(job["res"], int)
        assert job["res"] > 0
        assert job.get("walltime", 1) > 0
        assert job["profile"] in workload["profiles"]


def test_jobs_that_cannot_run_are_left_out_and_counted() -> None:
    jobs = Workload.from_columns(submit=[0, 0, -1, 0], run=[1, -1, 1, 1], processors=[1, 1, 1, -1])

    data, notes = BATSIM.format(jobs)

    assert [job["id"] for job in json.loads(data)["jobs"]] == ["1"]
    (note,) = notes
    assert note == (
        "3 jobs without processors, with a negative submission or an unknown run time are left"
        " out: Batsim cannot simulate them"
    )


def test_the_widest_job_stands_for_an_unknown_machine() -> None:
    jobs = Workload.from_columns(submit=[0, 0], run=[1, 1], processors=[3, 5])

    assert json.loads(BATSIM.format(jobs).data)["nb_res"] == 5


def test_nothing_to_simulate_is_refused() -> None:
    jobs = Workload.from_columns(submit=[0], run=[-1], processors=[1])

    with pytest.raises(InputError, match="no job has processors and a run time"):
        BATSIM.format(jobs)
