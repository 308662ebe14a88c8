"""What a placement is given."""

from typing import NamedTuple

from utilitysched.state import Floats, Integers


class Moment(NamedTuple):
    """The instant of a pass.

    Attributes
    ----------
    now : float
        Time on the log's clock (s).
    free : int
        Processors in use by nobody.
    early : bool
        A job ended at this instant before its requested time had passed.
    """

    now: float
    free: int
    early: bool


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
    """When the running jobs give their processors back, by their requested times.

    Attributes
    ----------
    end : (m,) float64
        Expected ends (s), non-decreasing.
    size : (m,) int64
        Processors.
    """

    end: Floats
    size: Integers


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
