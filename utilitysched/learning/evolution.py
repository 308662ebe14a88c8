"""Covariance matrix adaptation: a search for the numbers of a policy that cost least on average."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from cmaes import CMA

from swfx import InputError
from swfx.base.atomic import append, atomic_write
from swfx.base.plugin_file import plugin_digests
from utilitysched.model.state import Floats
from utilitysched.model.versions import SEMANTICS

Losses = Callable[[int, Floats], Floats]
"""From a generation and its (k, n) candidates to what each costs, (k,)."""


class Search(NamedTuple):
    """A search by CMA-ES (Hansen and Ostermeier 2001).

    Attributes
    ----------
    start : (n,) float64
        Numbers to begin with.
    spread : float
        Standard deviation of the first candidates around them.
    generations : int
        How many.
    seed : int
        Of the candidates.
    """

    start: Floats
    spread: float
    generations: int
    seed: int

    @property
    def population(self) -> int:
        """Candidates of a generation: 4 + 3 log n, the usual number, made even."""
        usual = 4 + int(3 * np.log(len(self.start)))
        return usual + usual % 2


class Journal:
    """What candidates cost, generation by generation, in a file from which a search goes on.

    Parameters
    ----------
    file : Path
        The settings in its first line, a generation in each other; only ever appended to.
    settings : mapping
        Whatever decides the costs, but for the code that tells them; a file of others is refused.

    Raises
    ------
    InputError
        The file is no journal, or one of another search.
    """

    def __init__(self, file: Path, settings: Mapping[str, Any]) -> None:
        self.file = file
        known = {**settings, "semantics": SEMANTICS}
        if plugin_digests():
            known["plugins"] = list(plugin_digests())
        self.settings = json.loads(json.dumps(known))
        self.losses: list[list[float]] = self._kept() if file.exists() else []

    @classmethod
    def beside(cls, output: Path, settings: Mapping[str, Any]) -> Self:
        """Open the journal of what is learned for a file: its name, and ``.journal`` at the end."""
        return cls(output.with_name(f"{output.name}.journal"), settings)

    def _kept(self) -> list[list[float]]:
        try:
            text = self.file.read_bytes()
            whole = text[: text.rfind(b"\n") + 1]
            settings, *losses = map(json.loads, whole.splitlines())
            if whole != text:  # killed in the middle of a line
                os.truncate(self.file, len(whole))
        except (OSError, ValueError) as error:
            raise self._refusal("cannot be read as a journal of learning") from error
        if settings != self.settings:
            raise self._refusal("is of a learning with other options")
        return losses

    def _refusal(self, problem: str) -> InputError:
        remedy = "remove it to begin anew, or write to another file"
        return InputError(problem, source=str(self.file), remedy=remedy)

    def add(self, *losses: Floats) -> None:
        """Append what the candidates of generations cost."""
        if not self.losses:
            with atomic_write(self.file) as stream:
                stream.write(_line(self.settings))
        rows = [each.tolist() for each in losses]
        append(self.file, b"".join(map(_line, rows)))
        self.losses += rows


def _line(content: object) -> bytes:
    return json.dumps(content).encode() + b"\n"


def evolved(
    search: Search, losses: Losses, journal: Journal, on_progress: Callable[[float], None]
) -> Floats:
    """Return the mean of the last third of a search's means, (n,).

    Each generation is drawn in pairs that lie opposite to each other. Costs are known up to noise
    that all candidates of a generation share, so that the means wander where no candidate is
    better than another; their own mean is nearer to the least.

    Parameters
    ----------
    search : Search
        Where it begins, and how long it lasts.
    losses : callable
        What candidates cost.
    journal : Journal
        Generations in it are not asked for again; the result is the same.
    on_progress : callable
        Takes the share that is done.
    """
    count = search.population
    optimiser = CMA(search.start, search.spread, seed=search.seed, population_size=count)
    means = []
    for generation in range(search.generations):
        drawn = np.array([optimiser.ask() for _ in range(count // 2)])
        candidates = np.concatenate([drawn, 2.0 * optimiser.mean - drawn])
        if generation == len(journal.losses):
            journal.add(losses(generation, candidates))
        optimiser.tell(list(zip(candidates, journal.losses[generation], strict=True)))
        means.append(optimiser.mean)
        on_progress((generation + 1) / search.generations)
    mean: Floats = np.mean(means[-max(1, len(means) // 3) :], axis=0)
    return mean
