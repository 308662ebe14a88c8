"""A market for supercomputer time: utility-aware scheduling, simulated and billed."""

from typing import TYPE_CHECKING

from swfx.base.lazy import imported_on_use

if TYPE_CHECKING:
    from utilitysched.analysis import metrics
    from utilitysched.engine.allocation import allocations
    from utilitysched.engine.engine import simulate
    from utilitysched.experiments.work import run_experiment
    from utilitysched.market.audit.audit import audit
    from utilitysched.market.audit.scenario import AuditSubject
    from utilitysched.market.quote import QuotedJob, QuoteTerms, quote
    from utilitysched.model.schedule import Schedule
    from utilitysched.model.state import Decision, InfeasibleDecision, JobTable, QueueState
    from utilitysched.report.html.report import write_report
    from utilitysched.runs import read_results, read_run
    from utilitysched.runs.records import SimulationPlan
    from utilitysched.runs.simulation import simulate_all
    from utilitysched.runs.snapshot import QueuedJob, RunningJob, Snapshot, snapshot_of_run
    from utilitysched.schedulers.billed import as_billed_by
    from utilitysched.schedulers.registry import make_scheduler, scheduler_names
else:  # they bring numpy and the engine, which the command line does not need to print its help
    __getattr__, __dir__ = imported_on_use(__name__)

__all__ = [
    "AuditSubject",
    "Decision",
    "InfeasibleDecision",
    "JobTable",
    "QueueState",
    "QueuedJob",
    "QuoteTerms",
    "QuotedJob",
    "RunningJob",
    "Schedule",
    "SimulationPlan",
    "Snapshot",
    "allocations",
    "as_billed_by",
    "audit",
    "make_scheduler",
    "metrics",
    "quote",
    "read_results",
    "read_run",
    "run_experiment",
    "scheduler_names",
    "simulate",
    "simulate_all",
    "snapshot_of_run",
    "write_report",
]
