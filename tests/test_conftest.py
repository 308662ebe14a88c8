"""Tests that share something stay together where several processes run them."""

from __future__ import annotations

import pytest

from tests.conftest import group_of


@pytest.mark.parametrize(
    ("test", "group"),
    [
        ("tests/pricing/test_files.py::test_it[one]", "tests/pricing/test_files.py"),
        ("swfx/units.py::swfx.units.seconds", "swfx/units.py"),
        ("tests/browser/test_report.py::test_it", "browser"),
        ("tests/utilitysched/workers/test_local.py::test_it", "clusters"),
        ("plugins/centre/tests/accounts/test_book.py::test_it[postgresql]", "postgresql"),
        ("tests/test_docs.py::test_page[README.md]", "pages"),
    ],
)
def test_tests_are_run_by_one_process_with_those_of_their_group(test: str, group: str) -> None:
    assert group_of(test) == group
