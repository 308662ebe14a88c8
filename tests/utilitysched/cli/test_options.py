"""Options that are read from text of their own form."""

from __future__ import annotations

import pytest
import typer

from utilitysched.cli.options import below_half, classes_of, from_one, from_zero, positive, slice_of


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("5000:10000", slice(5000, 10000)),
        (":100", slice(None, 100)),
        ("100:", slice(100, None)),
        (":", slice(None, None)),
        ("0:1", slice(0, 1)),
    ],
)
def test_slices(text: str, meant: slice) -> None:
    assert slice_of(text) == meant


@pytest.mark.parametrize(
    "text", ["", "5", "2:1", "3:3", ":0", "1:2:3", "a:b", "-1:", "1.5:2", "٣:٤", f"0:{'9' * 5000}"]
)
def test_what_is_no_slice(text: str) -> None:
    with pytest.raises(typer.BadParameter, match=r"is not A:B|is empty"):
        slice_of(text)


def test_classes() -> None:
    assert classes_of("7=0, 22=5,-1=3") == {7: 0, 22: 5, -1: 3}


@pytest.mark.parametrize("text", ["", "7", "7=", "=1", "7=-1", "a=1", "7=1.5", "7=1,", "7=1,7=1"])
def test_what_are_no_classes(text: str) -> None:
    with pytest.raises(typer.BadParameter):
        classes_of(text)


def test_numbers() -> None:
    assert (from_zero("0"), from_one("12"), positive("0.5"), below_half("0")) == (0, 12, 0.5, 0.0)
    assert (from_zero(7), positive(10.0)) == (7, 10.0)  # type: ignore[arg-type]  # typer's defaults


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (from_zero, "-1"),
        (from_zero, "1.0"),
        (from_zero, "1_000"),
        (from_zero, "²"),
        (from_zero, "9" * 5000),
        (from_one, "0"),
        (positive, "0"),
        (positive, "nan"),
        (positive, "inf"),
        (positive, "soon"),
        (below_half, "0.5"),
        (below_half, "-0.1"),
        (below_half, "nan"),
    ],
)
def test_what_are_no_such_numbers(read: object, text: str) -> None:
    assert callable(read)
    with pytest.raises(typer.BadParameter, match="is not"):
        read(text)
