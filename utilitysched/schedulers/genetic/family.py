"""The family `ga` in the registry of schedulers."""

from swfx import InputError
from utilitysched.model.scheduler import Scheduler
from utilitysched.schedulers.genetic.options import CLIMB, FAMILY, PRESETS, GeneticOptions, defaults
from utilitysched.schedulers.registry import scheduler


@scheduler(
    FAMILY,
    defaults=defaults(),
    summary="evolution of the queue order whose plan is worth most (LEE 3)",
    presets=PRESETS,
)
def genetic_scheduler(label: str, options: dict[str, str]) -> Scheduler:
    """Make a genetic scheduler from option texts.

    Raises
    ------
    InputError
        Unknown option, or a value that does not fit.
    """
    settings = GeneticOptions.parse(options)
    # DEAP and numba are imported when a genetic scheduler is made, not when its options are read
    from utilitysched.schedulers.genetic.scheduler import GeneticScheduler  # noqa: PLC0415

    return GeneticScheduler(settings, label)


@scheduler(
    CLIMB,
    defaults=GeneticOptions.defaults() | PRESETS[CLIMB],
    summary="the best of a few good queue orders, and hill climbing from there; breeds nothing",
)
def climbing_scheduler(label: str, options: dict[str, str]) -> Scheduler:
    """Make the scheduler that `ga` is with ``preset=climb``, from other option texts.

    Raises
    ------
    InputError
        Unknown option, or a value that does not fit.
    """
    if "preset" in options:
        message = f"{CLIMB} is a preset itself"
        raise InputError(message, source=CLIMB, field="preset", remedy=f"give it to {FAMILY}")
    return genetic_scheduler(label, {"preset": CLIMB} | options)
