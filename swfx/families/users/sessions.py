"""Users' jobs brought together in time, as far as users have jobs alike."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import numpy as np

from swfx.base.columns import Floats, Ints
from swfx.families.users.weights import Weights


class SessionParts(NamedTuple):
    """Jobs in the order of their submission: submit time (s), kind, and present owner, (n,)."""

    submit: Floats
    kind: Ints
    owner: Ints


def in_sessions(parts: SessionParts, gap: float, rng: np.random.Generator) -> Ints:
    """Exchange the owners of jobs of the same kind, such that they submit in sessions.

    Every owner keeps its number of jobs of each kind. From the first job to the last, the owner
    is drawn from those who have jobs of this kind left, in proportion to how many; if any of
    them submitted a job, of whatever kind, in the last `gap` seconds, only from these.

    Parameters
    ----------
    parts : SessionParts
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
    crowd = _Crowd(parts)
    owners = np.empty_like(parts.owner)
    draws = rng.random(parts.owner.size).tolist()
    jobs = zip(parts.submit.tolist(), parts.kind.tolist(), draws, strict=True)
    for job, (now, kind, draw) in enumerate(jobs):
        crowd.leave(now - gap)
        owners[job] = crowd.draw(now, kind, draw)
    return owners


class _Kind:
    """Owners of jobs of one kind, ascending, and how many each has left."""

    def __init__(self, owners: list[int]) -> None:
        self.owners = owners
        self.left = [0] * len(owners)
        self.all, self.present = Weights(len(owners)), Weights(len(owners))


class _Crowd:
    """Who has jobs left, and who has submitted lately."""

    def __init__(self, parts: SessionParts) -> None:
        self._kinds: dict[int, _Kind] = {}
        self._places: dict[int, list[tuple[_Kind, int]]] = {}
        self._latest: dict[int, float] = {}
        self._recent: deque[tuple[float, int]] = deque()
        self._fill(parts)

    def _fill(self, parts: SessionParts) -> None:
        width = int(parts.owner.max(initial=0)) + 1
        pairs, numbers = np.unique(parts.kind * width + parts.owner, return_counts=True)
        owners: dict[int, list[int]] = {}
        for pair in pairs.tolist():
            owners.setdefault(pair // width, []).append(pair % width)
        self._kinds = {kind: _Kind(some) for kind, some in owners.items()}
        left = iter(numbers.tolist())
        for kind in self._kinds.values():
            for place, owner in enumerate(kind.owners):
                kind.left[place] = next(left)
                kind.all.add(place, kind.left[place])
                self._places.setdefault(owner, []).append((kind, place))

    def leave(self, since: float) -> None:
        """Forget submissions before a time (s)."""
        while self._recent and self._recent[0][0] < since:
            time, owner = self._recent.popleft()
            if self._latest.get(owner) == time:
                del self._latest[owner]
                for kind, place in self._places[owner]:
                    kind.present.add(place, -kind.left[place])

    def draw(self, now: float, kind: int, draw: float) -> int:
        """Owner of a job of a kind that is submitted now, by a number from [0, 1)."""
        of_kind = self._kinds[kind]
        weights = of_kind.present if of_kind.present.total else of_kind.all
        place = weights.find(draw * weights.total)
        owner = of_kind.owners[place]
        of_kind.left[place] -= 1
        of_kind.all.add(place, -1)
        if owner in self._latest:
            of_kind.present.add(place, -1)
        else:
            for other, position in self._places[owner]:
                other.present.add(position, other.left[position])
        self._latest[owner] = now
        self._recent.append((now, owner))
        return owner
