"""Checkpoints: which jobs take them, and what they save when a running job is bumped."""

from checkpoint.answers import ANSWERS, Answer
from checkpoint.failures import Outages
from checkpoint.interval import Bump, bump, constant_overhead, proportional_overhead, saved
from checkpoint.optimal import best_interval, daly_interval, expected_time, young_interval
from checkpoint.overhead import Overhead
from checkpoint.registry import ANNOTATIONS, CheckpointAnnotation, Intervals
from checkpoint.rules import PreemptionRules

__all__ = [
    "ANNOTATIONS",
    "ANSWERS",
    "Answer",
    "Bump",
    "CheckpointAnnotation",
    "Intervals",
    "Outages",
    "Overhead",
    "PreemptionRules",
    "best_interval",
    "bump",
    "constant_overhead",
    "daly_interval",
    "expected_time",
    "proportional_overhead",
    "saved",
    "young_interval",
]
