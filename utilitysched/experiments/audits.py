"""Audits of cells: what lies would bring, job by job, so that several can be put together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from pricing.counterfactual import horizon_seconds
from swfx import InputError, Workload
from swfx.base.document import DocumentError, DocumentTable
from swfx.base.document_values import made, one_or_more, valid, whole
from utilitysched.experiments.annotations import MechanismLabels
from utilitysched.market.audit import MECHANISMS, Audit, AuditSubject, Design, audit
from utilitysched.market.audit.design import read_thresholds
from utilitysched.market.audit.misreport import MISREPORTS
from utilitysched.market.audit.scenario import check
from utilitysched.market.audit.summary import TRUTH, Gains, best

MEASURES = ("value_lie", "lie", "placebo")
"""The best lie about value, the best lie of all, and the truth under other seeds."""

GainsByMechanism = dict[str, dict[str, dict[str, list[float]]]]


def _lie_label(text: str) -> str:
    return MISREPORTS.make(text).label


LieLabel = Annotated[str, made(_lie_label)]


@dataclass(frozen=True)
class Audited(DocumentTable):
    """An audit; as `utilitysched.market.audit.Design` has it, and the mechanisms.

    Attributes
    ----------
    mechanisms : tuple of str
        Labels.
    jobs : int
        Jobs to sample.
    draws : int
        Seeds on which lies are chosen, and as many others on which they are scored.
    lies : tuple of str
        Labels.
    horizon : str
        How long after a job's submission accounts are closed.
    queues : str
        Queues and the least value from which on a job goes to them.
    """

    mechanisms: MechanismLabels = MECHANISMS
    jobs: Annotated[int, whole(1)] = Design.jobs
    draws: Annotated[int, whole(1)] = Design.draws
    lies: Annotated[tuple[LieLabel, ...], one_or_more] = tuple(map(_lie_label, Design.lies))
    horizon: Annotated[str, valid(horizon_seconds)] = Design.horizon
    queues: Annotated[str, valid(read_thresholds)] = Design.queues

    def require(self, schedulers: Iterable[str]) -> None:
        """Refuse schedulers that cannot be audited so.

        Raises
        ------
        DocumentError
            A scheduler cannot be audited so.
        """
        for scheduler in schedulers:
            try:
                check(AuditSubject(scheduler, self.mechanisms))
            except InputError as error:
                raise DocumentError(f"{scheduler}: {error}", at=("audit",)) from error


def audit_gains(
    workload: Workload,
    scheduler: str,
    settings: Audited,
    **conditions: Any,
) -> GainsByMechanism:
    """Find out what lies would bring.

    Parameters
    ----------
    workload : Workload
        The truth.
    scheduler : str
        Who is lied to.
    settings : Audited
        How.
    **conditions
        Its seed and more, as `utilitysched.market.audit.AuditSubject` has them.

    Returns
    -------
    dict
        By mechanism: for each of `MEASURES` the ``gain`` of every job's user (SU), and whether a
        lie was chosen (``lying``, 0 or 1); and under ``truth`` the jobs' ``value`` (SU).

    Raises
    ------
    InputError
        This cannot be audited.
    """
    design = Design(settings.jobs, settings.draws, settings.lies, settings.horizon, settings.queues)
    audited = audit(workload, AuditSubject(scheduler, settings.mechanisms, **conditions), design)
    value = {"truth": {"value": audited.value.tolist()}}
    return {
        mechanism: value | {name: _of(gains, place) for name, gains in _gains(audited).items()}
        for place, mechanism in enumerate(audited.mechanisms)
    }


def _gains(audited: Audit) -> dict[str, Gains]:
    value = np.array(audited.about_value, dtype=np.bool_)
    truth = np.full(audited.placebo.shape, TRUTH)
    measured = (best(audited, value), best(audited, value | True), Gains(truth, audited.placebo))
    return dict(zip(MEASURES, measured, strict=True))


def _of(gains: Gains, place: int) -> dict[str, list[float]]:
    lying = gains.lie[:, place] != TRUTH
    return {"gain": gains.gain[:, place].tolist(), "lying": lying.astype(float).tolist()}
