"""Losses by cause and loser, as a graph."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pricing.charges import Charges
from pricing.ledger import Ledger, in_units
from pricing.pivots import Losses, Pivots, Reserve
from pricing.reader import Readings, Rounds
from pricing.waste import NOBODY
from swfx.base.columns import Bools, Floats, Ints

if TYPE_CHECKING:
    import networkx as nx


class Loss(NamedTuple):
    """What was lost between one job and another.

    Attributes
    ----------
    job : int
        The other one, by position in the schedule's workload.
    loss : float
        SU; negative where it was gained.
    delay : float or None
        How much later the loser started (s); None if that is not known.
    """

    job: int
    loss: float
    delay: float | None


def evidence_graph(charges: Charges, around: int | None = None) -> nx.DiGraph[int]:
    """Return the evidence of charges: a directed graph of losses from causes to losers.

    The weights of the edges that leave a job add up to what it is charged for itself, unless that
    is cut or would be negative. Where charges do not rest on losses, there are no edges.

    Parameters
    ----------
    charges : Charges
        By ``vcg``, for losses to be known.
    around : int, optional
        Only the edges of this job, given by position in the schedule's workload.

    Returns
    -------
    networkx.DiGraph
        Nodes are the jobs that pay or lose, by position in the schedule's workload, with their
        number ``job_id`` and, if they pay, their ``charge`` (SU). Edges have ``weight`` (SU lost,
        negative where gained) and, where it is known, ``delay`` (s).
    """
    import networkx as nx  # noqa: PLC0415 - bills are made without it, and explained

    graph: nx.DiGraph[int] = nx.DiGraph()
    job_id = charges.outcome.everybody.tolist()
    paid = zip(charges.outcome.position.tolist(), charges.charge.tolist(), strict=True)
    for job, amount in paid:
        if around in (None, job):
            graph.add_node(job, job_id=job_id[job], charge=amount)
    for cause, victim, loss, delay in zip(*_edges(charges, around), strict=True):
        graph.add_edge(cause, victim, weight=loss)
        for job in (cause, victim):
            graph.nodes[job]["job_id"] = job_id[job]
        if not math.isnan(delay):
            graph.edges[cause, victim]["delay"] = delay
    return graph


def losers(charges: Charges, job: int) -> list[Loss]:
    """Return who lost because of a job, or gained, the largest first.

    Parameters
    ----------
    charges : Charges
        Where charges do not rest on losses, nobody is known to lose.
    job : int
        By position in the schedule's workload.
    """
    losses = losses_of(charges)
    return _sorted(losses, losses.cause == job, losses.victim)


def causes(charges: Charges, job: int) -> list[Loss]:
    """Return because of whom a job lost, or gained, the largest first; see `losers`."""
    losses = losses_of(charges)
    return _sorted(losses, losses.victim == job, losses.cause)


def losses_of(charges: Charges) -> Losses:
    """Return the losses behind each charge; none for mechanisms without evidence."""
    known = charges.evidence
    if known is None or isinstance(known, Rounds | Readings):
        none = np.empty(0, dtype=np.int64)
        return Losses(none, none, np.empty(0), np.empty(0))
    pays = np.isin(known.losses.cause, charges.outcome.position)
    lost = known.losses
    return Losses(lost.cause[pays], lost.victim[pays], lost.loss[pays], lost.delay[pays])


class LossesByCause:
    """Who lost by each job, found in the time of one sort.

    Parameters
    ----------
    charges : Charges
        Where charges do not rest on losses, nobody is known to lose.
    """

    def __init__(self, charges: Charges) -> None:
        losses = losses_of(charges)
        order = np.argsort(losses.cause, kind="stable")
        self._losses = Losses._make(column[order] for column in losses)

    def of(self, job: int) -> list[Loss]:
        """Return who lost because of a job, as `losers` does."""
        first, last = np.searchsorted(self._losses.cause, [job, job + 1]).tolist()
        mine = Losses._make(column[first:last] for column in self._losses)
        return _sorted(mine, np.ones(last - first, np.bool_), mine.victim)


def reserve_of(charges: Charges) -> Reserve | None:
    """Return the reserve part of each charge (price and SU); None for mechanisms without it."""
    known, jobs = charges.evidence, charges.outcome.position
    if not isinstance(known, Pivots) or known.reserve is None:
        return None
    return Reserve(known.reserve.price[jobs], known.reserve.charge[jobs])


def for_later(charges: Charges) -> Ledger | None:
    """Return the same in units, as a part of `Charges.asked`: at most all of it, if cut."""
    reserve, (most, decimals) = reserve_of(charges), charges.asked
    if reserve is None:
        return None
    whole = round(Decimal(repr(math.fsum(reserve.charge))).scaleb(decimals))
    return Ledger(np.minimum(in_units(reserve.charge, decimals, whole), most), decimals)


def own_losses(charges: Charges, group: Ints) -> Floats:
    """Return what of each charge is for delaying jobs of the same group (SU), shape (n,).

    Parameters
    ----------
    charges : Charges
        Of n jobs; where they do not rest on losses, nothing is.
    group : ndarray of int64, shape (n,)
        To which of some groups, such as payers, each job that pays belongs. Jobs that do not pay
        belong to none.
    """
    losses = losses_of(charges)
    cause, victim = (charges.outcome.places(rows) for rows in (losses.cause, losses.victim))
    mine = (victim != NOBODY) & (group[cause] == group[victim])
    own = Losses(cause[mine], victim[mine], losses.loss[mine], losses.delay[mine])
    most = charges.shares.own if charges.shares else charges.charge
    return np.clip(own.by_cause(len(charges)), 0.0, most)


def _edges(charges: Charges, around: int | None) -> list[list[float]]:
    losses = losses_of(charges)
    wanted = np.ones(len(losses.cause), np.bool_)
    if around is not None:
        wanted = (losses.cause == around) | (losses.victim == around)
    return [column[wanted].tolist() for column in losses]


def _sorted(losses: Losses, wanted: Bools, other: Ints) -> list[Loss]:
    columns = (column[wanted].tolist() for column in (other, losses.loss, losses.delay))
    rows = [
        Loss(job, loss, None if math.isnan(delay) else delay)
        for job, loss, delay in zip(*columns, strict=True)
    ]
    return sorted(rows, key=lambda lost: (-abs(lost.loss), lost.job))
