"""`utilitysched ceiling`."""

from __future__ import annotations

import json
from pathlib import Path

from tests.certificate_of_ceiling import exact_bound
from tests.utilitysched.cli.conftest import Command
from utilitysched.runs import read_results

SLICE = ("sample:", "--jobs", "0:80", "--quiet")


def test_a_ceiling_is_above_the_schedule_found_which_is_a_run(
    command: Command, tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    done = command("ceiling", *SLICE, "--out", str(tmp_path), "--page", str(page), "--json")
    told = json.loads(done.out)

    run = read_results(tmp_path / "offline")
    assert told["easy"] < told["found"] == run.summary["aggregate_utility"] <= told["bound"]
    assert exact_bound(tmp_path) <= told["bound"] < told["trivial_bound"]
    assert len((tmp_path / "profits.csv").read_text().splitlines()) == 1 + len(run.workload)
    assert "Price of processor time" in page.read_text()
    assert command("bill", str(tmp_path / "offline"), "--quiet").code == 0


def test_the_same_seed_gives_the_same_bytes(command: Command, tmp_path: Path) -> None:
    for name in ("a", "b"):
        command("ceiling", *SLICE, "--moves", "5", "--out", str(tmp_path / name))

    for name in ("ceiling.json", "profits.csv", "offline-moves_5/jobs.csv"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_bounds_are_printed_beside_each_other(command: Command) -> None:
    printed = command("ceiling", *SLICE, "--preemptive", "--moves", "1").out

    for line in ("EASY", "best schedule found", "ceiling with preemption", "WHO LOSES"):
        assert line in printed


def test_jobs_without_utility_functions_are_worth_nothing(command: Command) -> None:
    log = "model:lublin,jobs=50,machine_size=64"
    done = command("ceiling", log, "--utilities", "none", "--quiet", "--json")

    assert {json.loads(done.out)[name] for name in ("bound", "found", "easy")} == {0.0}
