"""Notebooks show what they show when they are run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.notebooks import NOTEBOOKS, executed, text


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_its_cells_give(path: Path) -> None:
    assert text(executed(path)) == path.read_text("utf-8"), "run: python -m tests.notebooks"


def test_there_are_some() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["first_steps", "who_pays"]
