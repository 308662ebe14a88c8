"""Notebooks show what they show when they are run, and answer the question in their titles."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.notebooks import NOTEBOOKS, executed, text
from utilitysched.report.notebook import PNG


def drawn_once(book: dict[str, Any]) -> str:
    """A notebook without its PNG pictures, whose pixels differ with the processor."""
    for cell in book["cells"]:
        for output in cell.get("outputs", ()):
            if PNG in output.get("data", {}):
                output["data"][PNG] = ""
    return text(book)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_its_cells_give(path: Path) -> None:
    stored = json.loads(path.read_text("utf-8"))
    assert drawn_once(executed(path)) == drawn_once(stored), "run: python -m tests.notebooks"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_answers_its_question(path: Path) -> None:
    cells = json.loads(path.read_text("utf-8"))["cells"]
    words = "".join("".join(each["source"]) for each in cells if each["cell_type"] == "markdown")
    printed = json.dumps([each.get("outputs") for each in cells])

    assert words.partition("\n")[0].endswith("?")
    assert PNG in printed
    answers = re.findall(r"\d+(?:[.,]\d+)+", words) + re.findall(r"\d+ of \d+", words)
    assert len(answers) >= 2
    assert [number for number in answers if number not in printed and number != "2,000"] == []


def test_there_are_some() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["first_steps", "who_pays"]
