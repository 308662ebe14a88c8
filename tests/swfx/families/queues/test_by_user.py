from __future__ import annotations

import numpy as np
import pytest

from swfx import InputError, Workload
from swfx.families.queues.registry import PRIORITY_MODELS

JOBS = Workload.from_columns(
    submit=np.zeros(6000), user=np.arange(6000) % 2000, group=np.arange(6000) % 2
)


def test_all_jobs_of_a_user_are_in_one_queue() -> None:
    w = PRIORITY_MODELS.make("by-user:shares=1:1,3:3").annotate(JOBS, seed=1).workload

    of_user = w.queue.reshape(3, 2000)
    assert np.all(of_user == of_user[0])
    assert np.bincount(of_user[0])[[1, 3]] == pytest.approx([500, 1500], abs=78)  # 4 deviations


def test_or_all_jobs_of_a_group() -> None:
    w = PRIORITY_MODELS.make("by-user:of=group,shares=1:1,3:1").annotate(JOBS, seed=1).workload

    assert {len(set(w.queue[w.group == group].tolist())) for group in (0, 1)} == {1}


def test_jobs_without_users_are_refused() -> None:
    with pytest.raises(InputError, match="by-user: no job has a user; deal the jobs to users by"):
        PRIORITY_MODELS.make("by-user").annotate(JOBS.replace(user=np.full(6000, -1)), 1)


def test_an_unknown_owner_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError, match="'groups' is not a choice; did you mean 'group'"):
        PRIORITY_MODELS.make("by-user:of=groups")
