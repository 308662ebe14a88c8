from __future__ import annotations

import numpy as np

from utilitysched.kernels.progress import ARRIVED, FREE, QUEUED, RUNNING, Progress
from utilitysched.model.state import JobTable


def test_a_loop_goes_on_with_those_who_have_come_until_then() -> None:
    submit, whole = np.array([0.0, 5.0, 5.0, 9.0]), np.zeros(4, np.int64)
    size, request, offsets = np.array([2, 1, 1, 1]), np.full(4, 10.0), np.zeros(5, np.int64)
    known = JobTable(
        4, submit, submit, size, request, whole, whole, offsets, np.empty(0), np.empty(0)
    )
    running = np.array([0, 1]), np.array([0.0, 5.0]), np.array([8.0, 8.0])

    progress = Progress.resumed(known, 5.0, np.array([2]), running)

    assert progress.counts[[ARRIVED, QUEUED, RUNNING, FREE]].tolist() == [3, 1, 2, 1]
    assert progress.queue[0] == 2
    assert progress.ending[:2].tolist() == [1, 0]
    assert progress.release_job[:2].tolist() == [0, 1]
    assert progress.wake_up[0] == 5.0
