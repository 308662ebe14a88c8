"""Scheduling pass: the queue and the machine as a placement gets them."""

from typing import NamedTuple

import numpy as np

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
