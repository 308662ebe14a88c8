"""Heatmaps: reading, checking, writing."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from swfx import InputError
from swfx.heatmap import Heatmap, find_heatmap, read_heatmap, write_heatmap

HEADER = "name_A\tprocs_A\tcompact_A\tname_B\tprocs_B\tcompact_B\tco_A_B\tco_B_A\n"


TABLE_4_1 = """
bt.D.256 123.97 119.62 119.40
bt.D.512 60.04 121.29 57.94
bt.D.64 486.25 138.96 443.08
bt.E.1024 511.22 120.39 492.30
bt.E.2048 224.97 - -
cg.D.128 93.29 122.38 92.36
cg.D.64 183.43 122.60 167.26
cg.E.1024 256.09 122.85 202.75
cg.E.2048 120.64 - -
cg.E.512 359.30 123.81 270.04
ep.E.256 145.935 114.22 145.55
ep.E.512 72.89 114.25 73.43
ft.D.256 55.98 126.44 41.20
ft.D.64 185.72 139.93 145.63
ft.E.1024 136.65 127.82 98.73
ft.E.2048 77.31 - -
ft.E.512 247.88 125.70 175.70
is.E.256 85.21 128.49 63.40
is.E.512 50.41 126.65 35.75
lu.D.128 138.51 128.82 122.94
lu.D.256 73.54 124.66 66.13
lu.D.64 263.21 132.77 232.85
lu.E.1024 282.36 125.65 252.05
lu.E.2048 163.17 - -
lu.E.512 542.87 126.09 482.46
mg.E.128 159.37 162.00 103.03
mg.E.256 87.53 156.55 54.04
sp.C.64 20.12 135.31 17.00
sp.D.128 318.87 158.57 210.34
sp.D.256 116.32 138.40 87.07
sp.D.512 58.49 133.78 48.36
"""
"""Program, compact run time, run time of bt.D.256 beside it and its own beside bt.D.256 (s)."""

RENAMED = {
    "bt.D.512": "bt.D.484",
    "bt.E.2048": "bt.E.2025",
    "sp.D.128": "sp.D.121",
    "sp.D.512": "sp.D.484",
}


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
    assert found.alone().tolist() == [1.25, 0.8, 1.0]


def test_findings_name_what_is_missing_one_sided_or_beyond_belief(tmp_path: Path) -> None:
    found = heatmap(tmp_path, "a 4 100 b 8 60 40 ", "a 4 100 a 4 100 100 100")

    assert found.findings() == (
        "2 of 3 pairs are not measured",
        "1 pairs are measured one way only",
        "a beside b runs 2.50 times as fast as compact, beyond 2",
    )


def test_aris_has_the_published_rows() -> None:
    aris = find_heatmap("aris")
    differ = []

    for row in TABLE_4_1.split("\n")[1:-1]:
        name, *published = row.split()
        i = aris.names.index(RENAMED.get(name, name))
        beside = aris.compact[0] / aris.speed[0, i], aris.compact[i] / aris.speed[i, 0]
        times = [math.nan if time == "-" else float(time) for time in published]
        if not np.allclose(times, (aris.compact[i], *beside), 0.0, 0.00501, equal_nan=True):
            differ.append(name)

    # the table has both run times of bt beside bt, the measured one their median
    assert differ == ["bt.D.256"]
    # the table says 128 processes, but sp runs only with square numbers of them
    assert aris.processes[aris.names.index("sp.D.121")] == 121


@pytest.mark.parametrize(
    ("name", "programs", "speeds", "finding"),
    [
        ("aris", 33, 809, ("140 of 561 pairs are not measured",)),
        ("aris-spec", 8, 63, ("1 of 36 pairs are not measured",)),
        ("grvingt", 13, 169, ()),
    ],
)
def test_packaged_heatmaps(name: str, programs: int, speeds: int, finding: tuple[str, ...]) -> None:
    heatmap = find_heatmap(name)

    assert len(heatmap.names) == programs
    assert np.count_nonzero(heatmap.measured) == speeds
    assert heatmap.findings() == finding


def test_programs_of_2025_or_2048_processes_were_only_measured_beside_each_other() -> None:
    aris = find_heatmap("aris")
    large = aris.processes >= 2025

    assert (np.isnan(aris.speed) == (large[:, None] != large)).all()


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    aris = find_heatmap("aris")
    spread = np.where(np.arange(33) % 2, aris.compact, np.nan)

    write_heatmap(replace(aris, spread=spread), tmp_path / "again.tsv")
    again = read_heatmap(tmp_path / "again.tsv")

    assert again.names == aris.names
    assert again.processes.tolist() == aris.processes.tolist()
    assert again.compact.tolist() == aris.compact.tolist()
    np.testing.assert_array_equal(again.spread, spread)
    np.testing.assert_array_equal(again.speed, aris.speed)


def test_programs_have_their_names_in_the_table_too() -> None:
    aris, own = find_heatmap("aris"), Heatmap.alike(["bt.D.484", "bt.D.512"])

    assert all(aris.rows()[name] == aris.names.index(same) for name, same in RENAMED.items())
    assert own.rows() == {"bt.D.484": 0, "bt.D.512": 1}
    assert len(find_heatmap("aris-spec").rows()) == 8


SPREAD = (
    HEADER.replace("compact_A", "compact_A\tspread_A").replace("compact_B", "compact_B\tspread_B"),
    "a\t4\t100\t80\tb\t8\t60\t\t90\t75\n",
)


def test_measured_time_on_halves_of_nodes_is_the_speed_alone(tmp_path: Path) -> None:
    (tmp_path / "map.tsv").write_text("".join(SPREAD), "utf-8")

    found = read_heatmap(tmp_path / "map.tsv")

    assert found.spread[0] == 80.0
    assert np.isnan(found.spread[1])
    assert found.alone().tolist() == [1.25, 0.8]  # that of b is its best known one


def test_times_on_halves_of_nodes_that_disagree_or_have_no_column_are_refused(
    tmp_path: Path,
) -> None:
    path = tmp_path / "map.tsv"
    path.write_text("".join(SPREAD) + "b\t8\t60\t50\tb\t8\t60\t50\t75\t75\n", "utf-8")
    with pytest.raises(InputError, match=r"map\.tsv:3: b has 8 processes and 60 s, 50 s on halves"):
        read_heatmap(path)

    path.write_text("".join(SPREAD).replace("spread_B", "spread"), "utf-8")
    with pytest.raises(InputError, match=r"map\.tsv:1: has no column spread_B"):
        read_heatmap(path)


def load(name: str, **fields: object) -> dict[str, object]:
    """An application of a pool."""
    times: dict[str, object] = {
        "load_name": name,
        "num_of_processes": 4,
        "compact_timelogs": [90, 100.0, 300],
        "spread_timelogs": [],
        "coscheduled_timelogs": {},
        "ipc": 0.5,
    }
    return times | fields


def pool(tmp_path: Path, *loads: object) -> Heatmap:
    """A heatmap of a pool; of each two loads, one is an object and one a text."""
    texts = [
        each if i % 2 or isinstance(each, str) else json.dumps(each) for i, each in enumerate(loads)
    ]
    text = json.dumps({"machine": "m", "suite": "s", "loads": texts})
    (tmp_path / "pool.json").write_text(text, "utf-8")
    return read_heatmap(tmp_path / "pool.json")


def test_a_pool_is_read_by_its_medians(tmp_path: Path) -> None:
    beside = {"b": [[100, 400], [125]], "a": [[50, 60, 70], [100], []], "gone": [[7]]}

    found = pool(
        tmp_path,
        load("b", spread_timelogs=[50, 60]),
        load("a", coscheduled_timelogs=beside, num_of_processes=9),
    )

    assert found.names == ("a", "b")
    assert found.processes.tolist() == [9, 4]
    assert found.compact.tolist() == [100.0, 100.0]
    # all run times beside another are one list; beside its own, the mean of 60 and 100
    np.testing.assert_array_equal(found.speed, [[1.25, 0.8], [np.nan, np.nan]])
    np.testing.assert_array_equal(found.spread, [np.nan, 55.0])
    assert found.findings()[2:] == (
        "run times beside 1 application without one alone are left out: gone",
    )


@pytest.mark.parametrize(
    ("loads", "message"),
    [
        ([], "pool.json: has no pairs"),
        (["{"], "pool.json: field loads[0]: is no JSON"),
        ([load("a", compact_timelogs=[])], "field loads[0].compact_timelogs: has no run time"),
        ([load("a", compact_timelogs=[1, -2])], "field loads[0].compact_timelogs[1]: -2"),
        (
            [load("a", coscheduled_timelogs={"b": [[], []]}), load("b")],
            "field loads[0].coscheduled_timelogs.b: has no run time",
        ),
        (
            [load("a"), load("a", compact_timelogs=[5])],
            "field loads[1].load_name: a has 4 processes and 5 s here, and others above",
        ),
    ],
)
def test_pools_that_cannot_be_are_refused(
    tmp_path: Path, loads: list[object], message: str
) -> None:
    with pytest.raises(InputError) as refused:
        pool(tmp_path, *loads)

    assert message in str(refused.value)
    assert str(refused.value).startswith(f"{tmp_path}/pool.json: ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1]", "map.tsv: is a list, not a table"),
        ("{}", "map.tsv: loads is missing; add loads"),
        ("name_A\tname_B\n", "map.tsv:1: has no column procs_A"),
    ],
)
def test_neither_tables_nor_pools_are_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "map.tsv").write_text(text, "utf-8")

    with pytest.raises(InputError) as refused:
        read_heatmap(tmp_path / "map.tsv")

    assert message in str(refused.value)


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
