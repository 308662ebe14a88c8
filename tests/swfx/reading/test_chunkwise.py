from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import Workload
from swfx.families.transformation import TRANSFORMS, apply_one, make_transforms
from swfx.reading.chunkwise import TransformedParts
from swfx.workload import COLUMNS
from tests.strategies import workloads

TEXTS = {
    "accurate": "accurate",
    "filter": "filter:run=10..50",
    "nodes": "nodes:per=3,count=4",
    "window": "window:start=5,end=300",
}


def test_all_of_them_are_tested() -> None:
    assert {name for name, kind in TRANSFORMS.members().items() if kind.chunkwise} == set(TEXTS)


@given(
    workloads(max_jobs=20),
    st.lists(st.sampled_from(sorted(TEXTS.values())), max_size=3),
    st.integers(1, 5),
    st.data(),
)
@pytest.mark.slow
def test_the_parts_are_the_whole(
    log: Workload, texts: list[str], size: int, data: st.DataObject
) -> None:
    jobs = len(log)
    earlier = [data.draw(st.integers(-1, job) | st.just(jobs + 5)) for job in range(jobs)]
    log = log.replace(preceding_job=[-1 if job == 0 else job for job in earlier])
    transformations = make_transforms(texts)

    whole, dropped = log, Counter[str]()
    for transformation in transformations:
        done = apply_one(transformation, whole, 0)
        whole = done.workload
        dropped.update({f"{transformation.label}: {why}": n for why, n in done.dropped.items()})
    parts = TransformedParts(
        log.header,
        (log[first : first + size] for first in range(0, jobs, size)),
        transformations,
        0,
    )
    together = list(parts)

    for field in COLUMNS:
        columns = [getattr(part, field.name) for part in together]
        assert np.concatenate(columns).tolist() == getattr(whole, field.name).tolist(), field.name
    assert parts.account.dropped == dropped
    assert parts.header == whole.header.announcing(log.extended)


def test_links_to_jobs_that_went_with_an_earlier_part_are_cut() -> None:
    log = Workload.from_columns(submit=[0, 1, 2, 3], run=[9, 5, 5, 5], preceding_job=[-1, 1, 2, 1])
    parts = TransformedParts(log.header, (log[:2], log[2:]), make_transforms(["filter:run=5"]), 0)

    assert [part.preceding_job.tolist() for part in parts] == [[-1], [2, -1]]
    assert sum(parts.account.changed.values()) == 2


@pytest.mark.parametrize("text", ["scale-load:factor=2"])
def test_only_chunkwise_ones_are_taken(text: str) -> None:
    log = Workload.from_columns(submit=[0])

    with pytest.raises(AssertionError):
        TransformedParts(log.header, (log,), make_transforms([text]), 0)


def test_links_to_jobs_that_go_with_a_later_part_stay_and_are_counted() -> None:
    log = Workload.from_columns(submit=[0, 1, 2], run=[5, 9, 9], preceding_job=[3, -1, -1])
    parts = TransformedParts(log.header, (log[:2], log[2:]), make_transforms(["filter:run=5"]), 0)

    assert [part.preceding_job.tolist() for part in parts] == [[3], []]
    assert parts.account.changed == {"links to a later job that is gone stay": 1}
