"""Heatmaps: reading, checking, writing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from swfx import InputError
from swfx.heatmap import Heatmap, find_heatmap, read_heatmap, write_heatmap

HEADER = "name_A\tprocs_A\tcompact_A\tname_B\tprocs_B\tcompact_B\tco_A_B\tco_B_A\n"


def heatmap(tmp_path: Path, *rows: str) -> Heatmap:
    path = tmp_path / "map.tsv"
    path.write_text(HEADER + "".join(row.replace(" ", "\t") + "\n" for row in rows), "utf-8")
    return read_heatmap(path)


def test_speeds_are_compact_over_co_run_times(tmp_path: Path) -> None:
    found = heatmap(tmp_path, "a 4 100 b 8 60 80 75", "a 4 100 a 4 100 98 102")

    assert found.names == ("a", "b")
    assert found.processes.tolist() == [4, 8]
    assert found.compact.tolist() == [100.0, 60.0]
    assert found.speed[0].tolist() == [1.0, 1.25]  # beside its own: the mean of both measurements
    assert found.speed[1, 0] == 0.8
    assert np.isnan(found.speed[1, 1])
    assert found.measured.tolist() == [[True, True], [True, False]]


def test_what_is_known_of_an_application_stands_for_what_is_not(tmp_path: Path) -> None:
    found = heatmap(tmp_path, "a 4 100 b 8 60 80 75", "a 4 100 a 4 100 200 200", "c 1 9 c 1 9  ")

    assert found.row_means().tolist() == [0.875, 0.8, 1.0]
    assert found.row_maxima().tolist() == [1.25, 0.8, 1.0]


def test_findings_name_what_is_missing_one_sided_or_beyond_belief(tmp_path: Path) -> None:
    found = heatmap(tmp_path, "a 4 100 b 8 60 40 ", "a 4 100 a 4 100 100 100")

    assert found.findings() == (
        "2 of 3 pairs are not measured",
        "1 pairs are measured one way only",
        "a beside b runs 2.50 times as fast as compact, beyond 2",
    )


def test_the_packaged_one_has_the_published_rows() -> None:
    aris = find_heatmap("aris")

    assert len(aris.names) == 31
    assert aris.processes[aris.names.index("bt.E.2048")] == 2025
    assert aris.speed[0, aris.names.index("ep.E.256")] == 123.97 / 114.22
    assert np.count_nonzero(aris.measured) == 2 * 27 - 1


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    aris = find_heatmap("aris")

    write_heatmap(aris, tmp_path / "again.tsv")
    again = read_heatmap(tmp_path / "again.tsv")

    assert again.names == aris.names
    np.testing.assert_allclose(again.speed, aris.speed, rtol=1e-4)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["a 4 100 b 8 60 80 0"], "map.tsv:2: field co_B_A: '0' is no run time"),
        (["a 4 x b 8 60 80 9"], "field compact_A: 'x' is no run time"),
        (["a 4.5 1 b 8 60 80 9"], "field procs_A: '4.5' is no number of processes"),
        (["a 4 1 b 8 60 80 9", "b 9 60 b 9 60 1 1"], "map.tsv:3: b has 9 processes and 60 s here"),
        (["a 4 1 b 8 60 80 9", "b 8 60 a 4 1 8 80"], "map.tsv:3: field co_A_B: b beside a takes 8"),
        (["a 4 1 b 8 60 80"], "map.tsv:2: not 8 columns"),
        ([], "map.tsv: has no pairs"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, rows: list[str], message: str) -> None:
    with pytest.raises(InputError) as refused:
        heatmap(tmp_path, *rows)

    assert message in str(refused.value)
    assert refused.value.remedy


def test_a_file_without_a_column_is_refused(tmp_path: Path) -> None:
    (tmp_path / "map.tsv").write_text("name_A\tname_B\n", "utf-8")

    with pytest.raises(InputError, match=r"map\.tsv:1: has no column procs_A"):
        read_heatmap(tmp_path / "map.tsv")


def test_all_alike() -> None:
    assert Heatmap.alike(["a", "b"], 0.5).speed.tolist() == [[0.5, 0.5], [0.5, 0.5]]
