"""The section [audit]: what is read, what is refused with its line, and what rows it makes."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from pricing.readings import read_at_the_end
from swfx import InputError
from tests.utilitysched.experiments.small import SIMULATIONS, SMALL, small, small_cell, small_file
from utilitysched.experiments.audits import Audited
from utilitysched.experiments.cell import run_cell
from utilitysched.experiments.experiment_file import read_experiment
from utilitysched.experiments.grid import audits, cells, grid
from utilitysched.market.audit import MECHANISMS, TOLD
from utilitysched.market.audit.design import QUEUES

FULL = """[audit]
mechanisms = ["vcg", "first-price:reading=end"]
jobs = 4
draws = 3
lies = ["scale:factor=3", "split"]
horizon = "1w"
queues = "log"
"""


AT_THE_END = tuple(map(read_at_the_end, MECHANISMS))
"""As the schedulers of the small experiment rank by no curve."""


def test_every_key_is_read(tmp_path: Path) -> None:
    assert read_experiment(small_file(tmp_path, SMALL + FULL)).audit == Audited(
        ("vcg", "first-price:reading=end"), 4, 3, ("scale:factor=3", "split"), "1w", "log"
    )
    found = read_experiment(small_file(tmp_path, SMALL + "[audit]\n")).audit
    assert found is not None
    assert (found.mechanisms, found.jobs, found.draws) == (AT_THE_END, 30, 2)
    assert (len(found.lies), found.horizon, found.queues) == (len(TOLD), "24h", QUEUES)
    assert read_experiment(small_file(tmp_path)).audit is None


@pytest.mark.parametrize(
    ("section", "said"),
    [
        ("[audit]\njobs = 0", "F/small.toml:13: field audit.jobs: 0 is out of range; give 1"),
        ('[audit]\nlies = ["scael"]', "F/small.toml:13: field audit.lies[0]: unknown lie 'scael'"),
        ('[audit]\nlies = ["scale", "scale"]', "F/small.toml:13: field audit.lies[1]: is named"),
        ('[audit]\nhorizon = "day"', "F/small.toml:13: field audit.horizon: "),
        ('[audit]\nqueues = "x"', "F/small.toml:13: field audit.queues: "),
        ("[audit]\nseeds = 3", "F/small.toml:13: field audit.seeds: "),
        (
            '[audit]\nmechanisms = ["vcg:literal=true"]',
            "F/small.toml:12: field audit: easy: vcg:literal=true: field literal: is that of the",
        ),
    ],
)
def test_mistakes_are_refused_with_their_lines(tmp_path: Path, section: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        read_experiment(small_file(tmp_path, SMALL + section))

    assert str(refused.value).replace(str(tmp_path), "F").startswith(said)


def test_what_an_audit_does_not_play_is_refused_beside_it(tmp_path: Path) -> None:
    text = f"{SMALL}[simulation]\ndependencies = true\n"
    assert read_experiment(small_file(tmp_path, text)).simulation.dependencies

    with pytest.raises(InputError, match="audits play no dependencies; leave dependencies out"):
        read_experiment(small_file(tmp_path, f"{text}[audit]\n"))


def test_an_audit_has_the_failures_of_its_schedules(tmp_path: Path) -> None:
    text = SMALL.replace('"easy", "fcfs", "ga:population=4,generations=2"', '"easy"')
    text += '[simulation]\nfailures = "nodes=64,mtbf=4h,repair=1h"\n[audit]\njobs = 4\ndraws = 1\n'
    text += 'lies = ["scale"]\nmechanisms = ["first-price:reading=end"]\n'
    experiment = read_experiment(small_file(tmp_path, text))
    (cell, *_) = cells(audits(experiment, grid(experiment)))

    found, never = run_cell(cell), run_cell(replace(cell, failures=""))

    assert found.error is None
    assert found.metrics != never.metrics


def test_every_schedule_is_audited(tmp_path: Path) -> None:
    experiment, entries = small(tmp_path, SMALL + FULL)

    rows = audits(experiment, entries)

    assert len(cells(rows)) == SIMULATIONS
    assert {row.cell.audit for row in rows} == {experiment.audit}
    assert not {row.cell.key for row in rows} & {entry.cell.key for entry in entries}
    assert audits(*small(tmp_path)) == []


def test_a_cell_with_an_audit_travels() -> None:
    asked = Audited(("vcg",), 4, 3, ("split",), "1w", "log")
    cell = small_cell(audit=asked)

    assert pickle.loads(pickle.dumps(cell)) == cell
    assert cell.key != small_cell(audit=Audited(("vcg",), 4, 2, ("split",), "1w", "log")).key
