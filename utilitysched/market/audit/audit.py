"""Audits: what lies about sampled jobs bring their users."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from swfx import Workload
from utilitysched.market.audit.design import Design
from utilitysched.market.audit.run import AuditPlace, trials
from utilitysched.market.audit.sample import SampledJobs, crowding, sample
from utilitysched.market.audit.scenario import AuditScenario, AuditSubject, make_scenario
from utilitysched.market.audit.trial import Trial
from utilitysched.model.state import Floats, Integers


@dataclass(frozen=True, eq=False)
class Audit:
    """What lies about sampled jobs bring their users, beyond the truth.

    Attributes
    ----------
    scheduler : str
        Text of the scheduler.
    mechanisms : tuple of str
        The k price mechanisms.
    lies : tuple of str
        The l lies.
    about_value : (l,) bool
        Which of them tell nothing but another utility function.
    draws : int
        AuditSeeds of choosing, and of scoring; 0 if the scheduler does not draw.
    seed : int
        Of the sample, the draws and the intervals.
    job, user : (m,) int64
        Positions in the workload, and users.
    congestion : (m,) float64
        See `SampledJobs`.
    stratum : (m,) int64
        Third by congestion, from 0.
    value : (m,) float64
        What each job turned out to be worth under the truth (SU).
    chosen, scored : (m, k, l) float64
        Gain by each lie (SU), on the seeds of choosing and of scoring.
    placebo : (m, k) float64
        Gain by the truth under fresh seeds (SU).
    """

    scheduler: str
    mechanisms: tuple[str, ...]
    lies: tuple[str, ...]
    about_value: Sequence[bool]
    draws: int
    seed: int
    job: Integers
    user: Integers
    congestion: Floats
    stratum: Integers
    value: Floats
    chosen: Floats
    scored: Floats
    placebo: Floats


def audit(
    workload: Workload,
    subject: AuditSubject | None = None,
    design: Design | None = None,
    place: AuditPlace | None = None,
) -> Audit:
    """Find out what lies would bring the users of sampled jobs.

    From the state in which a sampled job is submitted, things go on under the truth and under every
    lie about it, with the same random draws. A user's gain is what its jobs are truly worth at
    their realised turnaround times, less its charges, compared with the same under the truth.

    Parameters
    ----------
    workload : Workload
        Jobs whose utility functions are the truth.
    subject : AuditSubject, optional
        Who serves and charges them.
    design : Design, optional
        How many jobs, which lies, how long to look.
    place : AuditPlace, optional
        In how many processes; the result is the same with any number.

    Returns
    -------
    Audit
        Columns; `utilitysched.market.audit.summary.summarise` sums them up.

    Raises
    ------
    InputError
        No job has a utility function, or something named is not known or cannot be audited.
    """
    chosen = design or Design()
    scenario, order = make_scenario(workload, subject or AuditSubject(), chosen.thresholds)
    eligible = scenario.workload.utility.defined
    picked = sample(crowding(scenario), eligible, chosen.jobs, scenario.seed)
    found = trials([scenario], chosen, [picked.job.tolist()], place or AuditPlace())
    return _audit(scenario, chosen, picked, order, found)


def _audit(
    scenario: AuditScenario,
    design: Design,
    picked: SampledJobs,
    order: Integers,
    found: Sequence[Trial],
) -> Audit:
    return Audit(
        scenario.scheduler,
        scenario.mechanisms,
        tuple(lie.label for lie in design.told),
        tuple(lie.about_value for lie in design.told),
        design.draws if scenario.draws else 0,
        scenario.seed,
        order[picked.job],
        scenario.workload.user[picked.job],
        picked.congestion,
        picked.stratum,
        np.array([trial.value for trial in found]),
        np.array([trial.chosen for trial in found]),
        np.array([trial.scored for trial in found]),
        np.array([trial.placebo for trial in found]),
    )
