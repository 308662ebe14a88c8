"""A market for supercomputer time: utility-aware scheduling, simulated and billed."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from utilitysched.errors import InfeasibleDecision
from utilitysched.schedule import Schedule
from utilitysched.state import Decision, Known, QueueState

if TYPE_CHECKING:
    from utilitysched.allocation import allocations
    from utilitysched.engine import simulate
    from utilitysched.registry import make_scheduler, scheduler_names

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

# These import the engine, which the command line does not need to print its help.
_LAZY = {
    "allocations": "utilitysched.allocation",
    "make_scheduler": "utilitysched.registry",
    "scheduler_names": "utilitysched.registry",
    "simulate": "utilitysched.engine",
}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
