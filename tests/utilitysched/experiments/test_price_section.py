"""The section [prices]: what is read, what is refused with its line, and what rows it makes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from swfx import InputError
from tests.utilitysched.experiments.small import SIMULATIONS, SMALL, small, small_cell, small_file
from utilitysched.experiments.experiment_file import read_experiment
from utilitysched.experiments.grid import bills, cells
from utilitysched.experiments.specification import PriceSettings, PublishedBill

PRICES = '[prices]\nmechanisms = ["first-price", "vcg:method=replay,seeds=2"]\n'
PUBLISHED = """published = [
  {mechanism = "first-price", values = {revenue = 5}},
  {mechanism = "first-price", scheduler = "fcfs", values = {revenue = 6, share_free = 0}},
]
"""


def refusal(folder: Path, section: str) -> str:
    with pytest.raises(InputError) as refused:
        read_experiment(small_file(folder, SMALL + section))
    return str(refused.value).replace(str(folder), "F")


def test_every_key_is_read(tmp_path: Path) -> None:
    assert read_experiment(
        small_file(tmp_path, SMALL + PRICES + PUBLISHED)
    ).prices == PriceSettings(
        ("first-price", "vcg:method=replay,seeds=2"),
        (
            PublishedBill("first-price", {"revenue": 5.0}),
            PublishedBill("first-price", {"revenue": 6.0, "share_free": 0.0}, "fcfs"),
        ),
    )
    assert read_experiment(small_file(tmp_path)).prices == PriceSettings(())


def test_the_same_figures_twice_are_refused(tmp_path: Path) -> None:
    one = '  {mechanism = "first-price", values = {revenue = 5}},\n'

    assert "'first-price' is named twice; put all values in one table" in refusal(
        tmp_path, PRICES + PUBLISHED.replace(one, one * 2)
    )


def test_every_schedule_is_charged_by_every_mechanism(tmp_path: Path) -> None:
    experiment, entries = small(tmp_path, SMALL + PRICES)

    rows = bills(experiment, entries)

    assert len(cells(rows)) == 2 * SIMULATIONS
    assert [row.cell.bill for row in rows[:3]] == [
        "first-price",
        "vcg:method=replay,seeds=2",
        "first-price",
    ]
    assert bills(*small(tmp_path)) == []


def test_a_cell_that_is_not_charged_keeps_its_key() -> None:
    """Stores of experiments without prices are as good as ever."""
    plain, charged = small_cell(), small_cell(bill="vcg")

    assert "bill" not in json.loads(plain.to_json())
    assert json.loads(charged.to_json()) == json.loads(plain.to_json()) | {"bill": "vcg"}
    assert plain.key != charged.key
