"""Whether jobs can be bumped in a simulation, and by which rules."""

from checkpoint import PreemptionRules
from checkpoint.failures import Outages
from utilitysched.engine.failures import Failures
from utilitysched.model.scheduler import Scheduler


def rules_for(
    scheduler: Scheduler,
    preemption: PreemptionRules | str | None,
    *,
    fails: bool = False,
) -> PreemptionRules | None:
    """Return the rules of preemption in a simulation, None where no job can be stopped.

    Parameters
    ----------
    scheduler : Scheduler
        Says whether it bumps.
    preemption : PreemptionRules or str or None
        What was asked for.
    fails : bool
        Whether processors fail.

    Raises
    ------
    InputError
        An unknown key or an unusable value in the text of rules.
    """
    if preemption is None and not fails and not scheduler.preempts:
        return None
    if preemption is None:
        return PreemptionRules()
    return PreemptionRules.from_text(preemption) if isinstance(preemption, str) else preemption


def failures_of(
    given: Failures | Outages | str | None, machine_size: int, seed: int
) -> Failures | None:
    """Return what fails in a simulation, None for nothing.

    Raises
    ------
    InputError
        The text cannot be read, or the failures are of another machine.
    """
    if given is None:
        return None
    if isinstance(given, str):
        found = Failures.from_text(given, seed)
    else:
        found = Failures(given) if isinstance(given, Outages) else given
    found.check(machine_size)
    return found
