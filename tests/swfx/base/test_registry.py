from __future__ import annotations

import pytest

from pricing.registry import MECHANISMS
from swfx import InputError


def test_members_are_made_by_name() -> None:
    assert MECHANISMS.make(" multi-queue:other=2 ").label == "multi-queue:other=2"
    assert MECHANISMS.names() == tuple(sorted(MECHANISMS.members()))


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError, match=r"unknown price mechanism 'firstprice'; did you mean"):
        MECHANISMS.make("firstprice")


def test_every_member_has_a_summary() -> None:
    assert MECHANISMS.summary("single-price").startswith("One rate")
