"""Whether jobs can be bumped in a simulation, and by which rules."""

from checkpoint import PreemptionRules
from swfx import InputError
from utilitysched.scheduler import Decider


def rules_for(
    scheduler: Decider, preemption: PreemptionRules | str | None, *, dependencies: bool = False
) -> PreemptionRules | None:
    """Return the rules of preemption in a simulation, None where no job can be bumped.

    Parameters
    ----------
    scheduler : Decider
        One that bumps has an attribute ``preempts = True``.
    preemption : PreemptionRules or str or None
        What was asked for.
    dependencies : bool
        Whether jobs are submitted once others have ended.

    Raises
    ------
    InputError
        An unknown key or an unusable value in the text of rules, or preemption together with
        dependencies.
    """
    if preemption is None and not getattr(scheduler, "preempts", False):
        return None
    if dependencies:
        raise InputError(
            "jobs cannot both depend on others and be bumped",
            field="preemption",
            remedy="leave one of dependencies and preemption out",
        )
    if preemption is None:
        return PreemptionRules()
    return PreemptionRules.from_text(preemption) if isinstance(preemption, str) else preemption
