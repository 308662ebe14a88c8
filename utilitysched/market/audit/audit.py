"""Audits: what misreports of jobs sampled by congestion bring their users."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from swfx import Workload
from utilitysched.engine.engine import simulate
from utilitysched.market.audit.design import Design
from utilitysched.market.audit.reported import Bools
from utilitysched.market.audit.run import AuditPlace, trials
from utilitysched.market.audit.scenario import AuditScenario, AuditSubject, make_scenario
from utilitysched.market.audit.trial import Trial
from utilitysched.model.state import Floats, Integers

STRATA = ("low", "middle", "high")


class SampledJobs(NamedTuple):
    """Sampled jobs.

    Attributes
    ----------
    job : (m,) int64
        By their places in the order of arrival, ascending.
    congestion : (m,) float64
        Processors that running and queued jobs want when it is submitted, as a share of the
        machine.
    stratum : (m,) int64
        Which third of all jobs that could be sampled it belongs to, the least congested first.
    """

    job: Integers
    congestion: Floats
    stratum: Integers


def crowding(scenario: AuditScenario) -> Floats:
    """Return how crowded the machine is just before each job of a scenario is submitted, (n,)."""
    end = simulate(
        scenario.workload,
        scenario.scheduler,
        machine_size=scenario.machine_size,
        classes=scenario.classes,
        seed=scenario.seed,
        preemption=scenario.preemption,
        failures=scenario.failures,
        machine=scenario.machine,
    ).end
    return congestion(scenario.workload, end, scenario.machine_size)


def congestion(workload: Workload, end: Floats, machine_size: int) -> Floats:
    """Return how crowded the machine is just before each job is submitted, (n,).

    Parameters
    ----------
    workload : Workload
        n jobs in the order of their arrival.
    end : (n,) float64
        When each ends under the truth (s).
    machine_size : int
        Processors.

    Returns
    -------
    (n,) float64
        Processors that jobs in the queue or running want, as a share of the machine; those that
        are submitted or end at the same instant do not count.
    """
    submit, size = workload.submit, workload.size
    by_end = np.argsort(end, kind="stable")
    come = np.concatenate([[0], np.cumsum(size)])[np.searchsorted(submit, submit, side="left")]
    ended = np.searchsorted(end[by_end], submit, side="right")
    gone = np.concatenate([[0], np.cumsum(size[by_end])])[ended]
    # a job without run time that is submitted at this very instant may have ended at it, too
    share: Floats = np.maximum(come - gone, 0) / machine_size
    return share


def sample(crowd: Floats, eligible: Bools, jobs: int, seed: int) -> SampledJobs:
    """Draw jobs without replacement, as many from each third as the number allows.

    Parameters
    ----------
    crowd : (n,) float64
        How crowded the machine was for each job.
    eligible : (n,) bool
        Which may be drawn.
    jobs : int
        How many to draw; all, if there are fewer.
    seed : int
        Of the draw.
    """
    places = np.flatnonzero(eligible)
    ranked = places[np.argsort(crowd[places], kind="stable")]
    rng = np.random.default_rng([seed % 2**63, 0])
    drawn, stratum = [], []
    for number, third in enumerate(np.array_split(ranked, len(STRATA))):
        wanted = (jobs + len(STRATA) - 1 - number) // len(STRATA)
        chosen = rng.permutation(third)[:wanted]
        drawn.append(chosen)
        stratum.append(np.full(len(chosen), number))
    job, which = np.concatenate(drawn), np.concatenate(stratum)
    order = np.argsort(job)
    return SampledJobs(job[order], crowd[job[order]], which[order])


@dataclass(frozen=True, eq=False)
class Audit:
    """Gains of users by misreports of sampled jobs.

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
    others : (m, 1 + k, 1 + l) float64
        True value of the jobs of other users, then what they pay by each mechanism (SU), under the
        truth and under each lie; NaN unless a lie adds jobs, and for replays.
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
    others: Floats


def audit(
    workload: Workload,
    subject: AuditSubject | None = None,
    design: Design | None = None,
    place: AuditPlace | None = None,
) -> Audit:
    """Return the gains of users by misreports of sampled jobs.

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
    results = trials(scenario, chosen, picked.job.tolist(), place or AuditPlace())
    return _audit(scenario, chosen, picked, order, results)


def _audit(
    scenario: AuditScenario,
    design: Design,
    picked: SampledJobs,
    order: Integers,
    results: Sequence[Trial],
) -> Audit:
    return Audit(
        scenario.scheduler,
        scenario.mechanisms,
        tuple(misreport.label for misreport in design.told),
        tuple(misreport.about_value for misreport in design.told),
        design.draws if scenario.draws else 0,
        scenario.seed,
        order[picked.job],
        scenario.workload.user[picked.job],
        picked.congestion,
        picked.stratum,
        np.array([trial.value for trial in results]),
        np.array([trial.chosen for trial in results]),
        np.array([trial.scored for trial in results]),
        np.array([trial.placebo for trial in results]),
        np.array([trial.others for trial in results]),
    )
