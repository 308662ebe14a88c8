"""Whether jobs can be bumped in a simulation, and by which rules."""

from checkpoint import PreemptionRules
from checkpoint.failures import Outages
from swfx import InputError
from utilitysched.engine.preemptive.failures import Failures
from utilitysched.model.scheduler import Scheduler


def rules_for(
    scheduler: Scheduler,
    preemption: PreemptionRules | str | None,
    *,
    dependencies: bool = False,
    fails: bool = False,
) -> PreemptionRules | None:
    """Return the rules of preemption in a simulation, None where no job can be stopped.

    Parameters
    ----------
    scheduler : Scheduler
        Says whether it bumps, and whether it keeps promises.
    preemption : PreemptionRules or str or None
        What was asked for.
    dependencies : bool
        Whether jobs are submitted once others have ended.
    fails : bool
        Whether processors fail.

    Raises
    ------
    InputError
        An unknown key or an unusable value in the text of rules; preemption or failures together
        with dependencies; failures under a scheduler that keeps promises.
    """
    if preemption is None and not fails and not scheduler.preempts:
        return None
    if dependencies:
        raise InputError(
            "jobs cannot both depend on others and be bumped",
            field="preemption",
            remedy="leave one of dependencies and preemption out",
        )
    if fails and scheduler.keeps_reservations:
        raise InputError(
            f"{scheduler.label} keeps promises, which failures break",
            field="failures",
            remedy="give the option replan=true, or another placement",
        )
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
