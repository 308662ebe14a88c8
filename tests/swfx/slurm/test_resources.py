from __future__ import annotations

import pytest

from swfx.accounting.fields import LogField, Reading
from swfx.accounting.table import Columns, Row, Table
from swfx.slurm.resources import (
    allocated,
    cpu_time,
    requested_memory,
    time_limit,
)


def number(source: LogField, cells: dict[str, str]) -> float:
    """What a record of these cells tells."""
    table = Table.of(Columns(cells), [Row(2, list(cells.values()))])
    return float(Reading(source).numbers(table)[0])


@pytest.mark.parametrize(
    ("cells", "processors"),
    [
        ({"AllocCPUS": "4", "NNodes": "1"}, 4),
        ({"NCPUS": "8"}, 8),
        ({"AllocCPUS": "0", "NNodes": "1"}, -1),  # NNodes of a job that never ran is what it asked
        ({"AllocTRES": "billing=9,cpu=6,mem=4G,node=1"}, 6),
        ({"AllocTRES": "", "AllocNodes": "2"}, 72),
        ({"NNodes": "3"}, 108),
        ({"User": "ann"}, -1),
    ],
)
def test_processors(cells: dict[str, str], processors: int) -> None:
    assert number(allocated(Columns(cells), 36), cells) == processors


def test_processors_are_cpu_time_over_run_time() -> None:
    read = allocated(Columns(["CPUTimeRAW"]), 0).read

    assert read("", "", "", "600", "", "", 100.0) == 6
    assert read("", "", "", "600", "", "", 0.0) is None


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90", 5_400),
        ("UNLIMITED", None),
        ("4294967295", None),
        ("1-00:00:00", 86_400),
        ("Partition_Limit", None),
        ("", None),
    ],
)
def test_time_limits(text: str, seconds: float | None) -> None:
    assert time_limit(text) == seconds


@pytest.mark.parametrize(
    ("text", "nodes", "kilobytes"),
    [
        ("4000Mc", "", 4_096_000),
        ("16G", "", 4_194_304),
        ("16000", "", 4_096_000),
        ("8Gn", "2", 4_194_304),
        ("8Gn", "", None),
        ("0n", "2", None),
        ("", "", None),
    ],
)
def test_memory_asked_for_on_each_of_four_processors(
    text: str, nodes: str, kilobytes: float | None
) -> None:
    assert requested_memory(text, nodes, 4) == kilobytes


def test_cpu_time_is_that_of_one_processor() -> None:
    assert cpu_time("00:10:00", 4) == 150
    assert cpu_time("00:00:00", 4) is None
    assert cpu_time("00:10:00", -1) is None
