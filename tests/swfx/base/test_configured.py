from __future__ import annotations

from dataclasses import dataclass

import pytest

from swfx import InputError
from swfx.base.configured import Configured, choice, flag, number, option, seconds, whole


@dataclass(frozen=True)
class Rate(Configured):
    """Something with one option that must be given, and one that need not."""

    name = "rate"

    unit: float = option(float)
    queues: tuple[str, ...] = option(lambda text: tuple(text.split(",")), (), ",".join)


def test_options_are_read_and_written() -> None:
    rate = Rate.from_text("unit=2,queues=a,b")

    assert rate == Rate(2.0, ("a", "b"))
    assert rate.label == "rate:unit=2.0,queues=a,b"
    assert Rate.from_text(rate.label.partition(":")[2]) == rate


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "rate: field unit: must be given; write rate:unit=..."),
        (
            "unti=1",
            "rate: field unti: is not a known key; did you mean 'unit'? known: queues, unit",
        ),
        ("unit=1,unit=2", "rate: field unit: is given twice; keep one of them"),
    ],
)
def test_what_cannot_be_used_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        Rate.from_text(text)

    assert str(error.value) == message


def test_single_options_are_changed() -> None:
    rate = Rate(2.0, ("a", "b"))

    assert rate.changed("unit=3") == Rate(3.0, ("a", "b"))
    assert rate.changed("") == rate
    with pytest.raises(InputError, match="field unti: is not a known key"):
        rate.changed("unti=3")


@dataclass(frozen=True)
class Queue(Configured):
    """Something whose options say themselves what they take."""

    name = "queue"

    share: float = number(0.5, (0, 1))
    width: int | None = whole(None, (1, 64))
    longest: float = seconds(3600.0)
    order: str = choice(("fifo", "size"), "fifo")
    open: bool = flag(True)


def test_typed_options_are_read_and_written() -> None:
    text = "share=0.25,width=8,longest=7200,order=size,open=false"

    assert Queue.from_text("share=.25,width=8,longest=2h,order=size,open=false").label == (
        f"queue:{text}"
    )
    assert Queue.from_text(text) == Queue(0.25, 8, 7200.0, "size", False)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("share=2", "field share: 2 is out of bounds; give 0 to 1"),
        ("share=x", "field share: 'x' is not a finite number; give a number"),
        ("width=1.5", "field width: '1.5' is not a whole number; give a whole number"),
        ("longest=2q", "field longest: unknown unit of time: 'q'; known: d, h, min, s, w"),
        ("order=szie", "field order: 'szie' is not a choice; did you mean 'size'?"),
        ("open=yes", "field open: 'yes' is not a choice; give true or false"),
    ],
)
def test_typed_options_name_themselves_when_they_refuse(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        Queue.from_text(text)

    assert str(error.value).startswith(f"queue: {message}")


def test_bounds_and_choices_hold_in_python_too() -> None:
    with pytest.raises(InputError, match="queue: field width: 65 is out of bounds"):
        Queue(width=65)
    with pytest.raises(InputError, match="queue: field order: 'lifo' is not a choice"):
        Queue(order="lifo")
