from __future__ import annotations

from pathlib import Path

import pytest

import swfx
from swfx import InputError
from tests.utilitysched.experiments.small import SIMULATIONS, SMALL, small
from tests.utilitysched.small import plain_workload
from utilitysched.experiments.grid import Circumstances, cells

SOURCE = "model:lublin,jobs=40,machine_size=64,seed=3"


def test_every_combination_has_a_row_in_the_order_of_the_file(tmp_path: Path) -> None:
    _, entries = small(tmp_path)

    assert len(entries) == len(cells(entries)) == SIMULATIONS
    assert [(entry.scheduler, entry.seed) for entry in entries[:4]] == [
        ("easy", 0),
        ("fcfs", 0),
        ("ga:population=4,generations=2", 0),
        ("ga:population=4,generations=2", 1),
    ]
    assert list(dict.fromkeys(entry.circumstances for entry in entries)) == [
        Circumstances(SOURCE, "0:20", "", 0, "default", 1),
        Circumstances(SOURCE, "0:20", "", 0, "default", 2),
        Circumstances(SOURCE, "20:40", "", 0, "default", 1),
        Circumstances(SOURCE, "20:40", "", 0, "default", 2),
    ]


def test_what_draws_nothing_has_one_seed(tmp_path: Path) -> None:
    text = SMALL.replace(
        'jobs = ["0:20", "20:40"]', 'apply = [["accurate"], ["resample-users"]]\nseeds = [7, 8]'
    ).replace("[utilities]", '[utilities]\nspecifications = ["none", "factor=3"]')

    _, entries = small(tmp_path, text)

    assert {(e.circumstances.apply, e.circumstances.apply_seed) for e in entries} == {
        ("accurate", 0),
        ("resample-users", 7),
        ("resample-users", 8),
    }
    assert {(e.circumstances.utilities, e.circumstances.utility_seed) for e in entries} == {
        ("none", 0),
        ("factor=3", 1),
        ("factor=3", 2),
    }


def test_files_go_by_their_names_and_their_bytes(tmp_path: Path) -> None:
    keys = []
    for folder in (tmp_path / "a", tmp_path / "b"):
        folder.mkdir()
        swfx.write(plain_workload(), folder / "log.swf")
        text = SMALL.replace(SOURCE, "log.swf").replace(
            "jobs = [", 'apply = ["merge:log=log.swf"]\njobs = ['
        )
        _, entries = small(folder, text)
        keys.append([entry.cell.key for entry in entries])
        assert entries[0].circumstances.workload == "log.swf"
        assert entries[0].circumstances.apply == "merge:log=log.swf"

    assert keys[0] == keys[1]


def test_workloads_of_one_name_need_names_of_their_own(tmp_path: Path) -> None:
    again = f'[[workload]]\nsource = "{SOURCE}"\njobs = "0:20"\nmachine_size = 32\n[utilities]'

    with pytest.raises(InputError, match="two workloads are named 'model:lublin,jobs=40"):
        small(tmp_path, SMALL.replace("[utilities]", again))
    _, entries = small(
        tmp_path,
        SMALL.replace(
            "[utilities]", again.replace("machine_size =", 'name = "narrow"\nmachine_size =')
        ),
    )

    assert entries[-1].circumstances.workload == "narrow"
