"""Users of very different activity, each with favourite jobs, who submit in sessions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from swfx.base.bounds import require_between
from swfx.base.columns import Ints
from swfx.base.configured import flag, number, seconds, whole
from swfx.families.generators.randomness import stream
from swfx.families.users.likeness import alike
from swfx.families.users.registry import USER_MODELS, Dealt, UserModel
from swfx.families.users.sessions import SessionParts, in_sessions
from swfx.workload import Workload


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
