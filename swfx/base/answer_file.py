"""Files that keep the answers of long work, so that the same command goes on where it stopped."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from swfx.base.atomic import append, atomic_write


class AnswerFile:
    """A file of answers, one a line: the digest of a question, then an answer as JSON.

    Parameters
    ----------
    path : Path
        The file, in a directory that exists.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as directory:
    ...     file = AnswerFile(Path(directory) / "kept")
    ...     file.keep("ab12", [[1, 2.5], [2, 0.0]])
    ...     file.kept(["ab12", "cd34"])
    [('ab12', [1, 2.5]), ('ab12', [2, 0.0])]
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def kept(self, questions: Container[str]) -> list[tuple[str, Any]]:
        """Return the answers to these questions, each with its question; drop all other lines.

        Raises
        ------
        InputError
            The file cannot be written.
        """
        try:
            lines = self.path.read_text("utf-8").splitlines()
        except (OSError, ValueError):
            lines = []
        answers = []
        for line in lines:
            question, _, answer = line.partition(" ")
            if question in questions:
                # the last line of a stopped command may have been cut short
                with suppress(ValueError):
                    answers.append((question, json.loads(answer)))
        with atomic_write(self.path) as file:
            file.writelines(_line(*answer) for answer in answers)
        return answers

    def keep(self, question: str, answers: Iterable[object]) -> None:
        """Add answers to a question: lists, tuples and arrays of numbers and texts.

        Raises
        ------
        InputError
            The file cannot be written.
        """
        lines = b"".join(_line(question, answer) for answer in answers)
        append(self.path, lines, "work where what is finished can be kept")


def _line(question: str, answer: object) -> bytes:
    return f"{question} {json.dumps(answer, default=np.ndarray.tolist)}\n".encode()
