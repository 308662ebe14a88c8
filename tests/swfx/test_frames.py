"""Names in data frames: text goes in, and the same text comes out."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import Header, InputError, Workload

TEXT_COLUMNS = ("user", "group", "executable", "queue", "partition", "account", "qos", "job_id")

DIGITS = {str(number) for number in range(21)}
NAMES = st.one_of(
    st.text(min_size=1, max_size=4).filter(lambda t: t != "unknown" and not t.isdecimal()),
    st.sampled_from(["ann", "my queue", '"x"', "a,b", "-", "=1", "103_1", "9 x"]),
)
CELLS = st.one_of(NAMES, st.integers(0, 20).map(str), st.just("unknown"))


def survives(text: str) -> bool:
    """Whether a line of a header can hold a text."""
    try:
        return bool(Header((f" User: 1 {text!a}",))) and text.encode("utf-8") != b""
    except (InputError, UnicodeEncodeError):
        return False


@st.composite
def tables(draw: st.DrawFn) -> pd.DataFrame:
    """Tables of jobs in which each column of text has a name."""
    rows = draw(st.integers(1, 6))
    table = pd.DataFrame({"submit": np.arange(rows, dtype=np.float64)})
    for column in draw(st.sets(st.sampled_from(TEXT_COLUMNS))):
        cells = draw(st.lists(CELLS.filter(survives), min_size=rows, max_size=rows))
        cells[draw(st.integers(0, rows - 1))] = draw(NAMES.filter(survives))
        table[column] = cells
    return table


@st.composite
def families(draw: st.DrawFn) -> tuple[Header, pd.DataFrame]:
    """Tables with columns of one kind, of which some are numbers and some have names."""
    rows = draw(st.integers(1, 5))
    names = st.one_of(NAMES.filter(survives), st.integers(0, 9).map(str))
    table = pd.DataFrame({"submit": np.zeros(rows)})
    for column in draw(st.sampled_from([("job_id", "preceding_job"), ("group", "account")])):
        numbers = draw(st.booleans())
        cells: st.SearchStrategy[Any] = st.integers(0, 9) if numbers else names
        table[column] = draw(st.lists(cells, min_size=rows, max_size=rows))
    return Header((" GroupMeans: account",)), table


@given(families())
def test_columns_of_one_kind_have_one_number_for_one_name(
    family: tuple[Header, pd.DataFrame],
) -> None:
    header, table = family
    jobs = Workload.from_frame(table, header)

    pairs = {
        (str(cell), number)
        for name in table.columns[1:]
        for cell, number in zip(table[name], jobs.column(str(name)).tolist(), strict=True)
    }
    assert len({cell for cell, _ in pairs}) == len({number for _, number in pairs}) == len(pairs)
    lines = [line for line in jobs.header.lines if "Means" not in line]
    assert len({line.split()[1] for line in lines}) == len(lines)


@given(tables())
def test_a_table_with_names_comes_back_from_a_workload(table: pd.DataFrame) -> None:
    jobs = Workload.from_frame(table)

    back = jobs.to_frame(names=True)

    pd.testing.assert_frame_equal(back[table.columns], table)
    pd.testing.assert_frame_equal(Workload.from_frame(back).to_frame(names=True), back)
    assert Workload.from_frame(back, jobs.header) == jobs
    assert Workload.from_frame(jobs.to_frame(), jobs.header) == jobs


@given(tables())
def test_numbers_are_equal_where_names_are(table: pd.DataFrame) -> None:
    jobs = Workload.from_frame(table)

    for name in set(table) & set(TEXT_COLUMNS):
        pairs = set(zip(table[name], jobs.column(str(name)).tolist(), strict=True))
        assert set(Counter(text for text, _ in pairs).values()) == {1}
        assert set(Counter(number for _, number in pairs).values()) == {1}
        assert all(number == -1 for text, number in pairs if text == "unknown")
        assert all(
            number == int(text) for text, number in pairs if text.isascii() and text.isdigit()
        )


def test_names_of_a_header_keep_their_numbers_and_others_follow() -> None:
    header = Header((" User: 9 ann", " GroupMeans: account", " Account: 4 physics"))
    table = pd.DataFrame({"submit": [0, 0, 0], "user": ["bob", "ann", None]})

    jobs = Workload.from_frame(table.assign(group=["bio", "physics", 4]), header)

    assert jobs.user.tolist() == [10, 9, -1]
    assert jobs.group.tolist() == [5, 4, 4]
    assert jobs.labels.of("account").of_jobs() == ["bio", "physics", "physics"]


def test_jobs_have_the_names_by_which_others_refer_to_them() -> None:
    table = pd.DataFrame(
        {"job_id": ["7", "3_1", "3_2"], "submit": [0, 0, 5], "preceding_job": [None, 7, "3_1"]}
    )

    jobs = Workload.from_frame(table)

    assert jobs.job_id.tolist() == [7, 8, 9]
    assert jobs.preceding_job.tolist() == [-1, 7, 8]
    assert [jobs.job_name(job) for job in range(3)] == ["7", "3_1", "3_2"]
    assert jobs.to_frame(names=True)["preceding_job"].tolist() == ["unknown", "7", "3_1"]


def test_categories_are_names_and_nan_is_nobody() -> None:
    users = pd.Series(["b", "a", "b"], dtype="category")
    jobs = Workload.from_frame(
        pd.DataFrame({"submit": 0, "user": users, "queue": ["x", float("nan"), 3.0]})
    )

    assert jobs.user.tolist() == [1, 2, 1]
    assert jobs.queue.tolist() == [4, -1, 3]


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        ([1.0, float("nan"), 3.0], [1, -1, 3]),
        (pd.array([1, None, 3], "Int64"), [1, -1, 3]),
        (pd.array([1, None, 3], "UInt8"), [1, -1, 3]),
        (pd.array([1.0, None, 3.0], "Float64"), [1, -1, 3]),
        (pd.array(["7", None, "9"], "string"), [7, -1, 9]),
        (np.array([np.int64(1), pd.NA, np.float32(3)], object), [1, -1, 3]),
        (pd.Series(["8", None, "8"], dtype="category"), [8, -1, 8]),
    ],
)
@pytest.mark.parametrize("column", ["user", "part_of", "account"])
def test_what_is_missing_is_unknown(column: str, cells: object, numbers: list[int]) -> None:
    jobs = Workload.from_frame(pd.DataFrame({"submit": [0.0, 1.0, 2.0], column: cells}))

    assert jobs.column(column).tolist() == numbers


def test_what_is_neither_name_nor_number_is_refused() -> None:
    with pytest.raises(InputError, match=r"field user: \(1, 2\) is no name; give text or whole"):
        Workload.from_frame(pd.DataFrame({"submit": [0, 1], "user": ["ann", (1, 2)]}))
    with pytest.raises(InputError, match=r"field user: 1\.5 is no name"):
        Workload.from_frame(pd.DataFrame({"submit": [0, 1], "user": ["ann", 1.5]}))
    with pytest.raises(InputError, match=r"field user: inf is no name"):
        Workload.from_frame(pd.DataFrame({"submit": [0, 1], "user": ["ann", float("inf")]}))
    with pytest.raises(InputError, match="unknown column usr"):
        Workload.from_frame(pd.DataFrame({"submit": [0], "usr": ["ann"]}))
    with pytest.raises(InputError, match="the table has no column submit"):
        Workload.from_frame(pd.DataFrame({"run": [1]}))
