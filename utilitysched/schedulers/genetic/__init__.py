"""The genetic scheduler (LEE 3), on DEAP: the families `ga` and `climb`.

`GeneticScheduler` is in the module `scheduler`: importing it imports DEAP, which a simulation
of other schedulers does not need.
"""

from swfx.base.options import check_keys
from utilitysched.model.scheduler import Scheduler
from utilitysched.schedulers.genetic.options import (
    CLIMB,
    CLIMBING,
    FAMILY,
    PRESETS,
    GeneticOptions,
    climbing_defaults,
    defaults,
)
from utilitysched.schedulers.registry import scheduler

__all__ = ["GeneticOptions", "genetic_scheduler"]


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
    return _made(GeneticOptions.parse(options), label)


def _made(settings: GeneticOptions, label: str) -> Scheduler:
    # DEAP and numba are imported when a genetic scheduler is made, not when its options are read
    from utilitysched.schedulers.genetic.scheduler import GeneticScheduler  # noqa: PLC0415

    return GeneticScheduler(settings, label)


@scheduler(
    CLIMB,
    defaults=climbing_defaults(),
    summary="the best of a few good queue orders, and hill climbing from there; breeds nothing",
)
def climbing_scheduler(label: str, options: dict[str, str]) -> Scheduler:
    """Make a scheduler that climbs from the best of its first orders, from option texts.

    Raises
    ------
    InputError
        Unknown option, or a value that does not fit.
    """
    check_keys(options, climbing_defaults(), CLIMB, GeneticOptions.LISTED)
    return _made(GeneticOptions.from_texts(CLIMBING | options), label)
