from __future__ import annotations

from dataclasses import dataclass

import pytest

from swfx import InputError
from swfx.base.configured import Configured, option


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
