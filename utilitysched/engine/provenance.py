"""Records of what decided a simulation, by which it can be repeated."""

from collections.abc import Mapping

from checkpoint import PreemptionRules
from checkpoint.failures import Outages
from swfx import Workload
from swfx.dependencies import Dependencies
from utilitysched.engine.conditions import Failures
from utilitysched.model.scheduler import Scheduler


def of_simulation(
    workload: Workload,
    scheduler: Scheduler,
    machine_size: int,
    classes: Mapping[int, int] | None,
    seed: int,
) -> dict[str, object]:
    """Return what decided a simulation, and what the scheduler noted of its decisions."""
    return {
        "workload": workload.digest(),
        "machine_size": machine_size,
        "classes": dict(classes) if classes else None,
        "scheduler": scheduler.label,
        "options": dict(scheduler.options),
        "seed": seed,
        **scheduler.notes,
    }


def ruled(rules: PreemptionRules | None) -> dict[str, object]:
    """Return the rules of preemption, if there are any."""
    return {} if rules is None else {"preemption": str(rules)}


def failed(failures: Failures | None, outages: Outages | None) -> dict[str, object]:
    """Return what failed, and what makes the same outages again, if a text does."""
    if failures is None or outages is None:
        return {}
    seed = failures.seed if failures.text else None
    record = {"count": len(outages), "seed": seed, "sha256": outages.digest}
    return {"failures": str(failures), "outages": record}


def ignored(dependencies: Dependencies | None) -> dict[str, object]:
    """Return how many dependencies hold, and which are ignored, if there are any."""
    return {} if dependencies is None else {"dependencies": dependencies.to_dict()}
