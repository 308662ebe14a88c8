from __future__ import annotations

import pytest

from swfx.accounting.table import Columns
from swfx.slurm.resources import (
    Counting,
    allocated,
    cpu_time,
    requested,
    requested_memory,
    time_limit,
)


@pytest.mark.parametrize(
    ("cells", "processors"),
    [
        ({"AllocCPUS": "4", "NNodes": "1"}, 4),
        ({"NCPUS": "8"}, 8),
        ({"AllocCPUS": "0", "NNodes": "1"}, -1),  # NNodes of a job that never ran is what it asked
        ({"AllocTRES": "billing=9,cpu=6,mem=4G,node=1"}, 6),
        ({"AllocTRES": "", "AllocNodes": "2"}, 72),
        ({"CPUTimeRAW": "600"}, 6),
        ({"NNodes": "3"}, 108),
        ({}, -1),
    ],
)
def test_processors(cells: dict[str, str], processors: int) -> None:
    counting = Counting(cores_per_node=36)

    assert allocated(Columns(cells), list(cells.values()), counting, 100.0) == processors


def test_nodes_in_place_of_processors() -> None:
    cells = {"AllocCPUS": "72", "AllocTRES": "cpu=72,node=2", "ReqCPUS": "36", "ReqNodes": "1"}
    counting = Counting("nodes")

    assert allocated(Columns(cells), list(cells.values()), counting, 1.0) == 2
    assert requested(Columns(cells), list(cells.values()), counting) == 1


@pytest.mark.parametrize(
    ("cells", "seconds"),
    [
        ({"TimelimitRaw": "90"}, 5_400),
        ({"TimelimitRaw": "UNLIMITED"}, -1),
        ({"TimelimitRaw": "4294967295"}, -1),
        ({"Timelimit": "1-00:00:00"}, 86_400),
        ({"Timelimit": "Partition_Limit"}, -1),
        ({"Timelimit": ""}, -1),
        ({}, -1),
    ],
)
def test_time_limits(cells: dict[str, str], seconds: float) -> None:
    assert time_limit(Columns(cells), list(cells.values())) == seconds


@pytest.mark.parametrize(
    ("cells", "kilobytes"),
    [
        ({"ReqMem": "4000Mc"}, 4_096_000),
        ({"ReqMem": "16G"}, 4_194_304),
        ({"ReqMem": "16000"}, 4_096_000),
        ({"ReqMem": "8Gn", "AllocNodes": "2"}, 4_194_304),
        ({"ReqMem": "8Gn"}, -1),
        ({"ReqMem": "0n"}, -1),
        ({"ReqMem": ""}, -1),
        ({}, -1),
    ],
)
def test_memory_asked_for_on_each_of_four_processors(
    cells: dict[str, str], kilobytes: float
) -> None:
    assert requested_memory(Columns(cells), list(cells.values()), 4) == kilobytes


def test_cpu_time_is_that_of_one_processor() -> None:
    columns = Columns(["TotalCPU"])

    assert cpu_time(columns, ["00:10:00"], 4) == 150
    assert cpu_time(columns, ["00:00:00"], 4) == -1
    assert cpu_time(columns, ["00:10:00"], -1) == -1
