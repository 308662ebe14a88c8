"""A market for supercomputer time: utility-aware scheduling, simulated and billed."""

from typing import TYPE_CHECKING

from swfx.base.lazy import imported_on_use

if TYPE_CHECKING:
    from utilitysched.analysis import metrics
    from utilitysched.engine.allocation import allocations
    from utilitysched.engine.engine import simulate
    from utilitysched.model.schedule import Schedule
    from utilitysched.model.state import Decision, InfeasibleDecision, JobTable, QueueState
    from utilitysched.schedulers.billed import as_billed_by
    from utilitysched.schedulers.registry import make_scheduler, scheduler_names
else:  # they bring numpy and the engine, which the command line does not need to print its help
    __getattr__, __dir__ = imported_on_use(__name__)

__all__ = [
    "Decision",
    "InfeasibleDecision",
    "JobTable",
    "QueueState",
    "Schedule",
    "allocations",
    "as_billed_by",
    "make_scheduler",
    "metrics",
    "scheduler_names",
    "simulate",
]
