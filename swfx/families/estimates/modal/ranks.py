"""Ranks of the popular estimates: random, guided by four logs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

LOGS = (
    (3, 1, 4, 17, 13, 7, 8, 18, 2, 6, 16, 10, 5, 15, 14, 19, 11, 12, 9, 20),  # SDSC-106
    (1, 3, 4, 2, 12, 9, 8, 18, 6, 7, 11, 20, 16, 5, 14, 13, 10, 15, 17, 19),  # CTC
    (1, 4, 10, 14, 20, 2, 3, 7, 12, 6, 19, 5, 18, 16, 9, 17, 15, 13, 8, 11),  # KTH
    (1, 6, 5, 3, 7, 2, 18, 19, 4, 11, 20, 9, 10, 14, 13, 16, 15, 17, 8, 12),  # SDSC-Blue
)
"""Rank of each head position's time: the longest estimate, then the others ascending."""

DEADLINE = {rank: max(log.index(rank) for log in LOGS) for rank in range(1, 21)}
"""Last position at which any of the logs has a rank."""


def deal_ranks(given: Mapping[int, int], rng: np.random.Generator) -> list[int]:
    """Deal the ranks 1 to 20 to the positions of the head.

    At each position the logs' ranks there join a pool (a rank twice counts twice). The position
    gets the smallest rank whose deadline has come, or else the smaller of two members of the
    pool, drawn with replacement; the first position gets rank 1.

    Parameters
    ----------
    given : mapping of int to int
        Position to rank, for positions whose rank is settled; kept from all others.
    rng : Generator
        Source of the draws.

    Returns
    -------
    list of int
        Rank of each position.
    """
    free = sorted(set(DEADLINE) - set(given.values()))
    pool: list[int] = []
    ranks: list[int] = []
    for position in range(len(DEADLINE)):
        pool += [log[position] for log in LOGS if log[position] in free]
        rank = given.get(position) or _next_rank(position, free, pool, rng)
        ranks.append(rank)
        free = [other for other in free if other != rank]
        pool = [other for other in pool if other != rank]
    return ranks


def _next_rank(position: int, free: list[int], pool: list[int], rng: np.random.Generator) -> int:
    if position == 0:
        return 1
    due = [rank for rank in free if DEADLINE[rank] <= position]
    if due or not pool:
        return (due or free)[0]
    first, second = (int(len(pool) * draw) for draw in rng.random(2))
    return min(pool[first], pool[second])
