"""Checkpoints: which jobs take them, and what they save when a running job is preempted."""

from checkpoint.answers import ANSWERS, Answer
from checkpoint.failures import Outages
from checkpoint.interval import Preempted, constant_overhead, preempt, proportional_overhead, saved
from checkpoint.optimal import best_interval, daly_interval, expected_time, young_interval
from checkpoint.overhead import Overhead
from checkpoint.registry import ANNOTATIONS, CheckpointAnnotation, Intervals
from checkpoint.rules import PreemptionRules

__all__ = [
    "ANNOTATIONS",
    "ANSWERS",
    "Answer",
    "CheckpointAnnotation",
    "Intervals",
    "Outages",
    "Overhead",
    "Preempted",
    "PreemptionRules",
    "best_interval",
    "constant_overhead",
    "daly_interval",
    "expected_time",
    "preempt",
    "proportional_overhead",
    "saved",
    "young_interval",
]


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
