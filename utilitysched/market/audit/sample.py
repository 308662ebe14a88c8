"""Samples of the jobs to lie about: as many from each third of the jobs by congestion."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from swfx import Workload
from utilitysched.engine.engine import simulate
from utilitysched.market.audit.reported import Bools
from utilitysched.market.audit.scenario import AuditScenario
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
