"""Compiled texts of numbers are held to their readable twin, then to literals."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from swfx.base.columns import LIMIT
from swfx.kernels import texts as kernels
from tests.reference import texts as twin
from tests.scale import many

numbers = st.floats(-LIMIT, LIMIT) | st.integers(-LIMIT, LIMIT).map(float) | st.just(float("nan"))
tables = st.lists(st.lists(numbers, max_size=4), min_size=1, max_size=4)


def written(kernel, rows: list[list[float]], pointed: bool) -> list[str]:
    flat = np.array([number for row in rows for number in row])
    ends = np.cumsum([len(row) for row in rows])
    letters, offsets = kernel.cells(flat, ends, pointed)
    text = letters.tobytes().decode()
    return [text[offsets[i] : offsets[i + 1]] for i in range(len(rows))]


@given(tables, st.booleans())
@example([[], [-0.0], [1.0, 0.5]], True)
def test_cells_are_those_of_the_twin(rows, pointed):
    assert written(kernels, rows, pointed) == written(twin, rows, pointed)


def each(values: np.ndarray) -> list[list[float]]:
    return [[value] for value in values[np.abs(values) <= LIMIT].tolist()]


POWERS = 2.0 ** np.arange(-1074, 54)
rng = np.random.default_rng(5)


@pytest.mark.parametrize(
    "values",
    [
        pytest.param(POWERS, id="powers of two, closer to the number below"),
        pytest.param(np.nextafter(POWERS, 0), id="below them"),
        pytest.param(np.nextafter(POWERS, np.inf), id="above them"),
        pytest.param(10.0 ** -np.arange(324), id="powers of ten"),
        pytest.param(rng.integers(0, 2**52, many(5_000)).astype("u8").view("f8"), id="subnormal"),
        pytest.param(rng.integers(0, 2**63, many(20_000)).view("f8"), id="any bits"),
        pytest.param(rng.uniform(0, 1e6, many(20_000)).round(3), id="few digits"),
        pytest.param(rng.integers(0, 2**53, many(5_000)) / 2, id="halves"),
    ],
)
@pytest.mark.parametrize("pointed", [False, True])
def test_numbers_that_are_hard_to_write(values, pointed):
    rows = each(values)
    assert written(kernels, rows, pointed) == written(twin, rows, pointed)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.0001, "0.0001"),
        (0.00001, "1e-05"),
        (1.25e-10, "1.25e-10"),
        (5e-324, "5e-324"),
        (-2.2250738585072014e-308, "-2.2250738585072014e-308"),
        (1 / 3, "0.3333333333333333"),
        (4503599627370495.5, "4503599627370495.5"),
        (2.0**53, "9007199254740992"),
        (12.0, "12"),
        (-0.0, "0"),
    ],
)
def test_shortest_texts(number, text):
    assert written(kernels, [[number]], False) == [text]


cell_texts = st.lists(st.text("ab", max_size=3), min_size=3, max_size=3)


@given(st.lists(cell_texts, min_size=1, max_size=4))
def test_columns_are_placed_as_by_the_twin(columns):
    def lines(kernel) -> bytes:
        length = sum(np.array([len(cell) + 1 for cell in cells]) for cells in columns)
        placed = np.zeros(int(length.sum()), np.uint8)
        position = np.cumsum(length) - length
        for cells in columns:
            letters = np.frombuffer(bytearray("".join(cells), "ascii"), np.uint8)
            ends = np.cumsum([len(cell) for cell in cells])
            begin = np.concatenate([[0], ends[:-1]])
            kernel.place(letters, begin, ends, ord(","), placed, position)
        return placed.tobytes()

    assert lines(kernels) == lines(twin)
    assert (
        lines(kernels)
        == "".join(f"{','.join(row)}," for row in zip(*columns, strict=True)).encode()
    )
