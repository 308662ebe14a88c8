"""Tables of an experiment."""

from __future__ import annotations

import csv
from pathlib import Path

from tests.utilitysched.experiments.small import SMALL, small
from tests.utilitysched.experiments.test_comparisons import GA, rows
from utilitysched.experiments.comparisons import MetricComparison, compared
from utilitysched.experiments.specification import Experiment
from utilitysched.report.experiment import as_csv, as_latex, as_markdown, tables
from utilitysched.report.tables import markdown

PUBLISHED = """[report]
published = [
  {scheduler = "easy", values = {aggregate_utility = 100, wait_mean = 4}},
  {scheduler = "fcfs", values = {aggregate_utility = 60}},
]"""
METRICS = """\
**small: means over the pairs**

| scheduler |  | aggregate utility (SU) | mean wait (s) |
| :--- | :--- | ---: | ---: |
| easy | here | 15.00 | 5.500 |
|  | published | 100.0 | 4.000 |
| fcfs | here | 7.500 | 5.500 |
|  | published | 60.00 | - |
| ga:population=4,generations=2 | here | 30.50 | 5.500 |
"""


def made(folder: Path, text: str) -> tuple[Experiment, list[MetricComparison]]:
    experiment, entries = small(folder, text)
    return experiment, compared(experiment, rows(entries, {"easy": 10, "fcfs": 5, GA: 20}))


def test_published_figures_stand_below_ours(tmp_path: Path) -> None:
    found = tables(*made(tmp_path, SMALL.replace("[report]", PUBLISHED)))

    assert markdown(found[0]) == METRICS
    assert [table.caption for table in found] == [
        "small: means over the pairs",
        "small: aggregate utility",
        "small: mean wait",
    ]
    assert [column.name for column in found[1].columns] == [
        "scheduler",
        "pairs",
        "aggregate utility",
        "published",
        "difference",
        "ratio [95%]",
        "published ratio",
        "p",
        "effect",
    ]
    assert found[1].texts()[1][6] == "0.6000"


def test_figures_published_of_a_place_stand_there_alone(tmp_path: Path) -> None:
    there = """[report]
published = [
  {scheduler = "easy", apply = ["accurate"], values = {aggregate_utility = 100}},
  {scheduler = "fcfs", workload = "tiny", apply = [], values = {aggregate_utility = 60}},
]"""
    text = SMALL.replace("[report]", there)
    text = text.replace("[utilities]", 'name = "tiny"\napply = [[], ["accurate"]]\n[utilities]')

    found = tables(*made(tmp_path, text))

    theirs = [row for table in found for row in table.texts() if row[1] == "published"]
    assert theirs == [["", "published", "60.00", "-"], ["", "published", "100.0", "-"]]


def test_every_table_has_its_notes(tmp_path: Path) -> None:
    means, *compared_ = tables(*made(tmp_path, SMALL))

    assert means.notes == ()
    for table in compared_:
        assert sum(note.startswith("p: Wilcoxon") for note in table.notes) == 1
        assert table.notes[-1].startswith("pairs: one per workload or slice")


def test_every_figure_asked_for_is_in_a_table(tmp_path: Path) -> None:
    text = SMALL.replace(
        'metrics = ["aggregate_utility", "wait_mean"]',
        'metrics = ["aggregate_utility"]\ncompare = ["wait_mean"]',
    )

    means, waits = tables(*made(tmp_path, text))

    assert [column.name for column in means.columns] == ["scheduler", "aggregate utility"]
    assert waits.caption == "small: mean wait"


def test_places_are_in_captions(tmp_path: Path) -> None:
    text = SMALL.replace("[report]", '[report]\nseparate = ["jobs"]')

    found = tables(*made(tmp_path, text))

    assert found[0].caption == "small: means over the pairs (jobs 0:20)"
    assert found[-1].caption == "small: mean wait (jobs 20:40)"


def test_csv_has_every_comparison_to_full_precision(tmp_path: Path) -> None:
    text = SMALL.replace("[report]", PUBLISHED)

    lines = list(csv.DictReader(as_csv(*made(tmp_path, text)).splitlines()))

    assert [(line["metric"], line["scheduler"]) for line in lines] == [
        (metric, name)
        for metric in ("aggregate_utility", "wait_mean")
        for name in ("easy", "fcfs", GA)
    ]
    assert float(lines[2]["ratio"]) == (20.5 + 40.5) / 30
    assert (lines[1]["published"], lines[1]["published_ratio"]) == ("60.0", "0.6")
    assert (lines[1]["pairs"], lines[4]["pairs"]) == ("2", "2")


def test_files_hold_every_table(tmp_path: Path) -> None:
    found = tables(*made(tmp_path, SMALL))

    assert as_markdown("small", found).count("| scheduler |") == 3
    assert as_markdown("small", found).startswith("# small\n\n**small: means over the pairs**")
    assert as_latex(found).count(r"\begin{tabular}") == 3
