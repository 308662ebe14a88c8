"""Checkpoints: which jobs take them, and what they save when a running job is bumped."""

from checkpoint.answers import ANSWERS, Answer
from checkpoint.interval import Bump, bump, constant_overhead, proportional_overhead, saved
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
    "Overhead",
    "PreemptionRules",
    "bump",
    "constant_overhead",
    "proportional_overhead",
    "saved",
]
