"""The family `priority-preempt` in the registry of schedulers."""

from utilitysched.model.scheduler import Scheduler
from utilitysched.schedulers.priority_preemption.options import FAMILY, PriorityOptions
from utilitysched.schedulers.registry import scheduler


@scheduler(
    FAMILY,
    defaults=PriorityOptions.defaults(),
    summary="priority-fifo, in which urgent jobs preempt lower classes that take checkpoints",
    kind="preemption",
)
def priority_preempt(label: str, options: dict[str, str]) -> Scheduler:
    """Make a scheduler with priority preemption from option texts.

    Raises
    ------
    InputError
        Unknown option, or a value that does not fit.
    """
    settings = PriorityOptions.from_texts(options)
    # numba is imported when such a scheduler is made, not when its options are read
    from utilitysched.schedulers.priority_preemption.scheduler import PriorityPreempt  # noqa: PLC0415

    return PriorityPreempt(settings, label)
