"""Tests of a file stay together where several processes run them."""

from __future__ import annotations

import pytest


def test_pytest_xdist_knows_the_group_of_a_test(request: pytest.FixtureRequest) -> None:
    if not request.config.getoption("loadgroup", default=False):
        pytest.skip("one process runs all tests")

    assert request.node.nodeid.endswith("@tests/test_conftest.py")
