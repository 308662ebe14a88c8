"""Answers are kept whole, or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from swfx import InputError
from swfx.base import answer_file
from swfx.base.answer_file import AnswerFile


def test_answers_come_back_with_their_questions(tmp_path: Path) -> None:
    file = AnswerFile(tmp_path / "kept")
    file.keep("ab", [(1, np.array([0.1, 2.0])), (2, "text")])
    file.keep("cd", [3])

    assert file.kept({"ab", "cd"}) == [("ab", [1, [0.1, 2.0]]), ("ab", [2, "text"]), ("cd", 3)]
    assert file.kept(["cd"]) == file.kept(["ab", "cd"]) == [("cd", 3)]


def test_an_answer_that_was_cut_short_is_dropped(tmp_path: Path) -> None:
    file = AnswerFile(tmp_path / "kept")
    file.keep("ab", [[1, 2]])
    with file.path.open("a") as stream:
        stream.write("ab [3, tr")

    assert file.kept(["ab"]) == [("ab", [1, 2])]
    file.keep("ab", [[3, 4]])
    assert file.kept(["ab"]) == [("ab", [1, 2]), ("ab", [3, 4])]


def test_a_stop_while_answers_are_taken_up_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = AnswerFile(tmp_path / "kept")
    file.keep("ab", [1, 2])
    before = file.path.read_bytes()

    def stopped(*_: Any) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr(answer_file, "_line", stopped)
    with pytest.raises(KeyboardInterrupt):
        file.kept(["ab"])

    assert file.path.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def test_a_file_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written: no such file or directory"):
        AnswerFile(tmp_path / "none" / "kept").kept(["ab"])
