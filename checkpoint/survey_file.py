"""Answers of a checkpoint survey in a CSV file: job, answer, interval."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import NamedTuple

import numpy as np

from checkpoint.answers import ANSWERS, DECLINED, YES
from swfx.columns import Bools, Floats
from swfx.fields import MISSING
from swfx.job_rows import JobRow, read_job_rows
from swfx.workload import Workload

__all__ = ["Answered", "read_answers"]

NAMES = {str(answer.choice): answer.name for answer in ANSWERS} | {
    name: name for name in (*(answer.name for answer in ANSWERS), "no")
}
"""Names of answers by what may be written: her numbers, or the names; `no` gives no reason."""


class Answered(NamedTuple):
    """What a survey says about the jobs of a workload.

    Attributes
    ----------
    answered : ndarray of bool, shape (n,)
        Whether there is an answer to the question; who declined did not give one.
    interval : ndarray of float64, shape (n,)
        Checkpoint interval (s) where the answer is yes, else -1.
    notes : tuple of str
        Answers by name, and rows about other jobs.
    """

    answered: Bools
    interval: Floats
    notes: tuple[str, ...]


def read_answers(path: str | Path, workload: Workload) -> Answered:
    """Read the answers for the jobs of a workload.

    Parameters
    ----------
    path : str or Path
        CSV with the columns `job`, `answer` and `interval`. An answer is one of `ANSWERS` by name
        or by the number of its choice, or `no`; yes has the interval in seconds, the others none.
    workload : Workload
        n jobs.

    Raises
    ------
    InputError
        By file, line and field: an unknown answer, a yes without a positive interval, an interval
        with another answer, or what `read_job_rows` refuses.
    """
    rows, position, strangers = read_job_rows(path, ("answer", "interval"), workload)
    answers = [_answer(row) for row in rows]
    answered = np.zeros(len(workload), np.bool_)
    answered[position] = [answer != DECLINED.name for answer in answers]
    interval = np.full(len(workload), float(MISSING))
    interval[position] = [_interval(row, a) for row, a in zip(rows, answers, strict=True)]
    counts = ", ".join(f"{name} {times:,}" for name, times in Counter(answers).most_common())
    return Answered(answered, interval, (f"answers: {counts or 'none'}", *strangers))


def _answer(row: JobRow) -> str:
    text = row.cells["answer"].casefold()
    if text not in NAMES:
        known = ", ".join(f"{answer.choice} {answer.name}" for answer in ANSWERS)
        raise row.refusal("answer", f"unknown answer {text!r}", f"known: {known}, or no")
    return NAMES[text]


def _interval(row: JobRow, answer: str) -> float:
    seconds = row.number("interval")
    if answer != YES.name:
        if seconds is not None:
            raise row.refusal(
                "interval", f"{seconds:g} s with the answer {answer}", "leave the cell empty"
            )
        return MISSING
    if seconds is None or seconds <= 0:
        raise row.refusal(
            "interval", "the answer is yes without a positive interval", "give seconds"
        )
    return seconds
