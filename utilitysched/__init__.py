"""A market for supercomputer time: utility-aware scheduling, simulated and billed."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from utilitysched.analysis import metrics as metrics
    from utilitysched.engine.allocation import allocations
    from utilitysched.engine.engine import simulate
    from utilitysched.model.schedule import Schedule
    from utilitysched.model.state import Decision, InfeasibleDecision, JobTable, QueueState
    from utilitysched.schedulers.registry import make_scheduler, scheduler_names

__all__ = [
    "Decision",
    "InfeasibleDecision",
    "JobTable",
    "QueueState",
    "Schedule",
    "allocations",
    "make_scheduler",
    "metrics",
    "scheduler_names",
    "simulate",
]

# These import numpy and the engine, which the command line does not need to print its help.
_LAZY = {
    "Decision": "utilitysched.model.state",
    "InfeasibleDecision": "utilitysched.model.state",
    "JobTable": "utilitysched.model.state",
    "QueueState": "utilitysched.model.state",
    "Schedule": "utilitysched.model.schedule",
    "allocations": "utilitysched.engine.allocation",
    "make_scheduler": "utilitysched.schedulers.registry",
    "scheduler_names": "utilitysched.schedulers.registry",
    "simulate": "utilitysched.engine.engine",
}


def __getattr__(name: str) -> Any:
    if name == "metrics":
        return import_module("utilitysched.analysis.metrics")
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
