"""Models of who submits the jobs of a workload."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np

from swfx.base.columns import Ints
from swfx.base.configured import Configured
from swfx.base.registry import Registry
from swfx.families.annotation import Annotated, seeded
from swfx.workload import Workload

__all__ = ["USER_MODELS", "Dealt", "UserModel"]


class Dealt(NamedTuple):
    """User and group of every job, numbers from 1, both of shape (n,)."""

    user: Ints
    group: Ints


class UserModel(Configured, ABC):
    """Base of the models that deal the jobs of a workload to users; the jobs stay as they are."""

    @abstractmethod
    def deal(self, workload: Workload, seed: int) -> Dealt:
        """Say whose each job is."""

    def annotate(self, workload: Workload, seed: int) -> Annotated:
        """Give every job a user and a group.

        Parameters
        ----------
        workload : Workload
            n jobs; users and groups they have are replaced.
        seed : int
            Fixes every draw, at least 0.

        Returns
        -------
        Annotated
            The jobs with `user` and `group`, and a header line `UserModel`. Header lines that
            name former users and groups are gone.

        Raises
        ------
        InputError
            A seed below 0, or jobs that the model cannot deal.
        """
        header = seeded(workload, "UserModel", self.label, seed).without("User", "Group")
        user, group = self.deal(workload, seed)
        busiest = np.bincount(user).max(initial=0) / max(len(workload), 1)
        notes = [
            (
                f"{np.unique(user).size} users in {np.unique(group).size} groups, "
                f"the busiest with {busiest:.1%} of the jobs"
            )
        ]
        if np.any(workload.user >= 0):
            notes.append("the users of the workload are replaced")
        return Annotated(workload.replace(user=user, group=group, header=header), tuple(notes))


USER_MODELS: Registry[UserModel] = Registry("user model", "swfx.users", "swfx.families.users")
