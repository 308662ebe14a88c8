"""Logs cut into windows of equal length, as the protocols of learning policies do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from swfx.base.columns import Bools, Floats
from swfx.base.errors import InputError
from swfx.base.options import as_seconds
from swfx.families.transformation import COUNTS
from swfx.links import chosen
from swfx.workload import Workload

__all__ = ["Part", "read_length", "split", "window_count"]

_NAMED = {"weeks": 7 * 86_400.0, "half-months": 15 * 86_400.0}


class Part(NamedTuple):
    """The jobs of one window.

    Attributes
    ----------
    number : int
        Of the window, from 1; those in which no job is submitted are left out.
    workload : Workload
        Jobs submitted in it, on the clock of the whole log; none if all are crossing.
    cut : int
        Links to preceding jobs that are not in it.
    crossing : int
        Jobs left out because they do not end in the window they start in.
    """

    number: int
    workload: Workload
    cut: int
    crossing: int


def read_length(text: str) -> float:
    """Length of a window (s): `weeks`, `half-months` (15 days), or as `as_seconds` reads 36h.

    Raises
    ------
    InputError
        Anything else.

    Examples
    --------
    >>> read_length("half-months"), read_length("36h")
    (1296000.0, 129600.0)
    """
    if text in _NAMED:
        return _NAMED[text]
    length = as_seconds(text, "split", "length")
    _check(length)
    return length


def split(workload: Workload, length: float, *, whole: bool = False) -> Iterator[Part]:
    """Cut a log into windows by time of submission, counted from the first.

    Parameters
    ----------
    workload : Workload
        n jobs.
    length : float
        Of a window (s).
    whole : bool
        Leave out jobs that start in one window and end in another, by the waits in the log
        (LEGRAND); a job whose wait is unknown counts as one that did not wait.

    Raises
    ------
    InputError
        A length that is not above 0.

    Examples
    --------
    >>> log = Workload.from_columns(submit=[50, 90, 150, 400], run=[10] * 4)
    >>> [(part.number, part.workload.job_id.tolist()) for part in split(log, 100)]
    [(1, [1, 2]), (2, [3]), (4, [4])]
    """
    _check(length)
    window = _window(workload.submit, workload, length)
    crosses = _crossing(workload, length) if whole else np.zeros(len(workload), np.bool_)
    for number in np.unique(window).tolist():
        inside = window == number
        jobs, cut = chosen(workload, inside & ~crosses)
        span = f"{int(number) + 1}, {length:.12g} s each"
        header = jobs.header.without(*COUNTS).with_value("Window", span)
        left = int((inside & crosses).sum())
        yield Part(int(number) + 1, jobs.replace(header=header), cut, left)


def window_count(workload: Workload, length: float) -> int:
    """Count the windows in which jobs are submitted."""
    return len(np.unique(_window(workload.submit, workload, length)))


def _check(length: float) -> None:
    if length <= 0:
        raise InputError(
            f"{length:g} s is no length of a window", source="split", remedy="give more than 0"
        )


def _window(when: Floats, workload: Workload, length: float) -> Floats:
    numbers: Floats = (when - workload.submit.min()) // length
    return numbers


def _crossing(workload: Workload, length: float) -> Bools:
    start = workload.submit + np.maximum(workload.wait, 0.0)
    end = start + np.maximum(workload.run, 0.0)
    crosses: Bools = _window(start, workload, length) != _window(end, workload, length)
    return crosses
