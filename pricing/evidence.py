"""Losses by cause and loser, as a graph."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pricing.charges import Charges
from pricing.ledger import Ledger, amount, in_units
from pricing.pivots import Losses, Pivots, Reserve
from pricing.reader import Readings, Rounds
from pricing.registry import make_mechanism
from pricing.waste import NOBODY
from swfx.base.columns import Floats, Ints

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
    amount : Decimal
        The loss as it stands wherever it is printed (SU): those by a job add up to what it is
        charged for them; where it is charged another sum, as after a cut, to their own.
    """

    job: int
    loss: float
    delay: float | None
    amount: Decimal = Decimal(0)


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
    for job, charge in paid:
        if around in (None, job):
            graph.add_node(job, job_id=job_id[job], charge=charge)
    losses = losses_of(charges).by_pair()
    losses = losses.of(losses.loss != 0)
    if around is not None:
        losses = losses.of((losses.cause == around) | (losses.victim == around))
    for cause, victim, loss, delay in zip(*(each.tolist() for each in losses[:4]), strict=True):
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
    return LossesByCause(charges).of(job)


def causes(charges: Charges, job: int) -> list[Loss]:
    """Return because of whom a job lost, or gained, the largest first; see `losers`."""
    losses, by_cause = losses_of(charges), LossesByCause(charges)
    guilty = np.unique(losses.cause[losses.victim == job]).tolist()
    mine = [(one, lost) for one in guilty for lost in by_cause.of(one) if lost.job == job]
    return _largest_first(lost._replace(job=one) for one, lost in mine)


def losses_of(charges: Charges) -> Losses:
    """Return the losses behind each charge; none for mechanisms without evidence."""
    known = charges.evidence
    if known is None or isinstance(known, Rounds | Readings):
        return Losses.nothing()
    return known.losses.of(np.isin(known.losses.cause, charges.outcome.position))


class LossesByCause:
    """Who lost by each job, found in the time of one sort.

    Parameters
    ----------
    charges : Charges
        Where charges do not rest on losses, nobody is known to lose.
    """

    def __init__(self, charges: Charges) -> None:
        losses = losses_of(charges)
        self._losses = losses.of(np.argsort(losses.cause, kind="stable"))
        self._charges, self._charged = charges, for_losses(charges)

    def __bool__(self) -> bool:
        """Whether anybody lost."""
        return bool(len(self._losses.cause))

    def of(self, job: int) -> list[Loss]:
        """Return who lost because of a job, as `losers` does."""
        first, last = np.searchsorted(self._losses.cause, [job, job + 1]).tolist()
        pairs = self._losses.of(np.arange(first, last)).by_pair()
        pairs = pairs.of(pairs.loss != 0)
        columns = pairs.victim.tolist(), pairs.loss.tolist(), pairs.delay.tolist()
        rows = (
            Loss(victim, loss, None if math.isnan(delay) else delay)
            for victim, loss, delay in zip(*columns, strict=True)
        )
        return self._rounded(job, _largest_first(rows))

    def _rounded(self, job: int, losses: Sequence[Loss]) -> list[Loss]:
        """Set the amounts of the losses by a job."""
        if not losses:
            return []
        (units, decimals), exact = self._charged, [lost.loss for lost in losses]
        charged = int(units[self._charges.outcome.places(np.array([job]))].item())
        whole = math.fsum(exact) * 10.0**decimals
        near = charged if abs(charged - whole) < 1 else round(whole)
        lines = in_units(exact, decimals, near).tolist()
        return [
            lost._replace(amount=amount(line, decimals))
            for lost, line in zip(losses, lines, strict=True)
        ]


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
    lines = in_units(reserve.charge.tolist(), decimals, whole)
    return Ledger(np.minimum(lines, most), decimals)


def for_losses(charges: Charges) -> Ledger:
    """Return what each job is charged for losses by it: no stops, no reserve."""
    units, later = charges.ledger.units, for_later(charges)
    own = units if charges.parts is None else charges.parts.own
    return Ledger(own - later.units if later else own, charges.ledger.decimals)


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
    own = losses._replace(cause=cause, victim=victim).of(mine)
    most = charges.shares.own if charges.shares else charges.charge
    return np.clip(own.by_cause(len(charges)), 0.0, most)


class Uncharged(NamedTuple):
    """Planned losses that are not charged.

    Attributes
    ----------
    brief : float
        Those of jobs that ran for less than a fair share of their requested time (SU).
    beyond : float
        Those beyond what the jobs had left to lose (SU).
    fair : float
        The fair share.
    """

    brief: float = 0.0
    beyond: float = 0.0
    fair: float = 0.0


def uncharged(charges: Charges, places: Sequence[int] | None = None) -> Uncharged:
    """Return the planned losses by some jobs that are not charged; see `Losses.settled`.

    Parameters
    ----------
    charges : Charges
        Where charges do not rest on plans, nothing is left out.
    places : sequence of int, optional
        Of the jobs, among those that pay; all by default.
    """
    if not isinstance(charges.evidence, Pivots):
        return Uncharged()
    losses = losses_of(charges)
    if places is not None:
        losses = losses.of(np.isin(losses.cause, charges.outcome.position[list(places)]))
    rule = make_mechanism(charges.mechanism).pivots
    fair = 0.0 if rule is None else rule.fair
    short = np.isin(losses.victim, np.flatnonzero(charges.outcome.run_share < fair))
    rest = losses.planned - losses.loss
    return Uncharged(math.fsum(rest[short]), math.fsum(rest[~short]), fair)


def _largest_first(losses: Iterable[Loss]) -> list[Loss]:
    return sorted(losses, key=lambda lost: (-abs(lost.loss), lost.job))
