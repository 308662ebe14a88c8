"""Runs that tests of reports show: a small workload, two schedulers, a bill for one of them."""

from __future__ import annotations

from pathlib import Path

import swfx
from swfx.families.generators import attach_utilities
from tests.utilitysched.small import plain_workload
from utilitysched.cli.entry import run as run_command
from utilitysched.runs import RunResults, read_results


def make_runs(folder: Path) -> Path:
    """Simulate into `folder`/runs, and return that."""
    log, runs = folder / "market.swfx", folder / "runs"
    swfx.write(attach_utilities(plain_workload(), seed=3), log)
    chosen = ["--scheduler", "easy", "--scheduler", "saf", "--out", str(runs), "--quiet"]
    assert run_command(["simulate", str(log), *chosen]) == 0
    assert run_command(["bill", str(runs / "easy"), "--quiet"]) == 0
    return runs


def read_all(runs: Path) -> list[RunResults]:
    """Read what `make_runs` made."""
    return [read_results(runs / name) for name in ("easy", "saf")]
