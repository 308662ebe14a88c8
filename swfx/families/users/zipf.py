"""Users of very different activity, each with favourite jobs, who submit in sessions."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from swfx.base.bounds import require_between
from swfx.base.columns import Floats, Ints
from swfx.base.configured import flag, number, seconds, whole
from swfx.families.generators.randomness import stream
from swfx.families.users.registry import USER_MODELS, Dealt, UserModel
from swfx.workload import Workload

__all__ = ["Weights"]


@USER_MODELS.register("zipf")
@dataclass(frozen=True)
class Zipf(UserModel):
    """Activity by Zipf's law; users submit jobs that are alike, in sessions.

    The jobs are put in a line, by size class and then by run time. It is cut into one piece per
    user, as long as the user's share of the jobs; the pieces come in random order. Then the line
    is cut into `kinds` equal parts, and within each the owners of jobs are exchanged such that
    users submit in sessions.

    Attributes
    ----------
    users : int
        Number of users, 1 to 10^6. User 1 is the most active.
    exponent : float
        The share of user r is in proportion to 1 / r^exponent, 0 to 10; numbers of jobs are
        rounded, so that of few jobs the least active users get none. By default 0.65, as the 50
        most active users of six logs of the Parallel Workloads Archive have 0.60 to 0.69.
    groups : int
        Number of groups, up to `users`; users are dealt to them at random, in equal numbers.
    sessions : bool
        Whether owners are exchanged.
    kinds : int
        Parts of the line, 1 to 10^6: more make users' jobs more alike, fewer make more sessions.
    gap : float
        Longest time between two submissions of a session, 0 to 10^9 s.

    Notes
    -----
    Sessions follow submissions alone, as N. Zakay and D. G. Feitelson argue, "On identifying
    user session boundaries in parallel workload logs", JSSPP 2012; before, a session was said to
    end 20 minutes after the end of a job, as in J. Zilber, O. Amit, D. Talby, "What is worth
    learning from parallel workloads? A user and session based analysis", ICS 2005. Not modelled:
    users who come and go, working hours and weekends of a user, feedback of waits on submissions.
    """

    users: int = whole(100, (1, 10**6))
    exponent: float = number(0.65, (0, 10))
    groups: int = whole(10)
    sessions: bool = flag(True)
    kinds: int = whole(50, (1, 10**6))
    gap: float = seconds(3600.0, (0, 1e9))

    def __post_init__(self) -> None:
        super().__post_init__()
        require_between(self.name, "groups", self.groups, 1, self.users)

    def deal(self, workload: Workload, seed: int) -> Dealt:
        """Deal by likeness, then exchange by time."""
        order = alike(workload)
        owner = np.empty(len(workload), dtype=np.int64)
        owner[order] = self._pieces(len(workload), stream(seed, "users pieces"))
        if self.sessions:
            kind = np.empty_like(owner)
            kind[order] = np.arange(len(workload)) * self.kinds // max(len(workload), 1)
            by_time = np.argsort(workload.submit, kind="stable")
            parts = SessionParts(workload.submit[by_time], kind[by_time], owner[by_time])
            owner[by_time] = in_sessions(parts, self.gap, stream(seed, "users sessions"))
        group_of = stream(seed, "users groups").permutation(np.arange(self.users) % self.groups)
        return Dealt(1 + owner, 1 + group_of[owner])

    def _pieces(self, jobs: int, rng: np.random.Generator) -> Ints:
        """Owner, from 0, of each job in the line, (jobs,)."""
        weight = np.arange(1, self.users + 1, dtype=np.float64) ** -self.exponent
        ends = np.floor(np.cumsum(weight) / weight.sum() * jobs + 0.5).astype(np.int64)
        ends[-1] = jobs
        order = rng.permutation(self.users)
        owners: Ints = np.repeat(order, np.diff(ends, prepend=0)[order])
        return owners


def alike(workload: Workload) -> Ints:
    """Order that puts like jobs side by side: by size class, run time and submit time.

    A size class is a power of two, and every size belongs to the nearest in proportion.

    Returns
    -------
    ndarray of int64, shape (n,)
        Positions of jobs.

    Examples
    --------
    >>> log = Workload.from_columns(submit=[0, 0, 0, 0], run=[9, 5, 7, 6], processors=[4, 1, 3, 1])
    >>> alike(log).tolist()
    [1, 3, 2, 0]
    """
    size_class = np.rint(np.log2(np.maximum(workload.size, 1)))
    return np.lexsort((workload.submit, workload.run, size_class))


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


class Weights:
    """Weights of places 0 to n - 1, all 0 at first, as a Fenwick tree.

    Examples
    --------
    >>> weights = Weights(3)
    >>> weights.add(0, 2)
    >>> weights.add(2, 1)
    >>> weights.total, weights.find(1.9), weights.find(2.0)
    (3, 0, 2)
    """

    def __init__(self, places: int) -> None:
        self.total = 0
        self._sums = [0] * (places + 1)
        self._top = 1 << places.bit_length() >> 1

    def add(self, place: int, weight: int) -> None:
        """Add to the weight of a place."""
        self.total += weight
        place += 1
        while place < len(self._sums):
            self._sums[place] += weight
            place += place & -place

    def find(self, amount: float) -> int:
        """First place with which the weights together are more than an amount below `total`."""
        place, step = 0, self._top
        while step:
            further = place + step
            if further < len(self._sums) and self._sums[further] <= amount:
                place = further
                amount -= self._sums[further]
            step >>= 1
        return place
