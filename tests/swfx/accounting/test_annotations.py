from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import UtilityFunction
from swfx.accounting.annotations import Annotations, read_comment


def test_everything_that_a_comment_can_say() -> None:
    said, rules = read_comment(
        '{"utility": [[0, 100], [60, 50.5]], "checkpoint": 900, "restart_overhead": 0,'
        ' "soft_estimate": 1800, "confidence": 1, "ticket": 7}'
    )

    assert said == Annotations(900, 0, 1800, 1, UtilityFunction([0, 60], [100, 50.5]))
    assert rules == ()


@pytest.mark.parametrize("text", ["", "please hurry", "[1]", '"utility"', "{}", '{"ticket": 1}'])
def test_comments_that_say_nothing(text: str) -> None:
    assert read_comment(text) == (Annotations(), ())


@pytest.mark.parametrize(
    "text",
    ["{", "{'utility': 1}", '{"utility": [[0,1],', "{" + "[" * 100_000, '{"a": ' + "9" * 5000],
)
def test_comments_that_cannot_be_read(text: str) -> None:
    said, rules = read_comment(text)

    assert said == Annotations()
    assert [rule.name for rule in rules] == ["comment-unreadable"]


@pytest.mark.parametrize(
    "text",
    [
        '{"utility": 5}',
        '{"utility": []}',
        '{"utility": [[0, 1]]}',
        '{"utility": [[0, 1], [5]]}',
        '{"utility": [[0, 1], [5, 2]]}',
        '{"utility": [[1, 1], [5, 0]]}',
        '{"utility": [[0, NaN], [5, 0]]}',
        '{"utility": [[0, "1"], [5, 0]]}',
        '{"utility": [[0, true], [5, 0]]}',
        '{"utility": {"0": 1}}',
        '{"utility": null}',
        '{"checkpoint": 0}',
        '{"checkpoint": -1}',
        '{"checkpoint": Infinity}',
        '{"checkpoint": "900"}',
        '{"restart_overhead": -5}',
        '{"soft_estimate": 1e300}',
        '{"soft_estimate": 1' + "0" * 400 + "}",
        '{"confidence": 1.01}',
    ],
)
def test_comments_that_say_the_impossible(text: str) -> None:
    said, rules = read_comment(text)

    assert said == Annotations()
    assert [rule.name for rule in rules] == ["comment-impossible"]


def test_one_impossible_part_leaves_the_others() -> None:
    said, rules = read_comment('{"utility": [[0, 1], [5, 2]], "checkpoint": 900}')

    assert said == Annotations(checkpoint_interval=900)
    assert len(rules) == 1


@given(st.text() | st.text().map("{".__add__) | st.text(st.sampled_from('{}[]",:019utility')))
def test_no_comment_is_too_odd(text: str) -> None:
    said, _ = read_comment(text)

    assert isinstance(said, Annotations)
