"""The search finds a known optimum, and goes on where it was interrupted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from swfx import InputError
from utilitysched.learning.evolution import Journal, Search, evolved
from utilitysched.model.state import Floats

OPTIMUM = np.array([0.3, -0.2, 0.1])
SEARCH = Search(np.zeros(3), 0.2, generations=60, seed=5)


def distance(generation: int, candidates: Floats) -> Floats:
    """How far each candidate is, and noise that all of a generation share."""
    noise = np.random.default_rng(generation).normal()
    squares: Floats = ((candidates - OPTIMUM) ** 2).sum(axis=1) + noise
    return squares


def nothing(_: float) -> None:
    return


def test_the_least_is_found_under_noise_that_is_shared(tmp_path: Path) -> None:
    found = evolved(SEARCH, distance, Journal(tmp_path / "j", {}), nothing)

    assert found == pytest.approx(OPTIMUM, abs=0.02)


def test_candidates_lie_opposite_to_each_other(tmp_path: Path) -> None:
    seen: list[Floats] = []

    def losses(generation: int, candidates: Floats) -> Floats:
        seen.append(candidates)
        return distance(generation, candidates)

    evolved(SEARCH._replace(generations=1), losses, Journal(tmp_path / "j", {}), nothing)

    half = SEARCH.population // 2
    assert seen[0][:half] + seen[0][half:] == pytest.approx(np.zeros((half, 3)))


def test_an_interrupted_search_ends_with_the_same_bits(tmp_path: Path) -> None:
    class KilledError(Exception):
        pass

    def killed(generation: int, candidates: Floats) -> Floats:
        if generation == 7:
            raise KilledError
        return distance(generation, candidates)

    asked: list[int] = []

    def counted(generation: int, candidates: Floats) -> Floats:
        asked.append(generation)
        return distance(generation, candidates)

    whole = evolved(SEARCH, distance, Journal(tmp_path / "whole", {"a": 1}), nothing)
    with pytest.raises(KilledError):
        evolved(SEARCH, killed, Journal(tmp_path / "parts", {"a": 1}), nothing)
    with (tmp_path / "parts").open("a") as stream:
        stream.write("[0.25, 0.")  # as a kill in the middle of a line leaves it
    again = evolved(SEARCH, counted, Journal(tmp_path / "parts", {"a": 1}), nothing)

    assert asked == list(range(7, 60))
    assert again.tolist() == whole.tolist()
    assert (tmp_path / "parts").read_bytes() == (tmp_path / "whole").read_bytes()


def test_a_journal_of_another_search_is_refused(tmp_path: Path) -> None:
    Journal(tmp_path / "j", {"seed": 1}).add(np.zeros(2))

    with pytest.raises(InputError, match="learning with other options"):
        Journal(tmp_path / "j", {"seed": 2})
    (tmp_path / "j").write_text("{\n")
    with pytest.raises(InputError, match="cannot be read as a journal"):
        Journal(tmp_path / "j", {"seed": 1})
