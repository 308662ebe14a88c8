from __future__ import annotations

import pytest

from utilitysched.schedulers.registry import canonical, label_of

DEFAULTS = {"a": "1", "b": "", "c": "x", "d": "true"}


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        ({"c": "y", "a": "2"}, {"a": "2", "c": "y"}),
        ({"a": "1.0", "c": "x", "d": "true"}, {}),
        ({"a": "+02", "b": "7200.0"}, {"a": "2", "b": "7200"}),
        ({"a": "1e3"}, {"a": "1000"}),
        ({"b": "3x"}, {"b": "3x"}),
        ({"b": "inf"}, {"b": "inf"}),
        ({"b": "9007199254740993"}, {"b": "9007199254740993"}),
        ({"c": "1.10"}, {"c": "1.10"}),
    ],
)
def test_what_is_kept(options: dict[str, str], kept: dict[str, str]) -> None:
    found = canonical(options, DEFAULTS)

    assert list(found.items()) == list(kept.items())
    assert canonical(found, DEFAULTS) == found


def test_labels() -> None:
    assert label_of("saf", {}) == "saf"
    assert label_of("saf", {"a": "1", "b": "2"}) == "saf:a=1,b=2"
