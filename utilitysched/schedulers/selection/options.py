"""The options of online selection."""

import math
from dataclasses import dataclass

from swfx import InputError
from swfx.base.configured import SHARE, Configured, choice, number, option, seconds
from utilitysched.model.scheduler import Scheduler
from utilitysched.model.threshold import NEVER_STARVED, Threshold
from utilitysched.schedulers.list_options import list_scheduler
from utilitysched.schedulers.orderings import orderings

FAMILY = "select"

FEEDBACK = ("bandit", "full", "noisy")
CHOOSERS = ("greedy", "ucb1", "thompson", "exp3")
COSTS = ("wait", "slowdown", "lost-value")

PUBLISHED = ("fcfs", "lcfs", "spf", "lpf", "lqf", "sqf", "lexp", "sexp", "lrf", "srf", "laf", "saf")
"""Orderings of GAUSSIER 4.1."""


def policy(name: str, limit: Threshold = NEVER_STARVED) -> Scheduler:
    """Make what a policy is: an ordering with EASY placement, or any scheduler by its text."""
    # the registry imports this family
    from utilitysched.schedulers.registry import make_scheduler  # noqa: PLC0415

    if name in orderings():
        limited = {} if limit == NEVER_STARVED else {"threshold": str(limit)}
        return list_scheduler(name, name, {"placement": "easy", **limited})
    found = make_scheduler(name)
    if found.preempts:
        raise InputError(f"{name} preempts jobs", remedy="give schedulers that do not")
    return found


def _policies(text: str) -> tuple[str, ...]:
    names = tuple(text.split("+"))
    if len(set(names)) < max(2, len(names)):
        raise InputError(f"{text!r} is not two orderings or more", remedy="write fcfs+saf")
    for name in names:
        policy(name)
    return names


def _threshold_text(threshold: Threshold) -> str:
    return "" if threshold == NEVER_STARVED else str(threshold)


@dataclass(frozen=True, kw_only=True)
class SelectionOptions(Configured):
    """What is chosen among, and by what.

    Attributes
    ----------
    policies : tuple of str
        Orderings with EASY placement, as in ``fcfs+spf+saf``, or schedulers with their options.
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
        plain = all(name in orderings() for name in self.policies)
        if not plain and self.threshold != NEVER_STARVED:
            raise InputError(
                "is for orderings alone",
                source=FAMILY,
                field="threshold",
                remedy="write it into policies, as in [saf:threshold=1d+ga]",
            )
        if self.feedback != "bandit" and any(policy(p).compiled is None for p in self.policies):
            raise InputError(
                "what a search would have cost is not simulated",
                source=FAMILY,
                field="feedback",
                remedy="give feedback=bandit",
            )
