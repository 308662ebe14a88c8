from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import InputError
from swfx.options import as_float, as_int, as_text, check_keys, nearest, split_options


def test_splits_keys_and_values() -> None:
    assert split_options(" a = 1,b=x=y ", "test") == {"a": "1", "b": "x=y"}
    assert split_options("", "test") == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a", "test: 'a' is not of the form key=value; separate options by commas, as in a=1,b=2"),
        ("a=1,,b=2", "test: '' is not of the form key=value"),
        ("=1", "test: '=1' is not of the form key=value"),
        ("a=", "test: 'a=' is not of the form key=value"),
        ("a=1,a=2", "test: field a: is given twice; keep one of them"),
    ],
)
def test_refuses_what_is_no_list_of_options(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        split_options(text, "test")

    assert message in str(error.value)


def test_names_the_nearest_key() -> None:
    with pytest.raises(InputError) as error:
        check_keys({"sede": "1"}, ("jobs", "seed"), "model")

    assert str(error.value) == (
        "model: field sede: is not a known key; did you mean 'seed'? known: jobs, seed"
    )


def test_case_does_not_hide_the_nearest_key() -> None:
    assert nearest("EASY", ("easy", "ga")) == "did you mean 'easy'? known: easy, ga"


def test_names_no_nearest_key_where_none_is_near() -> None:
    assert nearest("qqq", ("seed", "jobs")) == "known: jobs, seed"


@pytest.mark.parametrize("text", ["x", "nan", "inf", "-inf", "1e999", ""])
def test_refuses_what_is_no_finite_number(text: str) -> None:
    with pytest.raises(InputError, match=r"test: field f: .* is not a finite number"):
        as_float(text, "test", "f")


@pytest.mark.parametrize("text", ["1.5", "x", "1e3"])
def test_refuses_what_is_no_whole_number(text: str) -> None:
    with pytest.raises(InputError, match=r"test: field f: .* is not a whole number"):
        as_int(text, "test", "f")


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_text_reads_back(value: float) -> None:
    assert as_float(as_text(value), "test", "f") == value
