"""Workload models and synthetic utility functions."""

from swfx.families.generators.applications import ApplicationsModel
from swfx.families.generators.job_class import BATCH, INTERACTIVE, TYPELESS, JobClass
from swfx.families.generators.lublin import LublinModel
from swfx.families.generators.registry import MODELS, Generated, find_model
from swfx.families.generators.utilities import MissingWaits, attach_utilities, needs_waits
from swfx.families.generators.utility_spec import UtilitySpec

__all__ = [
    "BATCH",
    "INTERACTIVE",
    "MODELS",
    "TYPELESS",
    "ApplicationsModel",
    "Generated",
    "JobClass",
    "LublinModel",
    "MissingWaits",
    "UtilitySpec",
    "attach_utilities",
    "find_model",
    "needs_waits",
]
