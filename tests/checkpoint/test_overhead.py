from __future__ import annotations

from collections.abc import Callable

import pytest

from checkpoint import PreemptionRules
from checkpoint.advice import Costs
from checkpoint.overhead import Overhead
from swfx import InputError


@pytest.mark.parametrize(
    ("text", "overhead", "seconds"),
    [
        ("0.5/processor", Overhead(0.5, per_processor=True), [0.5, 32]),
        ("30", Overhead(30), [30, 30]),
        ("0", Overhead(0), [0, 0]),
    ],
)
def test_both_models(text: str, overhead: Overhead, seconds: list[float]) -> None:
    assert Overhead.from_text(text) == overhead
    assert str(overhead) == text
    assert overhead.of([1, 64]).tolist() == seconds


@pytest.mark.parametrize("text", ["-1", "inf", "nan", "", "1/node", "/processor"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(InputError) as error:
        Overhead.from_text(text)

    assert str(error.value) == (
        f"field overhead: {text!r} is not a time from 0; "
        "write 30 (s), 5min, or 0.5/processor for seconds per processor"
    )


@pytest.mark.parametrize(
    ("field", "read"),
    [
        ("on_demand", lambda: PreemptionRules.from_text("on_demand=x")),
        ("cost", lambda: Costs.from_texts("-3", None)),
        ("restart", lambda: Costs.from_texts("3", "y")),
    ],
)
def test_the_option_that_was_given_is_named(field: str, read: Callable[[], object]) -> None:
    with pytest.raises(InputError, match=f"^field {field}: "):
        read()
