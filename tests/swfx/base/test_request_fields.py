"""Texts of options that several requests have."""

import pytest

from swfx.base.errors import InputError
from swfx.base.options import slice_of
from swfx.base.request_fields import classes_of


@pytest.mark.parametrize(
    ("text", "jobs"),
    [
        (":100", slice(None, 100)),
        ("100:", slice(100, None)),
        (":", slice(None, None)),
        ("0:1", slice(0, 1)),
    ],
)
def test_slices(text: str, jobs: slice) -> None:
    assert slice_of(text) == jobs


@pytest.mark.parametrize(
    "text", ["", "5", "2:1", "3:3", ":0", "1:2:3", "a:b", "-1:", "1.5:2", "٣:٤", f"0:{'9' * 5000}"]
)
def test_texts_that_are_no_slice(text: str) -> None:
    with pytest.raises(InputError, match=r"is not A:B|is empty"):
        slice_of(text)


def test_priority_classes() -> None:
    assert classes_of("7=0, 22=5,-1=3") == {7: 0, 22: 5, -1: 3}


@pytest.mark.parametrize("text", ["", "7", "7=", "=1", "7=-1", "a=1", "7=1.5", "7=1,", "7=1,7=1"])
def test_texts_that_are_no_priority_classes(text: str) -> None:
    with pytest.raises(InputError):
        classes_of(text)
