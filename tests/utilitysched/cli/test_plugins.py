"""`--plugin my.py`: parts of one's own, without a package."""

from __future__ import annotations

import csv
import json
import os
import re
from pathlib import Path

import pytest

from tests.utilitysched.cli.conftest import Command, refused

POLICY = '''\
import numpy as np
from utilitysched import Decision
from utilitysched.schedulers.registry import scheduler


@scheduler("widest-first")
class WidestFirst:
    """Widest job first, no backfilling."""

    def decide(self, state):
        order = state.queued[np.argsort(-state.known.size[state.queued], kind="stable")]
        return Decision(order[np.cumsum(state.known.size[order]) <= state.free])
'''

ORDERING = """\
from utilitysched.schedulers.orderings import ordering


@ordering("narrowest", summary="fewest processors first")
def score(moment, queue, known, forecast, parameters, out):
    for i, job in enumerate(queue):
        out[i] = known.size[job]
"""

MECHANISM = '''\
from dataclasses import dataclass
import numpy as np
from pricing import ConfiguredMechanism, Prices, register


@register("two-each")
@dataclass(frozen=True)
class TwoEach(ConfiguredMechanism):
    """Two SU for every job."""

    def price(self, outcome):
        return Prices(np.full(len(outcome), 2.0), np.full(len(outcome), np.nan))
'''

METRIC = """\
from utilitysched.analysis.metrics import metric


@metric("late_share", title="late jobs", unit="%")
def late_share(workload, schedule, counts):
    late = schedule.wait(workload) > workload.request
    return 100 * late[counts].mean()
"""

MEASURED = """\
plugins = ["late.py"]
[workload]
source = "sample:"
jobs = ["0:60", "60:120"]
[schedulers]
names = ["easy", "fcfs"]
[report]
metrics = ["late_share"]
tables = ["csv"]
"""

GRID = """\
plugins = ["policy.py"]
[workload]
source = "sample:"
jobs = ["0:60", "60:120"]
[schedulers]
names = ["easy", "widest-first"]
[report]
tables = ["latex"]
"""

SLICE = ("sample:", "--jobs", "0:60", "--quiet")


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    file = tmp_path / "policy.py"
    file.write_text(POLICY)
    return file


def test_a_policy_of_twelve_lines_stands_in_a_table_of_a_grid(
    process: Command, policy: Path
) -> None:
    grid = policy.with_name("grid.toml")
    grid.write_text(GRID)

    ran = process("experiment", "run", grid, "--processes", 2)

    assert ran.code == 0, ran.err
    assert len(POLICY.splitlines()) == 12
    assert "widest-first" in (policy.parent / "grid.store/grid/tables.tex").read_text()
    assert process("experiment", "status", grid).out.startswith("4 of 4 simulations finished")
    policy.write_text(POLICY.replace("-state", "state"))
    assert process("experiment", "status", grid).out.startswith("0 of 4 simulations finished")
    policy.write_text(POLICY)
    assert process("experiment", "status", grid).out.startswith("4 of 4 simulations finished")


def test_workers_of_dask_need_not_see_the_file(process: Command, policy: Path) -> None:
    grid = policy.with_name("grid.toml")
    grid.write_text(GRID)

    ran = process("experiment", "run", grid, "--dask", "local:1", "--quiet")

    assert ran.code == 0, ran.err
    assert "widest-first" in ran.out + (policy.parent / "grid.store/grid/tables.tex").read_text()


def test_several_files_and_what_a_run_remembers_of_them(
    process: Command, policy: Path, tmp_path: Path
) -> None:
    ordering, mechanism = tmp_path / "ordering.py", tmp_path / "mechanism.py"
    ordering.write_text(ORDERING)
    mechanism.write_text(MECHANISM)

    ran = process(
        *("simulate", *SLICE, "-s", "widest-first", "-s", "narrowest", "--out", tmp_path / "runs"),
        *("--plugin", policy, "--plugin", ordering),
    )
    billed = process(
        *("bill", tmp_path / "runs/narrowest", "--mechanism", "two-each", "--json"),
        *("--plugin", ordering, "--plugin", mechanism),
    )

    assert ran.code == 0, ran.err
    versions = json.loads((tmp_path / "runs/narrowest/run.json").read_text())["versions"]
    assert f"plugin {policy}" in versions
    assert billed.code == 0, billed.err
    assert json.loads(billed.out)["total"] == 120.0


def test_an_error_in_it_is_the_users(process: Command, policy: Path) -> None:
    policy.write_text(POLICY.replace("argsort", "argsrt"))

    answer = process("simulate", *SLICE, "-s", "widest-first", "--plugin", policy)

    refused(answer, f"error: {policy}:11: AttributeError: module 'numpy' has no")


def test_a_metric_is_in_tables_files_experiments_and_pages(
    process: Command, tmp_path: Path
) -> None:
    file, grid, page = (tmp_path / name for name in ("late.py", "grid.toml", "page.html"))
    file.write_text(METRIC)
    grid.write_text(MEASURED)
    runs = tmp_path / "runs"

    ran = process("simulate", *SLICE, "-s", "easy", "--plugin", file, "--out", runs)
    typed = process("simulate", *SLICE, "-s", "easy", "--plugin", file, "--json")
    also = process("simulate", *SLICE, "-s", "fcfs", "--plugin", file, "--out", runs)
    shown = process("report", runs, "-o", page)
    known = process("report", runs, "-o", tmp_path / "known.html", "--plugin", file)
    tested = process("compare", "easy", "fcfs", "-w", *SLICE, "-m", "late_*", "--plugin", file)
    measured = process("experiment", "run", grid, "--processes", 2)

    assert [each.err for each in (ran, also, shown, known, tested) if each.code] == []
    late = json.loads((runs / "easy/summary.json").read_text())["late_share"]
    assert late == json.loads(typed.out)["runs"][0]["summary"]["late_share"]
    assert 0 < late < 100
    assert re.search(rf"late\n +jobs\nscheduler +\(%\)\n─+\neasy +{late:.2f}\n", ran.out)
    figure = '{}</th><td data-label="easy">38.3{}<'.format
    assert figure("late share", "") in page.read_text()  # whose title is in the file
    told = page.with_name("known.html").read_text()
    assert figure("late jobs", "%") in told
    assert re.search('"name": ?"late_share", ?"title": ?"late jobs"', told)
    assert re.search(r"late\n +jobs +ratio\nscheduler +pairs +\(%\) +\[95%\]", tested.out)
    assert measured.code == 0, measured.err
    results = csv.DictReader((tmp_path / "grid.store/grid/results.csv").read_text().splitlines())
    easy = next(row for row in results if row["scheduler"] == "easy")
    assert float(easy["late_share"]) == late
    table = (tmp_path / "grid.store/grid/comparisons.csv").read_text()
    assert "late_share,%,fcfs,2," in table


def test_a_metric_of_a_package_is_measured(
    process: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = tmp_path / "late-1.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: late\nVersion: 1\n")
    (installed / "entry_points.txt").write_text("[utilitysched.metrics]\nlate = late\n")
    undefined = METRIC.replace("100 * late[counts].mean()", "float('nan')")
    (tmp_path / "late.py").write_text(undefined)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)

    ran = process("simulate", *SLICE, "-s", "easy", "--json")

    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["runs"][0]["summary"]["late_share"] is None


def test_an_error_in_a_metric_has_its_line(process: Command, tmp_path: Path) -> None:
    file = tmp_path / "late.py"
    for text, message in (
        (METRIC.replace(".wait(", ".weight("), f"{file}:6: AttributeError: 'Schedule' object has"),
        (METRIC.replace("late[counts]", "late"), ""),
        (METRIC.replace("100 * late", "late, late"), f"{file}: metric late_share is (array("),
        (METRIC.replace("late_share", "wait_mean"), f"{file}:4: the metric 'wait_mean' is in "),
        (METRIC.replace('"%"', '"%", better="more"'), f"{file}:4: 'more' is not lower or higher"),
        (METRIC.replace('"%"', '"%", mean="mode"'), f"{file}:4: 'mode' is not arithmetic or "),
        (METRIC.replace("late_share", "revenue"), f"{file}:4: 'revenue' cannot name a metric"),
        (METRIC.replace("late =", "counts[:] ="), f"{file}:6: ValueError: assignment destination"),
    ):
        file.write_text(text)
        answer = process("simulate", *SLICE, "-s", "easy", "--plugin", file)
        assert answer.code == (2 if message else 0)
        assert answer.err.startswith(f"error: {message}" if message else "")


def test_what_numba_cannot_compile_has_its_line(process: Command, tmp_path: Path) -> None:
    ordering = tmp_path / "ordering.py"
    ordering.write_text(ORDERING.replace("known.size", "known.width"))

    answer = process("simulate", *SLICE, "-s", "narrowest", "--plugin", ordering)

    assert answer.code == 2
    assert answer.err.startswith(
        f"error: {ordering}:7: TypingError: Unknown attribute 'width' of type JobTable("
    )


def test_options_of_what_has_none_are_refused(process: Command, policy: Path) -> None:
    answer = process("simulate", *SLICE, "-s", "widest-first:deep=3", "--plugin", policy)

    refused(answer, "widest-first: takes no options; write widest-first alone")


def test_an_experiment_names_the_line_that_names_the_file(process: Command, policy: Path) -> None:
    grid = policy.with_name("grid.toml")
    grid.write_text(GRID)
    policy.write_text("1 / 0\n")

    answer = process("experiment", "run", grid)

    refused(answer, f"grid.toml:1: field plugins[0]: {policy}:1: ZeroDivisionError")


def test_a_broken_package_is_told_once_and_left_out(
    process: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = tmp_path / "broken-1.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1\n")
    (installed / "entry_points.txt").write_text("[utilitysched.orderings]\nmine = no_such_module\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    ran = process("simulate", *SLICE, "-s", "saf")
    used = process("simulate", *SLICE, "-s", "mine")

    reason = (
        "utilitysched.orderings: plug-in 'mine' (no_such_module) cannot be loaded: "
        "ModuleNotFoundError: No module named 'no_such_module'; update or uninstall broken\n"
    )
    assert (ran.code, ran.err) == (0, f"left out: {reason}")
    assert (used.code, used.err) == (2, f"left out: {reason}error: {reason}")
