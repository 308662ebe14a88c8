from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import InputError
from swfx.base.options import (
    as_bool,
    as_choice,
    as_float,
    as_int,
    as_seconds,
    as_text,
    as_whole_seconds,
    bool_text,
    bracketed,
    check_keys,
    nearest,
    split_lists,
    split_options,
)


def test_splits_keys_and_values() -> None:
    assert split_options(" a = 1,b=x=y ", "test") == {"a": "1", "b": "x=y"}
    assert split_options("", "test") == {}


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("a=[x:y,z=1],b=2", {"a": "x:y,z=1", "b": "2"}),
        ("a=[x:[y,z=1],w=2]", {"a": "x:[y,z=1],w=2"}),
        ("a=f[1,2].csv,b=2", {"a": "f[1,2].csv", "b": "2"}),
        ("a=[x,b=2", {"a": "[x", "b": "2"}),
        ("a=]x[,b=2", {"a": "]x[", "b": "2"}),
    ],
)
def test_commas_in_brackets_do_not_separate(text: str, options: dict[str, str]) -> None:
    assert split_options(text, "test") == options
    assert split_lists(text, "test") == options


@pytest.mark.parametrize("value", ["x,y=1", "[x]", "[x][y]", "[x,y=[1]],z=2", "x,y", "1:2,3:4"])
def test_brackets_keep_a_value_together(value: str) -> None:
    assert split_lists(f"k={bracketed(value)},l=1", "test") == {"k": value, "l": "1"}


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


def test_a_piece_without_a_key_belongs_to_the_value_before_it() -> None:
    assert split_lists("a=1:2,3:4,b=5", "test") == {"a": "1:2,3:4", "b": "5"}
    assert split_lists("", "test") == {}
    with pytest.raises(InputError, match="test: '1,2' is not of the form key=value"):
        split_lists("1,2,a=3", "test")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90", 90), ("0.5", 0.5), ("2s", 2), ("1.5min", 90), ("18h", 64_800), ("2d", 172_800)],
)
def test_times_may_have_a_unit(text: str, seconds: float) -> None:
    assert as_seconds(text, "test", "max") == seconds


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3y", "test: field max: unknown unit of time: 'y'; known: d, h, min, s, w"),
        ("h", "test: field max: '' is not a finite number; give a number"),
        ("1h30", "test: field max: '1h30' is not a finite number; give a number"),
        ("inf", "test: field max: unknown unit of time: 'inf'; did you mean 'min'?"),
        ("1.5", "test: field max: 1.5 s are not whole seconds; give whole seconds"),
    ],
)
def test_times_that_cannot_be_read(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        as_whole_seconds(text, "test", "max")

    assert str(error.value).startswith(message)


def test_true_and_false() -> None:
    assert [as_bool(bool_text(value), "test", "on") for value in (True, False)] == [True, False]
    with pytest.raises(InputError, match="test: field on: 'True' is not a choice; give true or"):
        as_bool("True", "test", "on")


def test_choices() -> None:
    assert as_choice("sum", ("sum", "first"), "test", "on") == "sum"
    with pytest.raises(
        InputError, match="test: field on: 'frist' is not a choice; did you mean 'f"
    ):
        as_choice("frist", ("sum", "first"), "test", "on")


def test_names_with_a_point_alone_are_counted() -> None:
    assert nearest("x", ["batch.serial"]) == "known: 1 such as batch.serial"
    assert nearest("x", ["a.b", "other"]) == "known: other, and 1 such as a.b"
