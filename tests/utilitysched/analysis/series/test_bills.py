"""Bills summed up."""

from __future__ import annotations

import numpy as np

from utilitysched.analysis.series import Bill, charges_by

BILL = Bill("first-price:reading=end", np.array([1.0, np.nan, 5.0, 2.0]))


def test_whoever_pays_most_comes_first() -> None:
    found = charges_by(BILL, np.array([7, 7, 9, 7]), np.array([1.0, 100.0, 6.0, 2.0]))

    assert found.key.tolist() == [9, 7]
    assert found.jobs.tolist() == [1, 2]
    assert found.charge.tolist() == [5, 3]
    assert found.utility.tolist() == [6, 3]
