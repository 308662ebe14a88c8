"""Searches that are kept in a file, and taken up again."""

import pickle
import random
from pathlib import Path
from typing import Any

import numpy as np
from deap import tools

from swfx import InputError
from swfx.base.atomic import write_whole
from utilitysched.schedulers.genetic.individuals import DecisionProblem


class Checkpoint:
    """A file that keeps a long search: population, hall of fame, logbook and random numbers.

    Parameters
    ----------
    path : Path
        The file, a pickle; read only what you have written yourself.
    search : DecisionProblem
        What is searched for; its stream goes on where it was.
    every : int
        Generations between two writings.
    """

    def __init__(self, path: Path, search: DecisionProblem, every: int = 10) -> None:
        self.path, self.search, self.every = path, search, every

    def save(
        self, generation: int, population: list[Any], hall: tools.HallOfFame, logbook: tools.Logbook
    ) -> None:
        """Write the file, which stays complete if writing fails."""
        kept = {
            "generation": generation,
            "population": population,
            "hall": hall,
            "logbook": logbook,
            "stream": self.search.stream,
            "random": random.getstate(),
            "jobs": self.search.problem.queue._asdict(),
        }
        write_whole(self.path, pickle.dumps(kept))

    def load(self, population: list[Any], hall: tools.HallOfFame, logbook: tools.Logbook) -> int:
        """Take up a search where it was, and return its generation; 0 if there is no file.

        Raises
        ------
        InputError
            The file is of another decision, or no such file.
        """
        if not self.path.exists():
            return 0
        try:
            kept = pickle.loads(self.path.read_bytes())
            kept_for, jobs = kept["jobs"], self.search.problem.queue._asdict()
            same = all(np.array_equal(jobs[name], kept_for[name]) for name in jobs)
        except (KeyError, TypeError, pickle.UnpicklingError, EOFError) as error:
            raise _unusable(self.path, "is no kept search") from error
        if not same:
            raise _unusable(self.path, "keeps the search of another decision")
        population[:] = kept["population"]
        hall.update(kept["hall"])
        for each in kept["logbook"]:
            logbook.record(**each)
        self.search.stream[:] = kept["stream"]
        random.setstate(kept["random"])
        return int(kept["generation"])


def _unusable(path: Path, message: str) -> InputError:
    return InputError(message, source=str(path), remedy="delete it, or name another file")
