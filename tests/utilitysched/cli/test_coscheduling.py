"""Bills of runs whose jobs shared nodes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from pricing import charge, unslowed
from pricing.checks import check_charges
from swfx import Workload
from swfx.base.csv_columns import read_columns
from tests.utilitysched.cli.conftest import Command
from utilitysched.runs.stored import read_run


def test_nobody_pays_for_what_a_neighbour_slows_it_by(command: Command, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    scheduler = "coscheduled:policy=sjf-co,completion=1"
    load = "model:applications,jobs=60,seed=2"
    simulated = command("simulate", load, "--scheduler", scheduler, "--out", runs)
    assert simulated.code == 0
    assert f"{scheduler}: jobs that neighbours slow may finish; 140 of 561 pairs are synthetic" in (
        simulated.err
    )
    (folder,) = (path for path in runs.iterdir() if path.is_dir())

    assert command("bill", folder, "--mechanism", "single-price").code == 0

    run = read_run(folder)
    lasted, alone = run.end - run.start, run.workload.run
    lines = read_columns(str(folder / "charges.csv")).cells
    charged = np.array(lines["processor_hours"], np.float64) * 3600 / run.workload.size
    np.testing.assert_allclose(charged, np.minimum(lasted, alone), rtol=1e-6)
    assert (lasted > alone * 1.01).any()
    assert (lasted < alone * 0.99).any()
    checks = json.loads((folder / "statements.json").read_text("utf-8"))["checks"]
    assert {check["name"] for check in checks if check["holds"]} >= {"interference", "evidence"}
    assert all(check["holds"] for check in checks if check["asserted"])
    assert command("explain-charge", folder, run.workload.job_id[0]).code == 0


def test_the_check_finds_whoever_pays_for_interference() -> None:
    workload = Workload.from_columns(submit=[0, 0], run=[10, 10], processors=[1, 1])
    start, end = np.zeros(2), np.array([20.0, 20.0])

    fair = charge(workload, start, end, "single-price", used=unslowed(workload, start, end))
    unfair = charge(workload, start, end, "single-price", used=np.array([10.0, 19.0]))

    found = [{check.name: check.holds for check in check_charges(each)} for each in (fair, unfair)]
    assert [each["interference"] for each in found] == [True, False]
