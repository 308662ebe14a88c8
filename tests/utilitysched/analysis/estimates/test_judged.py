from __future__ import annotations

import numpy as np

from utilitysched.analysis.estimates import inaccuracy


def test_unused_and_overrun_time_count_alike() -> None:
    found = inaccuracy(np.array([100.0, 100.0, 100.0]), np.array([32.0, 168.0, 100.0]))

    assert found.tolist() == [0.68, 0.68, 0]
