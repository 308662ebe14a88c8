"""Players of a mechanism: those who do not pay for delaying themselves."""

from __future__ import annotations

import numpy as np

from swfx import Workload
from swfx.base.columns import Ints
from swfx.fields import MISSING

JOBS, USERS, ACCOUNTS = "jobs", "users", "accounts"

PLAYERS = (JOBS, USERS, ACCOUNTS)
"""Who can be a player: each job, or all jobs of a user or of an account together."""


def players_of(workload: Workload, kind: str) -> Ints:
    """Return the player of each job, shape (n,); -1 for one that is a player by itself.

    Raises
    ------
    InputError
        The log does not say whose jobs are whose.
    """
    if kind == JOBS:
        return np.full(len(workload), MISSING, dtype=np.int64)
    if kind == USERS:
        return workload.labels.of("user").numbers
    return workload.labels.required(kind.removesuffix("s")).numbers
