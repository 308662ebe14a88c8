"""Jobs by number, queue, user and size."""

from __future__ import annotations

import numpy as np
import pytest

from swfx import InputError
from tests.utilitysched.three_jobs import three_jobs
from utilitysched.analysis.series.curves import named_classes, numbered, of_size


def test_jobs_are_found() -> None:
    assert numbered(three_jobs(), [3, 1]) == [2, 0]
    assert of_size(three_jobs(), 2, 4).tolist() == [0, 2]


def test_classes_are_told_by_numbers_names_and_sizes() -> None:
    found = named_classes(three_jobs(), ["1"], ["1"], [(2, 4)])
    assert [places.tolist() for places in found.values()] == [[1, 2], [0, 2], [0, 2]]
    assert list(found)[-1] == "2 to 4 processors"
    assert named_classes(three_jobs(), [], [], [])["all"].tolist() == [0, 1, 2]


def test_of_jobs_that_share_a_number_the_first_is_meant() -> None:
    assert numbered(three_jobs().replace(job_id=np.array([7, 7, 7])), [7]) == [0]


def test_what_is_not_there_is_refused_with_what_is() -> None:
    with pytest.raises(InputError, match="no job has the number 9; numbers go from 1 to 3"):
        numbered(three_jobs(), [9])
    with pytest.raises(InputError, match="no job has the queue '4'"):
        named_classes(three_jobs(), ["4"], [], [])
    with pytest.raises(InputError, match="no job has the user '4'"):
        named_classes(three_jobs(), [], ["4"], [])
    with pytest.raises(InputError, match="no job has 5 to 7 processors; jobs have 2 to 8"):
        of_size(three_jobs(), 5, 7)
