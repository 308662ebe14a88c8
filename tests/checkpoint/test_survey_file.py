from __future__ import annotations

from pathlib import Path

import pytest

from checkpoint.survey_file import read_answers
from swfx import InputError
from tests.checkpoint.annotated import answers, six_jobs


def test_answers_by_number_and_by_name(tmp_path: Path) -> None:
    file = answers(tmp_path, "11,0,300", "12,YES, 600.5", "13,1,", "14,ends-well,", "15,6,")

    answered, interval, notes = read_answers(file, six_jobs())

    assert answered.tolist() == [True, True, True, True, False, False]
    assert interval.tolist() == [300, 600.5, -1, -1, -1, -1]
    assert notes == ("answers: yes 2, debug 1, ends-well 1, declined 1",)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("11,yes,", "interval: the answer is yes without a positive interval; give seconds"),
        ("11,yes,0", "interval: the answer is yes without a positive interval; give seconds"),
        (
            "11,yes,15 min",
            (
                "interval: '15 min' is not a finite number of at most 2^53 in magnitude; "
                "give a finite number"
            ),
        ),
        ("11,debug,900", "interval: an interval without the answer yes; leave the cell empty"),
        (
            "11,maybe,",
            (
                "answer: unknown answer 'maybe'; known: 0 yes, 1 debug, 2 ends-well, "
                "3 not-available, 4 slowdown, 5 other, 6 declined, or no"
            ),
        ),
        (
            "one,yes,9",
            "job: 'one' is not a whole number of at most 2^53 in magnitude; give a whole number",
        ),
        ("12,no,", "job: job 12 is on line 2 already; keep one of them"),
    ],
)
def test_broken_rows_are_refused_by_line_and_field(tmp_path: Path, row: str, message: str) -> None:
    file = answers(tmp_path, "12,yes,900", row)

    with pytest.raises(InputError) as error:
        read_answers(file, six_jobs())

    assert str(error.value) == f"{file}:3: field {message}"
