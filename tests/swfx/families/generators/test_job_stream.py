from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from swfx.families.generators import BATCH
from swfx.families.generators.job_stream import BLOCK, Block, JobStream, merge

GAPS = st.lists(st.integers(0, 9), min_size=3, max_size=12)


def ticks(gaps: list[int], block: int) -> Iterator[Block]:
    """Arrivals at these gaps, over and over (and one second more, so that time goes on)."""
    submit, position = 0, 0
    while True:
        times = []
        for _ in range(block):
            submit += gaps[position % len(gaps)] + (position % len(gaps) == 0)
            position += 1
            times.append(float(submit))
        yield Block(np.array(times), np.ones(block, np.int64), np.array(times))


@given(st.lists(GAPS, min_size=1, max_size=3), st.integers(1, 5), st.integers(1, 60))
def test_merge_takes_the_first_jobs_of_all(gaps: list[list[int]], block: int, jobs: int) -> None:
    merged, origin = merge([ticks(each, block) for each in gaps], jobs)

    everything = sorted(
        (float(submit), number)
        for number, each in enumerate(gaps)
        for submit in next(ticks(each, jobs)).submit
    )[:jobs]
    assert merged.submit.tolist() == [submit for submit, _ in everything]
    assert origin.tolist() == [number for _, number in everything]
    assert merged.run.tolist() == merged.submit.tolist()


def test_blocks_continue_each_other() -> None:
    blocks = JobStream("batch", BATCH.on_machine(128), 128, 0, 1.0, lagging=False).blocks(1)

    first, second = next(blocks), next(blocks)

    assert len(first.submit) == len(second.submit) == BLOCK
    gaps = np.diff(np.concatenate([first.submit, second.submit]))
    assert (gaps > 0).all()
    assert gaps[BLOCK - 1] < np.exp(13) * 10
    assert first.run.tolist() != second.run.tolist()


def test_run_times_are_those_of_the_size_after_the_cut() -> None:
    wide = JobStream("batch", BATCH.on_machine(1024), 1024, 0, 1.0, lagging=False)
    cut = JobStream("batch", BATCH.on_machine(1024), 1, 0, 1.0, lagging=False)

    long_share = [np.mean(next(stream.blocks(1)).run > 10_000) for stream in (wide, cut)]

    # a batch job takes the long gamma with 1 - p: 0.3 for serial jobs, more for wide ones
    assert long_share[0] > long_share[1] + 0.05
