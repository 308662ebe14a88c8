"""Experiment files: what is read, and what is refused, with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

import swfx
from swfx import InputError
from tests.utilitysched.experiments.small import SMALL, small_file
from tests.utilitysched.small import plain_workload
from utilitysched.experiments.experiment_file import read_experiment
from utilitysched.experiments.specification import (
    Candidate,
    Published,
    Schedulers,
    SimulationSettings,
    Source,
    Utilities,
    Wanted,
    Workloads,
)

FULL = """\
name = "everything"
store = "results"
[[workload]]
name = "log"
source = "${FOLDER}/log.swf"
jobs = ["0:20", "20:"]
apply = [[], ["accurate", "slice:jobs=1:"]]
seeds = [0, 1]
machine_size = 8
cleaning = "strict"
classes = {7 = 0}
[utilities]
specifications = ["default", "none", "factor=3"]
seeds = [4, 5]
before_apply = true
[schedulers]
names = ["easy", "ga"]
baseline = "ga"
repeats = 3
[simulation]
tau = 60
trim = 0.01
dependencies = true
[report]
metrics = ["wait_p9*", "aggregate_utility"]
compare = ["aggregate_utility"]
tables = ["csv"]
plots = ["ratio"]
plot_formats = ["svg"]
published = [{scheduler = "easy", values = {wait_p98 = 5}, ratios = {aggregate_utility = 1.16}}]
separate = []
mean = "geometric"
"""


def refusal(folder: Path, text: str) -> str:
    with pytest.raises(InputError) as refused:
        read_experiment(small_file(folder, text))
    return str(refused.value).replace(str(folder), "F")


def test_every_key_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    swfx.write(plain_workload(), tmp_path / "log.swf")
    monkeypatch.setenv("FOLDER", str(tmp_path))

    read = read_experiment(small_file(tmp_path, FULL))

    assert read.name == "everything"
    assert read.store == tmp_path / "results"
    assert read.workloads == (
        Workloads(
            source=(Source("log.swf", str(tmp_path / "log.swf")),),
            name="log",
            jobs=("0:20", "20:"),
            apply=((), ("accurate", "slice:jobs=1:")),
            seeds=(0, 1),
            machine_size=8,
            cleaning="strict",
            classes={7: 0},
        ),
    )
    assert read.utilities == Utilities(("default", "none", "factor=3"), (4, 5), before_apply=True)
    assert read.schedulers == Schedulers(
        (Candidate("easy", stochastic=False), Candidate("ga", stochastic=True)), "ga", 3
    )
    assert read.simulation == SimulationSettings(60.0, 0.01, dependencies=True)
    assert read.report == Wanted(
        metrics=("wait_p98", "aggregate_utility"),
        compare=("aggregate_utility",),
        tables=("csv",),
        plots=("ratio",),
        plot_formats=("svg",),
        published=(Published("easy", {"wait_p98": 5.0}, {"aggregate_utility": 1.16}),),
        separate=(),
        mean="geometric",
    )


def test_what_is_left_out_has_a_default(tmp_path: Path) -> None:
    text = '[[workload]]\nsource = "sample:"\n[schedulers]\nnames = ["fcfs", "easy"]\n'

    read = read_experiment(small_file(tmp_path, text))

    assert read.name == "small"
    assert read.workloads == (Workloads((Source("sample:", "sample:"),)),)
    assert read.utilities == Utilities((None,), (0,))
    assert read.schedulers.baseline == "fcfs"
    assert read.report == Wanted()


def test_a_source_is_beside_the_file_wherever_it_is_read_from(tmp_path: Path) -> None:
    swfx.write(plain_workload(), tmp_path / "log.swf")
    text = SMALL.replace("model:lublin,jobs=40,machine_size=64,seed=3", "log.swf").replace(
        "jobs = [", 'apply = ["merge:log=log.swf"]\njobs = ['
    )

    (workloads,) = read_experiment(small_file(tmp_path, text)).workloads

    assert workloads.sources == (Source("log.swf", str(tmp_path / "log.swf")),)
    assert workloads.apply == ((f"merge:log={tmp_path / 'log.swf'}",),)


def test_schedulers_have_the_names_that_tables_call_them(tmp_path: Path) -> None:
    text = SMALL.replace('"fcfs"', '"plain = saf:placement=none"').replace(
        "repeats = 2", 'repeats = 2\nbaseline = "plain"'
    )

    read = read_experiment(
        small_file(
            tmp_path,
            text + '[prices]\nmechanisms = ["first-price"]\n'
            'published = [{mechanism = "first-price", scheduler = "plain", values = {revenue = 1}}]'
            "\n[audit]\njobs = 3\n",
        )
    )

    plain = read.schedulers.candidates[1]
    assert (plain.label, plain.scheduler) == ("plain", "saf:placement=none")
    assert read.schedulers.baseline == "plain"
    assert read.prices.published[0].scheduler == "plain"


SOURCE = '"model:lublin,jobs=40,machine_size=64,seed=3"'
REFUSALS = {
    'name = "small"': {
        "nme = 'small'": "F/small.toml:1: field nme: is not a known key; did you mean 'name'?",
    },
    SOURCE: {
        '"no.swf"': "F/small.toml:3: field workload[0].source: F/no.swf: no such file",
        '"model:lubin"': "field workload[0].source: model: no model is named 'lubin'",
        '"-"': "standard input can be read only once",
        '["sample:", "sample:"]': "F/small.toml:3: field workload[0].source[1]: is named twice",
        '"sample:"\nmachine_size = 0': "F/small.toml:4: field "
        "workload[0].machine_size: 0 is out of range",
        '"sample:"\napply = [["accurate", "acurate"]]': "F/small.toml:4: field "
        "workload[0].apply[0][1]: unknown transformation 'acurate'; did you mean 'accurate'?",
        '"sample:"\napply = ["accurate", "acurate"]': "field workload[0].apply[1]: unknown",
        '"sample:"\napply = ["accurate", []]': "field workload[0].apply: has both texts and lists",
        '"sample:"\napply = []': "field workload[0].apply: is an empty list",
        '"sample:"\ncleaning = "strikt"': "'strikt' is not known; did you mean 'strict'?",
        '"sample:"\nclasses = {a = 1}': "field workload[0].classes.a: 'a' is no number of a queue",
    },
    '["0:20", "20:40"]': {
        '["0:20",\n"40:20"]': "F/small.toml:5: field workload[0].jobs[1]: '40:20' is empty",
    },
    "seeds = [1, 2]": {
        "seeds = [1, -2]": "F/small.toml:6: field utilities.seeds[1]: -2 is out of range",
        "specifications = 'facter=2'": "F/small.toml:6: field utilities.specifications: "
        "utilities: field facter: is not a known key; did you mean 'factor'?",
    },
    '"fcfs"': {
        '"fcsf"': "F/small.toml:8: field schedulers.names[1]: unknown scheduler 'fcsf'; did you",
        '"easy"': "F/small.toml:8: field schedulers.names[1]: is named twice",
        '"easy = fcfs"': "F/small.toml:8: field schedulers.names[1]: 'easy' names two schedulers",
        '" = fcfs"': "F/small.toml:8: field schedulers.names[1]: is an empty name",
    },
    "repeats = 2": {
        'baseline = "saf"': "F/small.toml:9: field schedulers.baseline: 'saf' is not among the",
        "[simulation]\ntrim = 0.5": "F/small.toml:10: field simulation.trim: 0.5 is out of range",
        "[simulation]\ntau = inf": "F/small.toml:10: field simulation.tau: inf: input should be",
        '[simulation]\npreemption = "scratch"': "F/small.toml:10: field simulation.preemption: ",
        '[simulation]\nfailures = "nodes=2"': "F/small.toml:10: field simulation.failures: ",
    },
    '"wait_mean"': {
        '"wait_maen"': "F/small.toml:11: field report.metrics[1]: no metric is named 'wait_maen'; "
        "did you mean 'wait_mean'?",
    },
    'metrics = ["aggregate_utility", "wait_mean"]': {
        'tables = ["html"]': "F/small.toml:11: field report.tables[0]: 'html' is not known",
        'mean = "harmonic"': "'harmonic' is not known",
    },
    "[[workload]]": {
        "[workload_]": "field workload_: is not a known key; did you mean 'workload'?",
    },
    "[schedulers]": {"": "F/small.toml:1: schedulers is missing; docs/experiments.md has every"},
}
CASES = [(old, new, said) for old, changes in REFUSALS.items() for new, said in changes.items()]


@pytest.mark.parametrize(("old", "new", "said"), CASES, ids=[new for _, new, _ in CASES])
def test_every_mistake_is_refused_with_its_place(
    old: str, new: str, said: str, tmp_path: Path
) -> None:
    assert old in SMALL

    assert said in refusal(tmp_path, SMALL.replace(old, new, 1))


PRICES = '[prices]\nmechanisms = ["first-price", "vcg:method=replay,seeds=2"]\n'
SECTIONS = {
    "[prices]": ":12: field prices: mechanisms is missing",
    '[prices]\nmechanisms = ["vcg:horizon=24h"]': ":13: field prices.mechanisms[0]: vcg: field ",
    PRICES + 'published = [{mechanism = "vcg", values = {revenue = 1}}]': ":14: field "
    "prices.published[0].mechanism: 'vcg' is not among the mechanisms",
    PRICES + 'published = [{mechanism = "first-price", values = {profit = 1}}]': ":14: field "
    "prices.published[0].values.profit: ",
    PRICES + 'published = [{mechanism = "first-price", scheduler = "saf", values = {}}]': ":14: "
    "field prices.published[0].scheduler: 'saf' is not among the schedulers",
    "[audit]\njobs = 0": ":13: field audit.jobs: 0 is out of range; give 1",
    '[audit]\nlies = ["scael"]': ":13: field audit.lies[0]: unknown misreport 'scael'",
    '[audit]\nlies = ["scale", "scale"]': ":13: field audit.lies[1]: is named",
    '[audit]\nhorizon = "day"': ":13: field audit.horizon: ",
    '[audit]\nqueues = "x"': ":13: field audit.queues: ",
    "[audit]\nseeds = 3": ":13: field audit.seeds: ",
    '[audit]\nmechanisms = ["vcg:literal=true"]': ":12: field audit: easy: vcg:literal=true: field",
    "[simulation]\ndependencies = true\n[audit]": "audits play no dependencies; leave dependencies",
}
"""Mistakes in sections behind those of the small experiment."""


@pytest.mark.parametrize(("section", "said"), SECTIONS.items(), ids=SECTIONS)
def test_mistakes_in_prices_and_audits_are_refused(section: str, said: str, tmp_path: Path) -> None:
    assert said in refusal(tmp_path, SMALL + section)


PUBLISHED = {
    "{scheduler = 'easy'}": "[0]: has neither values nor ratios; add values = {METRIC = NUMBER}",
    "{scheduler = 'saf', values = {jobs = 1}}": "[0].scheduler: 'saf' is not among the schedulers",
    "{scheduler = 'easy', values = {wait = 1}}": "[0].values.wait: 'wait' is not known; did you me",
    "{scheduler = 'easy', values = {jobs = 1}, ratios = {jobs = 1}}": "[0].ratios.jobs: 'jobs' has "
    "a value, too; give one of them",
    "{scheduler = 'easy', workload = 'KTH', values = {jobs = 1}}": "[0].workload: 'KTH' is not "
    "among the workloads",
    "{scheduler = 'easy', values = {jobs = 1}},\n{scheduler = 'easy:', values = {jobs = 1}}": (
        "[1].scheduler: 'easy' is named twice; put all values in one table"
    ),
}


@pytest.mark.parametrize(("published", "said"), PUBLISHED.items())
def test_published_figures_are_about_what_is_compared(
    published: str, said: str, tmp_path: Path
) -> None:
    line = 12 if "\n" in published else 11
    text = SMALL.replace(
        'metrics = ["aggregate_utility", "wait_mean"]', f"published = [{published}]"
    )

    assert f"F/small.toml:{line}: field report.published{said}" in refusal(tmp_path, text)


def test_a_slice_beyond_the_log_is_refused_with_its_line(tmp_path: Path) -> None:
    text = SMALL.replace('["0:20", "20:40"]', '[\n  "0:20",\n  "40:",\n]')

    assert refusal(tmp_path, text) == (
        "F/small.toml:6: field workload[0].jobs[1]: model:lublin,jobs=40,machine_size=64,seed=3: "
        "positions 40:41 select none of 40 job lines; give A:B, counted from 0"
    )
