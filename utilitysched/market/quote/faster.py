"""The bid that has a job done in half the time."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np

from utilitysched.market.quote.futures import Futures
from utilitysched.market.quote.prospect import median

STEPS = 8
"""Factors looked at between a value and twice that: the factor found is at most 9% too large."""

MOST = 10 * STEPS
"""The largest step: 1,024 times the bid."""

TRIES = 2
"""Steps tried from the one found in rough futures on, before the largest."""


class Played(Protocol):
    """Plays the future of a job whose utility function is multiplied by a factor."""

    def __call__(self, factor: float, *, roughly: bool) -> Futures:
        """Play it; `roughly` if that need not be as good."""
        ...


class Faster(NamedTuple):
    """The cheapest bid found that halves the median turnaround.

    Attributes
    ----------
    factor : float or None
        By which all values of the job's utility function are multiplied; None if no bid does it.
    why : str
        Why none does; empty if one does.
    futures : Futures or None
        With that bid.
    """

    factor: float | None
    why: str
    futures: Futures | None


def twice_as_fast(futures: Futures, played: Played, *, bids_matter: bool, worth: float) -> Faster:
    """Find the least factor on a job's utility function that halves its median turnaround.

    It is found by bisection in rough futures, as if a higher bid never made a job later, and then
    raised until it does in good ones. Schedulers may break that now and then; a smaller factor may
    do as well.

    Parameters
    ----------
    futures : Futures
        With the utility function as it is.
    played : callable
        Plays it otherwise.
    bids_matter : bool
        Utility functions can change what the scheduler does.
    worth : float
        What the utility function begins with (SU).
    """
    why = _hopeless(futures)
    if not why and not bids_matter:
        why = "the scheduler does not look at bids"
    elif not why and worth <= 0:
        why = "the job is worth nothing, by whatever that is multiplied"
    if why:
        return Faster(None, why, None)
    goal = median(futures.turnaround) / 2
    step = _least(lambda step: median(played(_factor(step), roughly=True).turnaround) <= goal)
    for doing in sorted({*range(step, min(step + TRIES, MOST)), MOST}):
        best = played(_factor(doing), roughly=False)
        if median(best.turnaround) <= goal:
            return Faster(_factor(doing), "", best)
    return Faster(None, f"not even with {_factor(MOST):,.0f} times the bid", None)


def _least(enough: Callable[[int], bool]) -> int:
    """Return the first step that is enough, `MOST` if there is none below."""
    short, most = 0, MOST
    if not enough(most):
        return most
    while most - short > 1:
        middle = (short + most) // 2
        if enough(middle):
            most = middle
        else:
            short = middle
    return most


def _hopeless(futures: Futures) -> str:
    """Say why no earlier start would be enough; empty if one may be."""
    if median(futures.wait) == 0:
        return "the job starts at once anyway"
    run = futures.turnaround - futures.wait
    if median(run) > median(futures.turnaround) / 2:
        return "it would run for more than half of that"
    return ""


def _factor(step: int) -> float:
    return float(np.exp2(step / STEPS))
