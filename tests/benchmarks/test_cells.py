from __future__ import annotations

import numpy as np

from benchmarks.cells import Added, with_added
from swfx import UtilityFunction
from tests.utilitysched.market.audit.markets import crowd


def test_added_jobs_are_those_of_one_more_user_in_order() -> None:
    jobs = crowd(1, jobs=6)
    curve = UtilityFunction([0, 9], [2, 0])
    middle = np.array([jobs.submit[2] + 0.5, jobs.submit[4] + 0.5])

    both, mine = with_added(jobs, Added(middle, 3, 5.0, 7.0, curve))

    assert both[~mine].submit.tolist() == jobs.submit.tolist()
    assert both[~mine].utility == jobs.utility
    assert both[mine].submit.tolist() == middle.tolist()
    assert (np.diff(both.submit) >= 0).all()
    assert set(both.user[mine].tolist()) == {jobs.user.max() + 1}
    assert both[mine].effective_run.tolist() == [5.0, 5.0]
    assert [both.utility[job] for job in np.flatnonzero(mine).tolist()] == [curve, curve]
