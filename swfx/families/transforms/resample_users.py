"""A log put together from weeks of its users."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from swfx.base.columns import Floats, Ints
from swfx.base.configured import flag, option
from swfx.families.generators.randomness import stream
from swfx.families.resampling import read_weeks, rearranged, weeks_of
from swfx.families.transformation import TRANSFORMS, Transformation, Transformed, lost_links
from swfx.workload import Workload


class _Profiles(NamedTuple):
    """Jobs by profile: positions sorted by profile, and where each profile begins."""

    jobs: Ints
    first: Ints
    users: int
    weeks: int

    @classmethod
    def of(cls, workload: Workload) -> _Profiles:
        week = weeks_of(workload)
        weeks = int(week.max()) + 1
        users, user = np.unique(workload.user, return_inverse=True)
        profile = user * weeks + week
        jobs = np.argsort(profile, kind="stable")
        first = np.searchsorted(profile[jobs], np.arange(len(users) * weeks + 1))
        return cls(jobs, first, len(users), weeks)

    @property
    def sizes(self) -> Ints:
        """Jobs of each user in each week, shape (users, weeks)."""
        return np.diff(self.first).reshape(self.users, self.weeks)

    def rows(self, profiles: Ints) -> tuple[Ints, Ints]:
        """Positions of the jobs of profiles, one profile after another, and whose each is."""
        counts = np.diff(self.first)[profiles]
        owner = np.repeat(np.arange(len(profiles)), counts)
        within = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
        return self.jobs[self.first[profiles][owner] + within], owner


@TRANSFORMS.register("resample-users")
@dataclass(frozen=True)
class ResampleUsers(Transformation):
    """Take for each week and each user a random week of that user.

    A profile is one user's jobs of one week, counted from the first submission of the log. Jobs
    keep their time of the week and get new numbers; their own are kept as `original_job`. Links
    within a profile hold, others are cut (CARASTAN 4.2). Jobs without a user are
    taken together for those of one.

    Parameters
    ----------
    weeks : int, optional
        Weeks of the new log, by default as many as there are.
    active : bool, default False
        Draw only from weeks in which the user was active, in place of all weeks of the log: the
        load is then a multiple of the log's.
    """

    weeks: int | None = option(read_weeks, None)
    active: bool = flag()
    keeps_jobs = False

    @property
    def stochastic(self) -> bool:
        """Weeks are drawn."""
        return True

    def apply(self, workload: Workload, seed: int) -> Transformed:
        """Draw the weeks."""
        profiles = _Profiles.of(workload)
        weeks = self.weeks or profiles.weeks
        drawn = stream(seed, "resample users").random((weeks, profiles.users))
        chosen = self._chosen(profiles, drawn)
        rows, owner = profiles.rows(chosen.ravel())
        again, lost = rearranged(workload, rows, owner // profiles.users, owner)
        never = len(workload) - len(np.unique(rows))
        note = (
            f"{weeks} weeks of {profiles.users} users from {profiles.weeks}:"
            f" {len(again):,} jobs from {len(workload):,}"
        )
        dropped = {"in profiles not drawn": never} if never else {}
        return Transformed(again, (note,), dropped, lost_links(lost))

    def _chosen(self, profiles: _Profiles, drawn: Floats) -> Ints:
        """Profile of each new week and user, from numbers drawn uniformly in [0, 1)."""
        may = profiles.sizes > 0 if self.active else np.ones_like(profiles.sizes, np.bool_)
        count = may.sum(axis=1)
        in_front = np.argsort(~may, axis=1, kind="stable")  # weeks to choose from, then the others
        users = np.arange(profiles.users)
        picked: Ints = in_front[users, (drawn * count).astype(np.int64)]
        return users * profiles.weeks + picked
