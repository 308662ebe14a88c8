"""Answers of Slurm that could not be read: counted, and each told once, in short."""

from collections.abc import Callable

from utilitysched_slurm.commands import excerpt

REMEMBERED = 1000
"""Answers told of which none is told again."""


class UnreadableAnswers:
    """Answers that could not be read.

    Attributes
    ----------
    echo : callable
        Takes lines for people.
    """

    def __init__(self) -> None:
        self.echo: Callable[[str], None] = lambda _: None
        self._told: dict[str, None] = {}
        self._count = 0

    def note(self, problem: str) -> None:
        """Count an answer, and tell people if it is a new one."""
        self._count += 1
        text = excerpt(problem)
        if text not in self._told:
            self.echo(text)
        self._told[text] = None
        for old in list(self._told)[:-REMEMBERED]:
            del self._told[old]

    def counted(self) -> int:
        """Return the number of answers since it was asked for last."""
        count, self._count = self._count, 0
        return count
