"""The options of online selection."""

import math
from dataclasses import dataclass

from swfx import InputError
from swfx.base.configured import SHARE, Configured, choice, number, option, seconds
from swfx.base.options import nearest
from utilitysched.model.threshold import NEVER_STARVED, Threshold
from utilitysched.schedulers.orderings import orderings

FAMILY = "select"

FEEDBACK = ("bandit", "full", "noisy")
CHOOSERS = ("greedy", "ucb1", "thompson", "exp3")
COSTS = ("wait", "slowdown", "lost-value")

PUBLISHED = ("fcfs", "lcfs", "spf", "lpf", "lqf", "sqf", "lexp", "sexp", "lrf", "srf", "laf", "saf")
"""Orderings of GAUSSIER 4.1."""


def _policies(text: str) -> tuple[str, ...]:
    names = tuple(text.split("+"))
    for name in names:
        if name not in orderings():
            raise InputError(f"unknown ordering {name!r}", remedy=nearest(name, orderings()))
    if len(set(names)) < max(2, len(names)):
        raise InputError(f"{text!r} is not two orderings or more", remedy="write fcfs+saf")
    return names


def _threshold_text(threshold: Threshold) -> str:
    return "" if threshold == NEVER_STARVED else str(threshold)


@dataclass(frozen=True, kw_only=True)
class SelectionOptions(Configured):
    """What is chosen among, and by what.

    Attributes
    ----------
    policies : tuple of str
        Orderings with EASY placement, as in ``fcfs+spf+saf``.
    feedback : str
        What is known of a period that is over: what the jobs that ended in it cost under the
        ordering in use (``bandit``), or what every ordering would have cost the jobs submitted in
        it, simulated from an empty machine (``full``), each cost times a number drawn between 0.85
        and 1.15 (``noisy``).
    choose : str
        How bandits choose: ``greedy``, ``ucb1``, ``thompson`` or ``exp3``.
    cost : str
        Of a job: its wait (s), its bounded slowdown, or the value lost by waiting (SU).
    period : float
        Between two choices (s).
    epsilon : float
        How often ``greedy`` chooses at random; the mixing rate of ``exp3``.
    decay : float
        What a period's costs count for in the next one.
    threshold : Threshold
        Jobs that have waited longer go first.

    Examples
    --------
    >>> SelectionOptions.from_text("policies=fcfs+saf,period=7d").period
    604800.0
    """

    name = FAMILY

    policies: tuple[str, ...] = option(_policies, PUBLISHED, "+".join)
    feedback: str = choice(FEEDBACK, "bandit")
    choose: str = choice(CHOOSERS, "greedy")
    cost: str = choice(COSTS, "wait")
    period: float = seconds(86_400.0, (60.0, math.inf))
    epsilon: float = number(0.1, SHARE)
    decay: float = number(1.0, SHARE)
    threshold: Threshold = option(Threshold.parse, NEVER_STARVED, _threshold_text)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.feedback != "bandit" and self.choose != "greedy":
            raise InputError(
                "all orderings are known, none has to be tried",
                source=FAMILY,
                field="choose",
                remedy="leave it out, or give feedback=bandit",
            )
