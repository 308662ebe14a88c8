"""Disclosure: what it costs users to say that their jobs take checkpoints, and can be preempted."""

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from checkpoint import PreemptionRules
from swfx import InputError, Workload
from swfx.fields import MISSING
from utilitysched.counterfactual.branch import Change, branch
from utilitysched.counterfactual.inputs import SimulationInputs
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.segments import Segments, Stop
from utilitysched.model.state import Floats


class Disclosed(NamedTuple):
    """Value of a user's jobs with and without reporting their checkpoints.

    Attributes
    ----------
    user : int
        Number of the user.
    jobs : int
        Jobs that take checkpoints.
    processor_hours : float
        Work in them, up to their requests.
    preemptions : int
        Preemptions of them, if they are reported.
    reported, silent : float
        Realised value of all jobs of the user, if its checkpoints are reported and if it keeps
        them to itself, everybody else doing as before (SU).
    """

    user: int
    jobs: int
    processor_hours: float
    preemptions: int
    reported: float
    silent: float

    @property
    def loss(self) -> float:
        """Cost of reporting to the user (SU); negative for a gain."""
        return self.silent - self.reported


def disclosures(  # noqa: PLR0913 - one keyword per choice, as `simulate` has them
    workload: Workload,
    scheduler: str,
    users: Iterable[int] | None = None,
    *,
    machine_size: int | None = None,
    classes: Mapping[int, int] | None = None,
    seed: int = 0,
    preemption: PreemptionRules | str = "default",
) -> list[Disclosed]:
    """Compare what each user has with and without reporting its checkpoints.

    The workload is simulated once as it is, and once for each user as if its jobs took no
    checkpoints, so that they are not preempted.

    Parameters
    ----------
    workload : Workload
        Jobs with utility functions, some with checkpoints.
    scheduler : str
        One that preempts jobs.
    users : iterable of int, optional
        Whom to ask; default: all whose jobs take checkpoints.
    machine_size, classes, seed, preemption
        As `utilitysched.simulate` takes them.

    Returns
    -------
    list of Disclosed
        By user.

    Raises
    ------
    InputError
        A user has no job that takes checkpoints, the rules let jobs be preempted that report none,
        or as `utilitysched.simulate` raises it.

    References
    ----------
    Lee (2009), section 6.7.2.
    """
    rules = PreemptionRules.from_text(preemption) if isinstance(preemption, str) else preemption
    if rules.scratch or rules.on_demand is not None:
        raise InputError(
            f"by {str(rules)!r} jobs that report no checkpoints can be preempted, too",
            field="preemption",
            remedy="leave scratch and on_demand out",
        )
    takes = workload.checkpoint_interval != MISSING

    arrivals = Arrivals.of(workload, machine_size, classes)
    size = arrivals.known.machine_size
    inputs = SimulationInputs(workload, scheduler, size, seed, classes, rules)
    beginning = inputs.simulation(arrivals, inputs.prepared())

    def played(jobs: Workload) -> tuple[Floats, Segments]:
        """Return what each job is worth (SU), (n,), and the stretches in which it ran."""
        change = Change(arrivals=arrivals, terms=inputs.terms(jobs, arrivals))
        simulation = branch(beginning, change)
        simulation.finish()
        outcome, end = simulation.outcome(), np.empty(len(workload))
        assert outcome.segments is not None, "there are rules of preemption"
        end[arrivals.order] = outcome.end
        worth = jobs.utility.evaluate(end - jobs.submit)
        cut = outcome.segments.cut_short(jobs.effective_run)
        return np.where(cut, 0.0, worth), outcome.segments

    reporters = np.unique(workload.user[takes]) if users is None else np.unique(list(users))
    for user in reporters.tolist():
        if not (takes & (workload.user == user)).any():
            raise InputError(f"user {user} has no job that takes checkpoints", field="users")
    reported, pieces = played(workload)
    disclosed = []
    for user in reporters.tolist():
        mine = workload.user == user
        silent, _ = played(_silenced(workload, mine))
        own = mine & takes
        preempted = (pieces.stop == Stop.PREEMPTED) & mine[pieces.job]
        disclosed.append(
            Disclosed(
                user,
                int(np.count_nonzero(own)),
                float((workload.size * workload.effective_run)[own].sum() / 3600),
                int(np.count_nonzero(preempted)),
                float(reported[mine].sum()),
                float(silent[mine].sum()),
            )
        )
    return disclosed


def price_of_reporting(disclosed: Iterable[Disclosed]) -> float:
    """Return what would make up for all losses together, SU per processor-hour that is reported.

    A discount of so much on jobs with checkpoints makes it break even for users on average.
    Negative if they gain.

    Examples
    --------
    >>> price_of_reporting([Disclosed(1, 3, 100.0, 2, reported=50.0, silent=60.0)])
    0.1
    """
    rows = list(disclosed)
    hours = math.fsum(each.processor_hours for each in rows)
    return math.fsum(each.loss for each in rows) / hours if hours else 0.0


def _silenced(workload: Workload, jobs: NDArray[np.bool_]) -> Workload:
    return workload.replace(
        checkpoint_interval=np.where(jobs, MISSING, workload.checkpoint_interval),
        restart_overhead=np.where(jobs, MISSING, workload.restart_overhead),
    )
