"""Users' jobs brought together in time, as far as users have jobs alike."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from swfx.columns import Floats, Ints


class Parts(NamedTuple):
    """Jobs in the order of their submission: submit time (s), kind, and present owner, (n,)."""

    submit: Floats
    kind: Ints
    owner: Ints


def in_sessions(parts: Parts, gap: float, rng: np.random.Generator) -> Ints:
    """Exchange the owners of jobs of the same kind, such that they submit in sessions.

    Every owner keeps its number of jobs of each kind. From the first job to the last, the owner
    is drawn from those who have jobs of this kind left, in proportion to how many; if any of
    them submitted a job, of whatever kind, in the last `gap` seconds, only from these.

    Parameters
    ----------
    parts : Parts
        Jobs, sorted by submit time.
    gap : float
        Longest time between two submissions of one session (s).
    rng : Generator
        Source of the draws.

    Returns
    -------
    ndarray of int64, shape (n,)
        Owner of each job, as in `parts`.
    """
    left = _left(parts)
    latest: dict[int, float] = {}
    owners = np.empty_like(parts.owner)
    draws = rng.random(parts.owner.size).tolist()
    jobs = zip(parts.submit.tolist(), parts.kind.tolist(), draws, strict=True)
    for job, (now, kind, draw) in enumerate(jobs):
        of_kind = left[kind]
        present = {o: n for o, n in of_kind.items() if latest.get(o, -np.inf) >= now - gap}
        owner = _drawn(present or of_kind, draw)
        of_kind[owner] -= 1
        if not of_kind[owner]:
            del of_kind[owner]
        latest[owner] = now
        owners[job] = owner
    return owners


def _left(parts: Parts) -> dict[int, dict[int, int]]:
    """Jobs by kind and owner."""
    width = int(parts.owner.max(initial=0)) + 1
    pairs, numbers = np.unique(parts.kind * width + parts.owner, return_counts=True)
    left: dict[int, dict[int, int]] = {}
    for pair, number in zip(pairs.tolist(), numbers.tolist(), strict=True):
        left.setdefault(pair // width, {})[pair % width] = number
    return left


def _drawn(weights: dict[int, int], draw: float) -> int:
    """Choose a key in proportion to its weight, by a number from [0, 1)."""
    rest = draw * sum(weights.values())
    for key, weight in weights.items():
        rest -= weight
        if rest < 0:
            return key
    raise AssertionError("the weights are whole and positive, so the last brings rest below 0")
