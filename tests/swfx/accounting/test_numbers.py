from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx.accounting.job_columns import JobColumns
from swfx.accounting.listing import Listing
from swfx.accounting.names import number_of, numbered, own_numbers
from swfx.job_names import FIRST_INVENTED


@given(st.lists(st.integers(-1, 6)))
def test_every_job_has_a_number_of_its_own(wanted: list[int]) -> None:
    numbers, changed = (column.tolist() for column in own_numbers(np.array(wanted, np.int64)))

    assert len(set(numbers)) == len(wanted)
    kept = [n for i, n in enumerate(numbers) if i not in changed]
    assert kept == [n for i, n in enumerate(wanted) if i not in changed]
    assert set(kept) == {n for n in wanted if n >= 0}
    assert [numbers[i] for i in changed] == [FIRST_INVENTED + k for k in range(len(changed))]


def test_changed_numbers_are_listed() -> None:
    listing = Listing("log", lines=3, records=3, comment_lines=0)

    jobs = JobColumns()
    jobs.extend({"line": np.array([1, 2, 3]), "job_id": np.array([4, 4, -1])})

    lines = numbered(jobs, listing, {0: "4", 1: "4", 2: "3_1"})

    assert jobs["job_id"].tolist() == [4, FIRST_INVENTED, FIRST_INVENTED + 1]
    assert lines == (
        ' Job: 4 "4, job 1 of 2"',
        f' Job: {FIRST_INVENTED} "4, job 2 of 2"',
        f" Job: {FIRST_INVENTED + 1} 3_1",
    )
    assert listing.report(kept=3).lines_of("renumbered").tolist() == [2, 3]


@pytest.mark.parametrize("text", ["", "x", "1.server", "-3", str(FIRST_INVENTED), "1.5"])
def test_what_is_no_number(text: str) -> None:
    assert number_of(text) == -1
