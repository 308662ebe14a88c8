"""Answers kept of a long bill, in a file beside it until the bill is complete."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from swfx.base.atomic import append, atomic_write
from utilitysched.counterfactual.replays.replayer import Absence, Difference


class Keeper:
    """Keeps answers in a file: a line with the question's digest, then one per job.

    A line that was cut short, and answers to another question, are not taken up.

    Parameters
    ----------
    path : Path
        The file, in a directory that exists.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def kept(self, digest: str) -> dict[int, Absence]:
        """Return the answers to this question that are there, by job; drop all others.

        Raises
        ------
        InputError
            The file cannot be written.
        """
        try:
            head, *lines = self.path.read_text("utf-8").splitlines()
        except (OSError, ValueError):
            head, lines = "", []
        found = [_read(line) for line in lines] if head == digest else []
        answers = [absence for absence in found if absence is not None]
        with atomic_write(self.path) as file:
            file.writelines(f"{line}\n".encode() for line in (digest, *map(_written, answers)))
        return {absence.job: absence for absence in answers}

    def keep(self, answers: Iterable[Absence]) -> None:
        """Add answers."""
        lines = "".join(f"{_written(absence)}\n" for absence in answers)
        append(self.path, lines.encode(), "bill where what is finished can be kept")


def _written(absence: Absence) -> str:
    return json.dumps(absence)


def _read(line: str) -> Absence | None:
    try:
        job, differences = json.loads(line)
        return Absence(job, tuple(_difference(*found) for found in differences))
    except (ValueError, TypeError):
        return None


def _difference(*found: Any) -> Difference:
    difference = Difference(*found)
    return difference._replace(
        victims=tuple(difference.victims),
        losses=tuple(difference.losses),
        delays=tuple(difference.delays),
    )
