"""Scheduling pass: the queue and the machine as a placement gets them."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from swfx import InputError
from swfx.base.options import as_float, as_seconds, as_text
from utilitysched.model.state import Floats, Integers


class SchedulingPass(NamedTuple):
    """The instant of a pass.

    Attributes
    ----------
    now : float
        Time on the log's clock (s).
    free : int
        Processors in use by nobody.
    ended : (e,) int64
        Jobs that ended since the placement was last called.
    """

    now: float
    free: int
    ended: Integers


class Queue(NamedTuple):
    """The queued jobs that a placement may look at.

    Attributes
    ----------
    job : (k,) int64
        Jobs in arrival order.
    score : (k,) float64
        Place in the queue order: lowest first, ties in arrival order.
    backfill : (k,) float64
        Place in the backfill order, likewise.
    """

    job: Integers
    score: Floats
    backfill: Floats


class Releases(NamedTuple):
    """Expected ends of running jobs, by requested times.

    Attributes
    ----------
    end : (m,) float64
        Expected ends (s), non-decreasing.
    job : (m,) int64
        The jobs.
    """

    end: Floats
    job: Integers


class Profile(NamedTuple):
    """Steps of free processors over time; the last step lasts for ever.

    Attributes
    ----------
    time : (c,) float64
        When each step begins (s), strictly increasing.
    free : (c,) int64
        Processors free during the step.
    steps : (1,) int64
        Steps in use.
    """

    time: Floats
    free: Integers
    steps: Integers

    @classmethod
    def blank(cls, reservations: int, machine_size: int) -> "Profile":
        """Return the profile of an idle machine, with room for so many jobs."""
        # Two steps a job, and two more while one of them is being moved.
        room = 3 + 2 * reservations
        profile = cls(np.full(room, -np.inf), np.empty(room, np.int64), np.ones(1, np.int64))
        profile.free[0] = machine_size
        return profile


class Plan(NamedTuple):
    """What a placement that keeps reservations remembers from pass to pass.

    Attributes
    ----------
    reserved : (n,) float64
        Start reserved for each job (s), infinite where there is none.
    profile : Profile
        Processors left free by running jobs, until their expected ends, and by reservations.
    """

    reserved: Floats
    profile: Profile


class Limits(NamedTuple):
    """How far a placement looks.

    Attributes
    ----------
    reservations : int
        Blocked jobs that hold a reservation, in queue order.
    window : float
        A job that could not start within this time (s) from now gets no reservation.
    """

    reservations: int
    window: float


@dataclass(frozen=True)
class Threshold:
    """A starvation threshold, absolute or relative to the longest request.

    Attributes
    ----------
    value : float
        Seconds, or a factor if `relative`; infinite for no threshold.
    relative : bool
        `value` multiplies the longest requested time of the workload (CARASTAN 4.1.2.1 uses 3).

    Examples
    --------
    >>> Threshold.parse("3x").seconds(longest_request=3600.0)
    10800.0
    """

    value: float = math.inf
    relative: bool = False

    @classmethod
    def parse(cls, text: str) -> "Threshold":
        """Read ``200000`` (s), ``2d`` or ``3x`` (times the longest request).

        Raises
        ------
        InputError
            Anything else, or a number below 0.
        """
        relative = text.endswith("x")
        read = as_float if relative else as_seconds
        try:
            value = read(text.removesuffix("x"), "", "threshold")
        except InputError:
            value = -1.0
        if not 0.0 <= value < math.inf:
            raise InputError(
                f"{text!r} is not a starvation threshold",
                field="threshold",
                remedy="give a time, 200000 (s) or 2d, or times the longest request, as in 3x",
            )
        return cls(value, relative)

    def seconds(self, longest_request: float) -> float:
        """Return the threshold in seconds."""
        return self.value * longest_request if self.relative else self.value

    def __str__(self) -> str:
        return f"{as_text(self.value)}{'x' if self.relative else ''}"


NEVER_STARVED = Threshold()


def threshold_text(threshold: Threshold) -> str:
    """Return the text that `Threshold.parse` reads, the empty one for no threshold."""
    return "" if threshold == NEVER_STARVED else str(threshold)
