"""Designs: how an audit is made."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from pricing.counterfactual import horizon_seconds
from swfx import InputError
from utilitysched.market.audit.misreport import MISREPORTS, Misreport
from utilitysched.market.audit.queues import QUEUES, Thresholds, read_thresholds

TOLD = (
    "scale:factor=0.1",
    "scale:factor=0.5",
    "scale",
    "scale:factor=10",
    "steeper",
    "flatter",
    "earlier",
    "later",
    "step",
    "request:factor=0.5",
    "request",
    "split",
    "delay",
)
"""Lies that are tried."""

MECHANISMS = (
    "single-price",
    "multi-queue",
    "first-price",
    "second-price",
    "vcg",
    "vcg:method=replay",
)
"""Mechanisms that are audited."""


@dataclass(frozen=True)
class Design:
    """How an audit is made.

    Attributes
    ----------
    jobs : int
        Jobs to sample.
    draws : int
        Seeds on which lies are chosen, and as many others on which they are scored; a scheduler
        that does not draw has one for both.
    lies : tuple of str
        Lies to try, in place of the truth.
    horizon : str
        How long after a job's submission accounts are closed: ``24h``, ``1w`` or the like, or
        ``recoupled`` for once all have started.
    queues : str
        Queues with the least value (SU per processor-hour requested) from which on a job goes to
        them, or ``log``; see `utilitysched.market.audit.queues`.
    """

    jobs: int = 30
    draws: int = 2
    lies: tuple[str, ...] = TOLD
    horizon: str = "24h"
    queues: str = QUEUES

    def __post_init__(self) -> None:
        for name in ("jobs", "draws"):
            if getattr(self, name) < 1:
                raise InputError(f"{getattr(self, name)} {name}", field=name, remedy="give 1")
        if not self.lies:
            raise InputError("no lie to try", field="lies", remedy="name one or more")
        for label in (labels := [lie.label for lie in self.told]):
            if labels.count(label) > 1:
                raise InputError(f"{label} is named twice", field="lies", remedy="once will do")
        assert self.seconds > 0
        assert self.thresholds is None or self.thresholds

    @cached_property
    def told(self) -> tuple[Misreport, ...]:
        """The lies."""
        return tuple(MISREPORTS.make(text) for text in self.lies)

    @cached_property
    def seconds(self) -> float:
        """The horizon (s)."""
        return horizon_seconds(self.horizon)

    @cached_property
    def thresholds(self) -> Thresholds | None:
        """The queues' thresholds, None if jobs stay in those of the log."""
        return read_thresholds(self.queues)
