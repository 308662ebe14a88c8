"""Answers of long work kept in a file beside its results, until these are complete."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from swfx.base.atomic import append


class Keeper:
    """File of finished answers, one a line: the digest of the question, then JSON.

    Parameters
    ----------
    path : Path
        The file, in a directory that exists.
    place : str
        Where else it could be, for the refusal of a file that cannot be written.
    """

    def __init__(self, path: Path, place: str) -> None:
        self.path, self.place = path, place

    def kept(self, digest: str) -> list[Any]:
        """Return the complete answers to the question of this digest.

        Raises
        ------
        InputError
            The file cannot be written.
        """
        append(self.path, b"", self.place)
        answers = []
        for line in self.path.read_text("utf-8", errors="replace").splitlines():
            asked, _, answer = line.partition(" ")
            if asked == digest:
                try:
                    answers.append(json.loads(answer))
                except ValueError:
                    continue
        return answers

    def keep(self, digest: str, answers: Iterable[object]) -> None:
        """Add answers.

        Raises
        ------
        InputError
            The file cannot be written.
        """
        # a line before these may have been cut short
        lines = "".join(f"\n{digest} {json.dumps(answer)}\n" for answer in answers)
        append(self.path, lines.encode(), self.place)
