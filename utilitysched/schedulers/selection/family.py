"""The family `select` in the registry of schedulers."""

from utilitysched.model.scheduler import Scheduler
from utilitysched.schedulers.registry import scheduler
from utilitysched.schedulers.selection.options import FAMILY, SelectionOptions


@scheduler(
    FAMILY,
    defaults=SelectionOptions.defaults(),
    summary="the ordering that cost least so far, chosen anew every day or week",
    kind="selection",
)
def select(label: str, options: dict[str, str]) -> Scheduler:
    """Make a scheduler that selects orderings from option texts.

    Raises
    ------
    InputError
        Unknown option or ordering, or a value that does not fit.
    """
    settings = SelectionOptions.from_texts(options)
    # numba is imported when such a scheduler is made, not when its options are read
    from utilitysched.schedulers.selection.scheduler import SelectionScheduler  # noqa: PLC0415

    return SelectionScheduler(settings, label)
