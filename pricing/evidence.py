"""Who lost how much because of whom, as a graph."""

from __future__ import annotations

import math

import networkx as nx
import numpy as np

from pricing.charges import Charges
from pricing.pivots import Losses
from pricing.rounds import Rounds


def evidence_graph(charges: Charges, around: int | None = None) -> nx.DiGraph[int]:
    """Return what charges rest on as a directed graph from jobs to those that lose by them.

    The weights of the edges that leave a job add up to what it is charged, unless that is cut or
    would be negative. Where charges do not rest on losses, there are no edges.

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


def losses_of(charges: Charges) -> Losses:
    """Return who lost how much because of the jobs that pay; nobody where that is not known."""
    known = charges.evidence
    if known is None or isinstance(known, Rounds):
        none = np.empty(0, dtype=np.int64)
        return Losses(none, none, np.empty(0), np.empty(0))
    pays = np.isin(known.losses.cause, charges.outcome.position)
    lost = known.losses
    return Losses(lost.cause[pays], lost.victim[pays], lost.loss[pays], lost.delay[pays])


def _edges(charges: Charges, around: int | None) -> list[list[float]]:
    losses = losses_of(charges)
    wanted = np.ones(len(losses.cause), np.bool_)
    if around is not None:
        wanted = (losses.cause == around) | (losses.victim == around)
    return [column[wanted].tolist() for column in losses]
