"""The experiments among the examples print what the files beside them hold.

After a change that is meant: `utilitysched experiment run examples/STEM.toml --full > STEM.out`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from scipy.stats import kendalltau

from tests.scale import FACTOR
from utilitysched.cli.entry import run
from utilitysched.experiments.experiment_file import read_experiment
from utilitysched.experiments.grid import audits, bills, cells, grid
from utilitysched.experiments.specification import Experiment

EXAMPLES = Path(__file__).parents[2] / "examples"
STEMS = sorted(path.stem for path in EXAMPLES.glob("*.toml"))
TABLES = [stem for stem in STEMS if stem.startswith("lee_table")]
KEPT = [stem for stem in STEMS if (EXAMPLES / f"{stem}.out").exists()]
REPEATED = [stem for stem in KEPT if FACTOR > 1]
"""Minutes each: with more random cases only."""


@pytest.fixture
def folder(traces: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable that the files name."""
    monkeypatch.setenv("TRACES", str(traces))


def read(stem: str) -> Experiment:
    return read_experiment(EXAMPLES / f"{stem}.toml")


@pytest.mark.parametrize("stem", TABLES)
def test_it_is_four_draws_and_two_runs_of_what_draws(stem: str, folder: None) -> None:
    experiment = read(stem)

    assert len(cells(grid(experiment))) == 4 * (3 + 2)
    assert len(experiment.report.published) == 4


@pytest.mark.parametrize("stem", TABLES)
def test_every_published_figure_is_printed_below_ours(stem: str, folder: None) -> None:
    experiment = read(stem)

    for known in experiment.report.published:
        assert set(known.values) == set(experiment.report.metrics)
    printed = (EXAMPLES / f"{stem}.out").read_text("utf-8")
    for known in experiment.report.published:
        assert f"{known.values['aggregate_utility']:,.0f}" in printed


def test_prices_are_two_draws_seven_bills_and_an_audit_of_each(folder: None) -> None:
    experiment = read("lee_prices")

    entries = grid(experiment)
    assert len(entries) == 2 * 2
    assert len(cells(bills(experiment, entries))) == 7 * len(entries)
    assert len(cells(audits(experiment, entries))) == len(entries)


def test_every_bill_and_every_audit_is_printed(folder: None) -> None:
    experiment = read("lee_prices")
    assert experiment.audit is not None

    printed = (EXAMPLES / "lee_prices.out").read_text("utf-8")

    _, bills_, gains = printed.split("LEE prices: ")[1:]
    assert "vcg:literal=true" in experiment.prices.mechanisms
    for scheduler in experiment.schedulers.candidates:
        for mechanism in experiment.prices.mechanisms:
            assert re.search(f"^{scheduler.label} +{mechanism} ", bills_, re.MULTILINE)
        for mechanism in experiment.audit.mechanisms:
            assert re.search(f"^{scheduler.label} +{mechanism} ", gains, re.MULTILINE)


@pytest.mark.parametrize(
    ("table", "metric", "least"),
    [
        ("mean slowdown by realised run times", "realised_slowdown_mean", 0.94),
        ("makespan", "makespan", 0.92),
    ],
)
def test_schedulers_on_shared_nodes_are_in_kellaris_order(
    table: str, metric: str, least: float
) -> None:
    # by slowdown all but popularity, which she has just before easy and easy-co
    experiment = read("kellari_tables_6")
    printed = (EXAMPLES / "kellari_tables_6.out").read_text("utf-8")
    section = printed.split(f"{experiment.name}: {table}\n")[1]

    ours, theirs = [], []
    for published in experiment.report.published:
        name = re.escape(published.scheduler)
        row = re.search(rf"^{name} +10 +([\d.,]+) ", section, re.MULTILINE)
        assert row
        ours.append(float(row[1].replace(",", "")))
        theirs.append({**published.values, **published.ratios}[metric])

    assert len(ours) == 13
    assert kendalltau(ours, theirs).statistic >= least


@pytest.mark.slow
@pytest.mark.parametrize("stem", REPEATED)
def test_it_prints_what_it_did(
    stem: str, folder: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = EXAMPLES / f"{stem}.toml"

    store = str(tmp_path / "store")
    assert run(["experiment", "run", str(file), "--store", store, "--full", "-q"]) == 0

    assert capsys.readouterr().out == file.with_suffix(".out").read_text("utf-8")
