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
procs = 8
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
correction = "benjamini-hochberg"
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
            sources=(Source("log", str(tmp_path / "log.swf")),),
            jobs=("0:20", "20:"),
            apply=((), ("accurate", "slice:jobs=1:")),
            seeds=(0, 1),
            procs=8,
            cleaning="strict",
            classes=((7, 0),),
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
        correction="benjamini-hochberg",
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
    text = SMALL.replace("model:lublin,jobs=40,procs=64,seed=3", "log.swf").replace(
        "jobs = [", 'apply = ["merge:log=log.swf"]\njobs = ['
    )

    (workloads,) = read_experiment(small_file(tmp_path, text)).workloads

    assert workloads.sources == (Source("log.swf", str(tmp_path / "log.swf")),)
    assert workloads.apply == ((f"merge:log={tmp_path / 'log.swf'}",),)


SOURCE = '"model:lublin,jobs=40,procs=64,seed=3"'
REFUSALS = {
    'name = "small"': {
        "name = 3": "F/small.toml:1: field name: is a number, not a text",
        "nme = 'small'": "F/small.toml:1: field nme: is not a known key; did you mean 'name'?",
        "name = ": "F/small.toml:1: is not TOML: invalid value",
        'name = ""': "F/small.toml:1: field name: is empty",
    },
    SOURCE: {
        '"no.swf"': "F/small.toml:3: field workload[0].source: F/no.swf: no such file",
        '"model:lubin"': "field workload[0].source: model: no model is named 'lubin'",
        '"model:lublin,prcs=3"': "field prcs: is not a known key; did you mean 'procs'?",
        '"sample:no"': "field workload[0].source: sample: no sample is named 'no'",
        '"${NOT_SET_ANYWHERE}/x"': "the environment variable NOT_SET_ANYWHERE is not set; export",
        '"-"': "standard input can be read only once",
        "[]": "F/small.toml:3: field workload[0].source: is an empty list",
        '["sample:", "sample:"]': "F/small.toml:3: field workload[0].source[1]: is named twice",
        '"sample:"\nseed = 3': "F/small.toml:4: field workload[0].seed: is not a known key; "
        "did you mean 'seeds'?",
        '"sample:"\nprocs = 0': "F/small.toml:4: field workload[0].procs: 0 is out of range",
        '"sample:"\nprocs = true': "field workload[0].procs: is true or false, not a whole number",
        '"sample:"\napply = [["accurate", "acurate"]]': "F/small.toml:4: field "
        "workload[0].apply[0][1]: unknown transformation 'acurate'; did you mean 'accurate'?",
        '"sample:"\napply = "scale-load:lod=1"': "field lod: is not a known key",
        '"sample:"\ncleaning = "strikt"': "'strikt' is not known; did you mean 'strict'?",
        '"sample:"\nclasses = {a = 1}': "'a' is no number of a queue",
    },
    '["0:20", "20:40"]': {
        '["0:20",\n"40:20"]': "F/small.toml:5: field workload[0].jobs[1]: '40:20' is empty",
        "20": "F/small.toml:4: field workload[0].jobs: is a number, not a text",
    },
    "seeds = [1, 2]": {
        "seeds = [1, -2]": "F/small.toml:6: field utilities.seeds[1]: -2 is out of range",
        "seeds = [1, 1]": "F/small.toml:6: field utilities.seeds[1]: is named twice",
        "specifications = 'facter=2'": "F/small.toml:6: field utilities.specifications: "
        "utilities: field facter: is not a known key; did you mean 'factor'?",
        "specifications = 'nine'": "no utility model has that name",
    },
    '"fcfs"': {
        '"fcsf"': "F/small.toml:8: field schedulers.names[1]: unknown scheduler 'fcsf'; did you",
        '"easy"': "F/small.toml:8: field schedulers.names[1]: is named twice",
        '"fcfs:thresold=3"': "field schedulers.names[1]: ",
    },
    "repeats = 2": {
        "repeats = 0": "F/small.toml:9: field schedulers.repeats: 0 is out of range",
        'baseline = "saf"': "F/small.toml:9: field schedulers.baseline: 'saf' is not among the",
        "[simulation]\ntrim = 0.5": "F/small.toml:10: field simulation.trim: 0.5 is not a share",
        "[simulation]\ntau = inf": "F/small.toml:10: field simulation.tau: inf is not above 0",
        "[simulation]\ndependencies = 1": "write true or false",
        '[simulation]\npreemption = "scratch"': "F/small.toml:10: field simulation.preemption: ",
        '[simulation]\nfailures = "nodes=2"': "F/small.toml:10: field simulation.failures: ",
    },
    '"wait_mean"': {
        '"wait_maen"': "F/small.toml:11: field report.metrics[1]: no figure is named 'wait_maen'; "
        "did you mean 'wait_mean'?",
        "1": "F/small.toml:11: field report.metrics[1]: is a number, not a text",
    },
    'metrics = ["aggregate_utility", "wait_mean"]': {
        'tables = ["html"]': "F/small.toml:11: field report.tables[0]: 'html' is not known",
        'mean = "harmonic"': "'harmonic' is not known",
        "plots = [1]": "field report.plots[0]: is a number",
        "published = [{scheduler = 'easy'}]": "field report.published[0]: values is missing",
        "published = [{scheduler = 'saf', values = {}}]": "'saf' is not among the schedulers",
        "published = [{scheduler = 'easy', values = {wait = 1}}]": "F/small.toml:11: field "
        "report.published[0].values.wait: is not a known key",
        "published = [{scheduler = 'easy', ratios = {wait = 1}}]": "F/small.toml:11: field "
        "report.published[0].ratios.wait: is not a known key",
        "published = [{scheduler = 'easy', values = {makespan = 1}, ratios = {makespan = 1}}]": (
            "field report.published[0].ratios: 'makespan' has a value, too; give one of them"
        ),
        "published = [{scheduler = 'easy', values = {wait_mean = '1'}}]": "is a text, not a number",
        "published = [{scheduler = 'easy', workload = 'KTH', values = {}}]": "field "
        "report.published[0].workload: 'KTH' is not among the workloads",
        "published = [{scheduler = 'easy', values = {}},\n"
        "{scheduler = 'easy', values = {}}]": "F/small.toml:12: field "
        "report.published[1].scheduler: 'easy' is named twice",
    },
    "[[workload]]": {
        "[workload_]": "field workload_: is not a known key; did you mean 'workload'?",
        "workload = 3\n[x]": "field x: is not a known key",
    },
    "[schedulers]": {"": "schedulers is missing"},
}
CASES = [(old, new, said) for old, changes in REFUSALS.items() for new, said in changes.items()]


@pytest.mark.parametrize(("old", "new", "said"), CASES, ids=[new for _, new, _ in CASES])
def test_every_mistake_is_refused_with_its_place(
    old: str, new: str, said: str, tmp_path: Path
) -> None:
    assert old in SMALL

    assert said in refusal(tmp_path, SMALL.replace(old, new, 1))


def test_a_slice_beyond_the_log_is_refused_with_its_line(tmp_path: Path) -> None:
    text = SMALL.replace('["0:20", "20:40"]', '[\n  "0:20",\n  "40:",\n]')

    assert refusal(tmp_path, text) == (
        "F/small.toml:6: field workload[0].jobs[1]: model:lublin,jobs=40,procs=64,seed=3: "
        "positions 40:41 select none of 40 job lines; give A:B, counted from 0"
    )


def test_an_open_bracket_is_told_where_it_opens(tmp_path: Path) -> None:
    said = refusal(tmp_path, SMALL.replace('"20:40"]', '"20:40"'))

    assert "small.toml:4: is not TOML: unclosed array" in said


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no\.toml: cannot be read: no such file or directory"):
        read_experiment(tmp_path / "no.toml")


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_bytes(b"name = '\xff'")

    with pytest.raises(InputError, match="is not text in UTF-8"):
        read_experiment(tmp_path / "x.toml")
