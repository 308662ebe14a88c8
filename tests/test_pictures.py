"""The page of all charts shows a chart of every function that makes one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pictures import PAGES, functions, made_from_runs, write_gallery


@pytest.mark.long
def test_the_page_of_all_charts_has_one_of_every_function(tmp_path: Path) -> None:
    made = made_from_runs(tmp_path, 180)
    page = write_gallery(tmp_path, made, most=1).read_text("utf-8")

    names = functions()
    assert len(names) > 20
    assert names - made.keys() == set()
    assert [name for name in PAGES if not name.startswith("centre") and name not in page] == []
    for name, pictures in made.items():
        assert not pictures or f"<code>{name}</code>" in page
