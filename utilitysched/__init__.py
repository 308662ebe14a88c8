"""A market for supercomputer time: utility-aware scheduling, simulated and billed."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from utilitysched import metrics as metrics
    from utilitysched.allocation import allocations
    from utilitysched.engine import simulate
    from utilitysched.errors import InfeasibleDecision
    from utilitysched.registry import make_scheduler, scheduler_names
    from utilitysched.schedule import Schedule
    from utilitysched.state import Decision, Known, QueueState

__all__ = [
    "Decision",
    "InfeasibleDecision",
    "Known",
    "QueueState",
    "Schedule",
    "allocations",
    "make_scheduler",
    "scheduler_names",
    "simulate",
]

# These import numpy and the engine, which the command line does not need to print its help.
_LAZY = {
    "Decision": "utilitysched.state",
    "InfeasibleDecision": "utilitysched.errors",
    "Known": "utilitysched.state",
    "QueueState": "utilitysched.state",
    "Schedule": "utilitysched.schedule",
    "allocations": "utilitysched.allocation",
    "make_scheduler": "utilitysched.registry",
    "scheduler_names": "utilitysched.registry",
    "simulate": "utilitysched.engine",
}


def __getattr__(name: str) -> Any:
    if name == "metrics":
        return import_module("utilitysched.metrics")
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
