"""Schedulers for which a workload has nothing to go by, so that they decide as simpler ones do."""

from collections.abc import Iterator, Mapping

from swfx import Workload
from utilitysched.engine.conditions import rules_for
from utilitysched.model.arrivals import Arrivals
from utilitysched.schedulers.registry import make_scheduler


def degenerate_notes(
    workload: Workload,
    label: str,
    *,
    classes: Mapping[int, int] | None = None,
    preemption: str | None = None,
) -> Iterator[str]:
    """Yield lines for people on what a scheduler does not find in a workload.

    Parameters
    ----------
    workload : Workload
        Jobs as they are simulated.
    label : str
        Of the scheduler.
    classes : mapping of int to int, optional
        Priority class of each queue number.
    preemption : str, optional
        Rules by which running jobs may be preempted.
    """
    scheduler = make_scheduler(label)
    if scheduler.reading is not None and not workload.utility.defined.any():
        yield f"{label} reads utility functions, and no job has one: --utilities default draws some"
    elif scheduler.indifferent(Arrivals.of(workload, classes=classes).known):
        yield (
            f"{label} has nothing to tell these jobs apart by: it keeps them in order of arrival, "
            "as easy, fcfs and conservative do"
        )
    rules = rules_for(scheduler, preemption)
    if scheduler.preempts and rules and not (rules.intervals(workload) >= 0).any():
        yield (
            f"{label} has no job to preempt: none takes checkpoints or may be run again; "
            "augment --checkpoints and --rerunnable say which do"
        )
