"""Utility functions in one line of text."""

import re
from datetime import timedelta

import numpy as np

from swfx import Header, InputError, UtilityFunction, Workload
from swfx.base.options import as_float, as_seconds
from swfx.base.zones import zone_text
from swfx.clock import Clock
from swfx.families.utilities.registry import Given, make_model
from utilitysched.market.quote.inquiry import Inquiry
from utilitysched.runs.snapshot import Snapshot

SOURCE = "curve"

_POINT = re.compile(r"\s*([^:\s]+)\s*:\s*([^:\s]+)\s*")

_BEGINS_WITH_A_TIME = re.compile(r"\s*[-+.\d]")
"""Names of models begin with a letter."""


def read_curve(text: str, snapshot: Snapshot, inquiry: Inquiry, seed: int = 0) -> UtilityFunction:
    """Read points, or draw a curve from a model of utility functions.

    Parameters
    ----------
    text : str
        ``TIME:SU,TIME:SU,...`` by turnaround time, in seconds or as in ``30min``, ``4h``; or what
        ``--utilities`` takes. A model draws for the job as if it ran at once and as requested.
    snapshot : Snapshot
        The moment at which the job would be submitted.
    inquiry : Inquiry
        The job.
    seed : int
        Of a model's draws.

    Raises
    ------
    InputError
        It is neither, or makes no utility function.

    Examples
    --------
    >>> moment = Snapshot(0.0, 4)
    >>> read_curve("0:8,1h:8,2h:0", moment, Inquiry(1, 60.0)).times.tolist()
    [0.0, 3600.0, 7200.0]
    """
    if not _BEGINS_WITH_A_TIME.match(text):
        return _drawn(text, snapshot, inquiry, seed)
    try:
        pairs = [_point(part) for part in text.split(",")]
        return UtilityFunction(
            [as_seconds(time, SOURCE, "time") for time, _ in pairs],
            [as_float(value, SOURCE, "value") for _, value in pairs],
        )
    except InputError as error:
        raise InputError(
            error.message, source=f"{SOURCE} {text}", field=error.field, remedy=error.remedy
        ) from None


def _point(text: str) -> tuple[str, str]:
    point = _POINT.fullmatch(text)
    if point is None:
        raise InputError(f"{text.strip()!r} is no point", remedy="write TIME:SU, as in 0:200,12h:0")
    return point[1], point[2]


def _drawn(text: str, snapshot: Snapshot, inquiry: Inquiry, seed: int) -> UtilityFunction:
    model = make_model(text)
    lines = [] if snapshot.clock is None else _lines(snapshot.clock)
    job = Workload.from_columns(
        header=Header((f" MaxProcs: {snapshot.machine_size}", *lines)),
        submit=[snapshot.now],
        run=[inquiry.request],
        processors=[inquiry.processors],
        requested_time=[inquiry.request],
        user=[inquiry.user],
        queue=[inquiry.queue],
    )
    curve = model.draw(job, seed, Given(np.zeros(1))).table[0]
    if curve is None:
        raise InputError("makes no utility function", source=f"{SOURCE} {text}")
    return curve


def _lines(clock: Clock) -> list[str]:
    name = zone_text(clock.zone)
    if name[0] not in "+-":
        return [f" UnixStartTime: {clock.start}", f" TimeZoneString: {name}"]
    distance = clock.date(0).utcoffset() or timedelta()
    return [f" UnixStartTime: {clock.start}", f" TimeZone: {distance.total_seconds():.0f}"]
