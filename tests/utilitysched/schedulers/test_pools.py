"""What list schedulers see of jobs that need several resources."""

from __future__ import annotations

import numpy as np
import pytest

from swfx import InputError
from utilitysched.schedulers.pools import check_placement, dominant_sizes


def test_the_dominant_share_is_in_processors_rounded_up() -> None:
    demand = np.array([[1, 0], [1, 3], [6, 3], [0, 0]])

    # of 10 processors and 8 GPUs: 3/8 of the GPUs are 3.75 processors
    assert dominant_sizes(demand, np.array([10, 8])).tolist() == [1, 4, 6, 0]


def test_a_placement_of_processors_is_refused_where_there_is_more() -> None:
    check_placement("own", resources=1, windows=0)
    check_placement("easy", resources=3, windows=2)

    with pytest.raises(InputError, match="'own' knows processors only, and the machine has window"):
        check_placement("own", resources=1, windows=1)
    with pytest.raises(InputError, match="has several resources; choose one of none, easy"):
        check_placement("own", resources=2, windows=0)
