"""The family `priority-preempt` in the registry of schedulers."""

from utilitysched.registry import scheduler
from utilitysched.scheduler import Scheduler
from utilitysched.urgency.options import FAMILY, UrgencyOptions


@scheduler(
    FAMILY,
    defaults=UrgencyOptions.defaults(),
    summary="priority-fifo, in which urgent jobs bump those of lower classes that take checkpoints",
    kind="preemption",
)
def priority_preempt(label: str, options: dict[str, str]) -> Scheduler:
    """Make a scheduler with priority preemption from option texts.

    Raises
    ------
    InputError
        Unknown option, or a value that does not fit.
    """
    settings = UrgencyOptions.from_text(",".join(f"{key}={text}" for key, text in options.items()))
    # numba is imported when such a scheduler is made, not when its options are read
    from utilitysched.urgency.scheduler import PriorityPreempt  # noqa: PLC0415

    return PriorityPreempt(settings, label)
