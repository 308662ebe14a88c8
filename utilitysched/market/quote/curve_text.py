"""Utility functions in one line of text."""

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import numpy as np

from swfx import Header, InputError, UtilityFunction, Workload
from swfx.base.zones import zone_text
from swfx.clock import Clock
from swfx.families.utilities.points import SOURCE, read_points
from swfx.families.utilities.registry import Given, make_model
from swfx.header import named
from swfx.label_kinds import LABEL_KINDS
from utilitysched.market.quote.inquiry import Inquiry
from utilitysched.runs.snapshot import Snapshot

_BEGINS_WITH_A_TIME = re.compile(r"\s*[-+.\d]")
"""Names of models begin with a letter."""

FIRST = 1
"""Number of a label of which only the name is given."""


def read_curve(
    text: str,
    snapshot: Snapshot,
    inquiry: Inquiry,
    seed: int = 0,
    labels: Mapping[str, str] | None = None,
) -> UtilityFunction:
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
    labels : mapping of str to str, optional
        What else the job is called, by kind of label.

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
        return _drawn(text, snapshot, inquiry, seed, labels or {})
    return read_points(text)


def _drawn(
    text: str, snapshot: Snapshot, inquiry: Inquiry, seed: int, labels: Mapping[str, str]
) -> UtilityFunction:
    model = make_model(text)
    known = {"user": inquiry.user, "queue": inquiry.queue}
    numbers = dict.fromkeys(labels, FIRST) | {k: n for k, n in known.items() if n >= 0}
    lines = [named(LABEL_KINDS[kind].key, numbers[kind], name) for kind, name in labels.items()]
    lines += [] if snapshot.clock is None else _lines(snapshot.clock)
    columns: dict[str, Any] = {kind: [number] for kind, number in numbers.items()}
    job = Workload.from_columns(
        header=Header((f" MaxProcs: {snapshot.machine_size}", *lines)),
        submit=[snapshot.now],
        run=[inquiry.request],
        processors=[inquiry.processors],
        requested_time=[inquiry.request],
        **columns,
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
