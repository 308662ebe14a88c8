"""The thirteen policies of KELLARI chapter 5."""

from __future__ import annotations

from typing import NamedTuple

from utilitysched.kernels import sharing


class CoPolicy(NamedTuple):
    """How the queue is ordered, and how its jobs are placed.

    Attributes
    ----------
    order : int
        Of the queue, as `utilitysched.kernels.sharing` names it.
    shares : bool
        Jobs get halves of nodes: of empty ones, else beside others.
    fills : bool
        Jobs start around a stuck head.
    reserves : bool
        Conservative backfilling: each job holds a reservation.
    """

    order: int
    shares: bool = True
    fills: bool = True
    reserves: bool = False


POLICIES = {
    "fcfs": CoPolicy(sharing.ARRIVAL, shares=False, fills=False),
    "easy": CoPolicy(sharing.ARRIVAL, shares=False),
    "conservative": CoPolicy(sharing.ARRIVAL, shares=False, reserves=True),
    "sjf": CoPolicy(sharing.SHORTEST, shares=False),
    "ljf": CoPolicy(sharing.LONGEST, shares=False),
    "easy-co": CoPolicy(sharing.ARRIVAL),
    "sjf-co": CoPolicy(sharing.SHORTEST),
    "ljf-co": CoPolicy(sharing.LONGEST),
    "laf-co": CoPolicy(sharing.LARGEST),
    "popularity": CoPolicy(sharing.POPULARITY),
    "filler": CoPolicy(sharing.FILLER),
    "sjf-filler": CoPolicy(sharing.SHORT_FILLER),
    "pop-filler": CoPolicy(sharing.POPULAR_FILLER),
}
"""By name; the first five run jobs compact."""
