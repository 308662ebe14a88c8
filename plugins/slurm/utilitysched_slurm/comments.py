"""Bids in comments of jobs: points, a deadline with a value, or a JSON object.

Whatever a user writes, reading it raises nothing, takes no longer than `MOST` letters allow, and
ends in a curve within bounds or in a sentence on why there is none.
"""

import re
from datetime import tzinfo
from typing import NamedTuple

from swfx import InputError, UtilityFunction
from swfx.accounting.annotations import Annotations, read_comment
from swfx.base.options import as_float, as_seconds, split_options
from swfx.clock import Clock, next_time, time_of_day
from swfx.families.utilities.points import read_points

MOST = 1024
"""Letters of a comment: Slurm takes as many bytes."""

HIGHEST = 1e9
"""SU that a job may be worth."""

LONGEST = 366 * 86_400.0
"""s for which a curve may last."""

KEYS = ("deadline", "value", "checkpoint")

NEW = "waits for the market"
"""AdminComment of a job that utilitysched.lua held for the market."""

_KEYED = re.compile(rf"(^|,)\s*({'|'.join(KEYS)})\s*=")
_POINTED = re.compile(r"\s*\d[\d.]*\s?[a-z]*:")
_CLOCK = re.compile(r"\d{1,2}:\d{2}")


class Bid(NamedTuple):
    """Contents of a comment, and the problem with it; an empty problem is none."""

    said: Annotations = Annotations()
    problem: str = ""


def is_bid(text: str) -> bool:
    """Return whether a comment looks like a bid; any other is for people, or names a curve."""
    keyed, pointed = _KEYED.search(text), _POINTED.match(text)
    return text.lstrip().startswith("{") or bool(keyed or pointed)


def read_bid(text: str, submit: float, zone: tzinfo) -> Bid:
    """Read what a comment bids.

    Parameters
    ----------
    text : str
        ``TIME:SU,TIME:SU,...`` since submission; or ``deadline=WHEN,value=SU``, worth so much until
        a time of the day or so long after the submission, and nothing later, with
        ``checkpoint=TIME`` if it takes checkpoints; or JSON, as
        `swfx.accounting.annotations.read_comment` reads it.
    submit : float
        When the job was submitted (s of Unix time).
    zone : tzinfo
        Of times of the day.

    Examples
    --------
    >>> from datetime import UTC
    >>> read_bid("deadline=4h,value=40", 0.0, UTC).said.utility.times.tolist()
    [0.0, 14400.0]
    >>> read_bid("deadline=4h", 0.0, UTC).problem
    'a deadline needs a value: deadline=18:00,value=40'
    """
    if not is_bid(text):
        return Bid()
    if len(text) > MOST:
        return Bid(problem=f"longer than {MOST} letters")
    try:
        return _within_bounds(_read(text, submit, zone))
    except InputError as error:
        return Bid(problem=str(InputError(error.message, field=error.field, remedy=error.remedy)))
    except (ValueError, OverflowError) as error:  # of dates beyond all calendars
        return Bid(problem=f"no such time: {error}")


def _read(text: str, submit: float, zone: tzinfo) -> Annotations:
    if text.lstrip().startswith("{"):
        annotations, rules = read_comment(text)
        if rules:
            raise InputError(rules[0].meaning)
        return annotations
    if _KEYED.search(text):
        return _keyed(text, submit, zone)
    return Annotations(utility=read_points(text))


def _keyed(text: str, submit: float, zone: tzinfo) -> Annotations:
    given = split_options(text, "")
    for key in given.keys() - set(KEYS):
        raise InputError(f"{key} is none of {', '.join(KEYS)}")
    for key, other in (("deadline", "value"), ("value", "deadline")):
        if key in given and other not in given:
            raise InputError(f"a {key} needs a {other}: deadline=18:00,value=40")
    annotations = Annotations()
    if "checkpoint" in given:
        annotations = annotations._replace(
            checkpoint_interval=_positive(given["checkpoint"], "checkpoint")
        )
    if "deadline" in given:
        worth = as_float(given["value"], "", "value")
        curve = UtilityFunction([0.0, _lasts(given["deadline"], submit, zone)], [worth, worth])
        annotations = annotations._replace(utility=curve)
    return annotations


def _lasts(text: str, submit: float, zone: tzinfo) -> float:
    """Return how long after the submission a deadline is (s)."""
    if _CLOCK.fullmatch(text):
        return next_time(Clock(0, zone), submit, time_of_day(text, "deadline")) - submit
    return _positive(text, "deadline")


def _positive(text: str, field: str) -> float:
    seconds = as_seconds(text, "", field)
    if not 0 < seconds <= LONGEST:
        raise InputError(f"{text!r} is not more than 0 and at most a year", field=field)
    return seconds


def _within_bounds(annotations: Annotations) -> Bid:
    curve = annotations.utility
    if curve is not None and (curve.values[0] > HIGHEST or curve.times[-1] > LONGEST):
        return Bid(problem=f"worth more than {HIGHEST:.0e} SU, or for longer than a year")
    return Bid(annotations)
