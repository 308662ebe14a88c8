from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swfx import Header, InputError, Workload
from swfx.families.transformation import apply_one
from swfx.families.transforms import TRANSFORMS, apply_all, make_transforms
from tests.scale import many
from tests.strategies import workloads

LOG = Workload.from_columns(
    submit=[0, 5, 9],
    run=[10, 20, 30],
    processors=[1, 2, 4],
    requested_time=[60, 60, 60],
    header=Header((" MaxProcs: 4", " MaxJobs: 3", " EndTime: late")),
)


def test_they_are_applied_in_order_and_leave_a_line_each() -> None:
    done = apply_all(LOG, ["slice:jobs=1:3", "accurate"])

    assert done.workload.requested_time.tolist() == [20, 30]
    assert done.workload.header.lines == (
        " MaxProcs: 4",
        " Transformation: slice:jobs=1:3",
        " Transformation: accurate",
    )
    assert done.dropped == {"slice:jobs=1:3: outside of it": 1}


def test_counts_in_the_header_stay_where_no_job_comes_or_goes() -> None:
    assert apply_all(LOG, ["accurate"]).workload.header.get("MaxJobs") == "3"


def test_dropped_jobs_of_equal_steps_add_up() -> None:
    twice = apply_all(LOG, ["slice:jobs=1:", "slice:jobs=1:"])

    assert twice.dropped == {"slice:jobs=1:: outside of it": 2}


def test_nothing_left_is_an_error() -> None:
    with pytest.raises(InputError, match=r"slice:jobs=5: leaves none of 3 jobs; choose other"):
        apply_all(LOG, ["slice:jobs=5:"])


def test_all_texts_are_read_before_anything_is_done() -> None:
    with pytest.raises(InputError, match="unknown transformation 'acurate'; did you mean 'accur"):
        apply_all(LOG, ["slice:jobs=5:", "acurate"])


@pytest.mark.parametrize("name", TRANSFORMS.names())
def test_every_transformation_says_in_one_line_what_it_does(name: str) -> None:
    assert 20 < len(TRANSFORMS.summary(name)) < 100


@pytest.mark.parametrize("text", ["slice:jobs=-5:", "scale-load:factor=2.5", "nodes:per=8"])
def test_text_is_label_and_back(text: str) -> None:
    (made,) = make_transforms([text])

    assert made.label == text


# ---- conformance: these hold for every registered transformation ----

TEXTS = {
    "accurate": "accurate",
    "anonymise": "anonymise:order=random",
    "clean": "clean:trim=0.1",
    "filter": "filter:run=10..50,user=1,2",
    "merge": "merge:log=sample:market,clocks=first",
    "nodes": "nodes:per=3,count=2",
    "rerunnable": "rerunnable:share=0.5",
    "resample-users": "resample-users:weeks=3,active=true",
    "resample-weeks": "resample-weeks:weeks=2",
    "scale-load": "scale-load:factor=1.5,by=run",
    "slice": "slice:jobs=1:",
    "submit-at": "submit-at:time=submission",
    "window": "window:start=3,end=600",
}
ANEW = {"merge", "resample-users", "resample-weeks"}
"""Their jobs are not some of the jobs that came in."""


def test_every_transformation_is_held_to_the_rules() -> None:
    assert set(TEXTS) == set(TRANSFORMS.names())


@pytest.mark.parametrize("name", TEXTS)
@settings(max_examples=many(25))
@given(workloads(), st.integers(0, 2))
@pytest.mark.slow
def test_the_same_seed_gives_the_same_jobs_and_the_input_stays(
    name: str, log: Workload, seed: int
) -> None:
    (transformation,) = make_transforms([TEXTS[name]])
    before = log.digest()

    first, second = (apply_one(transformation, log, seed) for _ in range(2))

    assert first.workload == second.workload
    assert first[1:] == second[1:]
    assert log.digest() == before


@pytest.mark.parametrize("name", TEXTS)
@settings(max_examples=many(25))
@given(workloads(), st.data())
@pytest.mark.slow
def test_no_job_goes_uncounted_and_everything_said_is_true(
    name: str, log: Workload, data: st.DataObject
) -> None:
    numbers = st.sampled_from([-1, *log.job_id.tolist()])
    jobs = len(log)
    links = data.draw(st.lists(numbers, min_size=jobs, max_size=jobs))
    log = log.replace(preceding_job=links)
    (transformation,) = make_transforms([TEXTS[name]])

    done = apply_one(transformation, log, 1)

    after = done.workload
    if name not in ANEW:
        assert len(after) + sum(done.dropped.values()) == jobs
        assert set(after.job_id.tolist()) <= set(log.job_id.tolist())
    if transformation.keeps_jobs:
        assert len(after) == jobs
    assert (after.size <= (after.machine_size or 0)).all()
    assert set(after.preceding_job.tolist()) <= {-1, *after.job_id.tolist()}
    assert len(set(after.job_id.tolist())) == len(after)
    assert after.header.all("Transformation")[-1].startswith(transformation.label)


@pytest.mark.parametrize("name", TEXTS)
def test_texts_come_back(name: str) -> None:
    (transformation,) = make_transforms([TEXTS[name]])

    assert transformation.label == TEXTS[name]
    assert pickle.loads(pickle.dumps(transformation)) == transformation


@pytest.mark.parametrize(
    ("text", "seed", "column", "values"),
    [
        ("resample-users", 7, "original_job", [9, 7, 8, 10, 1, 2, 2, 12, 9]),
        ("resample-weeks", 7, "original_job", [9, 10, 3, 4, 5, 6, 7, 8, 1, 2, 11, 12]),
        ("anonymise:order=random", 2, "user", [1, 3, 1, 2, 3, 1, 2, 2, 1, 3, 3, 1]),
    ],
)
def test_draws_are_the_same_everywhere(
    text: str, seed: int, column: str, values: list[int]
) -> None:
    """Pinned: another version of Python or numpy must not draw something else."""
    log = Workload.from_columns(
        submit=np.arange(12) * 302_400, user=[1, 2, 1, 3, 2, 1, 3, 3, 1, 2, 2, 1]
    )

    assert getattr(apply_all(log, [text], seed).workload, column).tolist() == values
