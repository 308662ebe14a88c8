"""Dealing estimates to jobs, so that every job that may have an estimate is as likely to."""

from __future__ import annotations

import numpy as np

from swfx.base.columns import Floats, Ints
from swfx.base.errors import InputError


def assign(run: Floats, estimates: Ints, rng: np.random.Generator) -> Floats:
    """Deal every estimate to a job that runs no longer; all ways to do so are equally likely.

    From the longest job to the shortest, each gets an estimate drawn from the unused ones that
    are long enough. These lie in one stretch of an array: the drawn one is swapped to its front,
    where the stretch of the next job no longer reaches.

    Parameters
    ----------
    run : ndarray, shape (n,)
        Run times (s).
    estimates : ndarray of int64, shape (n,)
        Estimates (s), longest first.
    rng : Generator
        Source of the draws.

    Returns
    -------
    ndarray, shape (n,)
        Estimate of each job (s).

    Raises
    ------
    InputError
        There are fewer estimates of some length than jobs that need one.
    """
    order = np.argsort(-run, kind="stable")
    enough = np.searchsorted(-estimates, -run[order], side="right")
    used = np.arange(run.size)
    _require_feasible(run[order], enough, used)
    drawn = used + (rng.random(run.size) * (enough - used)).astype(np.int64)
    shuffled = estimates.tolist()
    for front, place in enumerate(drawn.tolist()):
        shuffled[front], shuffled[place] = shuffled[place], shuffled[front]
    dealt = np.empty(run.size)
    dealt[order] = shuffled
    return dealt


def _require_feasible(longest: Floats, enough: Ints, used: Ints) -> None:
    short = enough <= used
    if short.any():
        first = int(np.argmax(short))
        raise InputError(
            f"{first + 1} jobs run {longest[first]:g} s or longer, "
            f"estimates that long: {enough[first]}",
            source="tsafrir",
            field="max",
            remedy="give a larger max=, or its share of jobs by bins=MAX:JOBS",
        )
