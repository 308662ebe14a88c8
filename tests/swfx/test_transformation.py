from __future__ import annotations

import pickle

import pytest

from swfx import Header, InputError, Workload
from swfx.transforms import TRANSFORMS, apply_all, make_transforms

LOG = Workload.from_columns(
    submit=[0, 5, 9],
    run=[10, 20, 30],
    processors=[1, 2, 4],
    requested_time=[60, 60, 60],
    header=Header((" MaxProcs: 4", " MaxJobs: 3", " EndTime: late")),
)


def test_they_are_applied_in_order_and_leave_a_line_each() -> None:
    done = apply_all(LOG, ["slice:jobs=1:3", "shift:by=7"])

    assert done.workload.submit.tolist() == [12, 16]
    assert done.workload.header.lines == (
        " MaxProcs: 4",
        " Transformation: slice:jobs=1:3",
        " Transformation: shift:by=7",
    )
    assert done.dropped == {"slice:jobs=1:3: outside of it": 1}


def test_counts_in_the_header_stay_where_no_job_comes_or_goes() -> None:
    assert apply_all(LOG, ["accurate"]).workload.header.get("MaxJobs") == "3"


def test_dropped_jobs_of_equal_steps_add_up() -> None:
    twice = apply_all(LOG, ["slice:jobs=1:", "slice:jobs=1:"])

    assert twice.dropped == {"slice:jobs=1:: outside of it": 2}


def test_nothing_left_is_an_error() -> None:
    with pytest.raises(InputError, match=r"slice:jobs=5:: leaves none of 3 jobs; choose other"):
        apply_all(LOG, ["slice:jobs=5:"])


def test_all_texts_are_read_before_anything_is_done() -> None:
    with pytest.raises(InputError, match="unknown transformation 'acurate'; did you mean 'accur"):
        apply_all(LOG, ["slice:jobs=5:", "acurate"])


@pytest.mark.parametrize("name", TRANSFORMS.names())
def test_every_transformation_says_in_one_line_what_it_does(name: str) -> None:
    assert 20 < len(TRANSFORMS.summary(name)) < 100


@pytest.mark.parametrize("text", ["accurate", "slice:jobs=-5:", "shift:by=-2.5"])
def test_text_is_label_and_back(text: str) -> None:
    (made,) = make_transforms([text])

    assert made.label == text
    assert pickle.loads(pickle.dumps(made)) == made
