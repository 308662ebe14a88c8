"""Straight pieces beside the curves that they stand for."""

from __future__ import annotations

from random import Random

import numpy as np

from tests.scale import many
from tests.utilitysched.exact.cases import random_problem
from utilitysched.exact.pieces import Grid, pieces


def test_no_piece_is_below_its_curve_nor_far_above() -> None:
    rng = Random(31)
    for _ in range(many(80)):
        problem = random_problem(rng, 3)
        grid = Grid(problem.snapshot.now, rng.choice([1, 10]), 90, 2.0**-30)
        for job in range(len(problem.snapshot.queued)):
            found = pieces(problem.worth, job, grid)
            ticks = [tick for piece in found for tick in range(piece.first, piece.last + 1)]
            assert ticks == list(range(len(ticks)))
            after = np.full(len(problem.snapshot.queued), grid.now + len(ticks) / grid.ticks)
            assert len(ticks) == 91 or problem.values(after)[job] == 0
            for piece in found:
                for tick in range(piece.first, piece.last + 1):
                    start = np.full(len(problem.snapshot.queued), grid.now + tick / grid.ticks)
                    value = problem.values(start)[job] / grid.unit
                    width = max(piece.last - piece.first, 1)
                    line = (
                        piece.begin + (piece.finish - piece.begin) * (tick - piece.first) // width
                    )
                    # a value in units of 2**-30 SU has no more than four decimals left
                    assert value - 1e-3 <= line <= value + 2 + 1e-3
