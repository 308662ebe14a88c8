"""Answers of a checkpoint survey in a CSV file: job, answer, interval."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from checkpoint.answers import ANSWERS, DECLINED, YES
from swfx.base.columns import Bools, Floats
from swfx.base.csv_columns import CsvColumns
from swfx.fields import MISSING
from swfx.reading.job_rows import read_job_rows
from swfx.workload import Workload

__all__ = ["Answered", "read_answers"]

Texts = npt.NDArray[np.str_]

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
    columns, row, position, strangers = read_job_rows(path, ("answer", "interval"), workload)
    answers = _answers(columns)
    seconds = _intervals(columns, answers == YES.name)
    answered = np.zeros(len(workload), np.bool_)
    answered[position] = answers[row] != DECLINED.name
    interval = np.full(len(workload), float(MISSING))
    interval[position] = seconds[row]
    counts = Counter(answers[row].tolist()).most_common()
    counted = ", ".join(f"{name} {times:,}" for name, times in counts) or "none"
    return Answered(answered, interval, (f"answers: {counted}", *strangers))


def _answers(columns: CsvColumns) -> Texts:
    texts = [text.strip().casefold() for text in columns.cells["answer"]]
    for row, text in enumerate(texts):
        if text not in NAMES:
            known = ", ".join(f"{answer.choice} {answer.name}" for answer in ANSWERS)
            raise columns.refusal(
                row, "answer", f"unknown answer {text!r}", f"known: {known}, or no"
            )
    return np.array([NAMES[text] for text in texts], np.str_)


def _intervals(columns: CsvColumns, yes: Bools) -> Floats:
    seconds = columns.optional("interval", MISSING)
    for bad, message, remedy in (
        (yes & (seconds <= 0), "the answer is yes without a positive interval", "give seconds"),
        (~yes & (seconds != MISSING), "an interval without the answer yes", "leave the cell empty"),
    ):
        if bad.any():
            raise columns.refusal(int(np.argmax(bad)), "interval", message, remedy)
    return seconds
