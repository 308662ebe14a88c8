"""Placements: what turns an ordered queue into starts, one file each."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from swfx.base.plugins import import_family
from swfx.base.registry import check_free
from utilitysched.model.scheduling_pass import Plan, Profile

__all__ = ["Placement", "placement", "placements"]

PlaceFunction = Callable[..., float]


@dataclass(frozen=True)
class Placement:
    """A way to turn an ordered queue into starts.

    Attributes
    ----------
    name : str
        Name on the command line.
    place : callable
        Plain function, compiled when first used. Called as ``place(moment, queue, releases,
        known, limits, plan, started)``: sets ``started[job]`` for the queued jobs to
        start now and returns when it wants to be called again (s), infinite if at
        events only.
    keeps_reservations : bool
        `plan` is carried from pass to pass, so no pass may be skipped.
    summary : str
        One line for people.
    """

    name: str
    place: PlaceFunction
    keeps_reservations: bool
    summary: str

    def blank_plan(self, jobs: int, machine_size: int) -> Plan:
        """Return the memory of a placement that has not decided anything yet."""
        steps = jobs if self.keeps_reservations else 0
        return Plan(np.full(jobs, np.inf), Profile.blank(steps, machine_size))


PLACEMENTS: dict[str, Placement] = {}


def placement(
    name: str, *, summary: str, keeps_reservations: bool = False
) -> Callable[[PlaceFunction], PlaceFunction]:
    """Enter the decorated function as the placement `name`."""

    def enter(function: PlaceFunction) -> PlaceFunction:
        earlier = PLACEMENTS.get(name)
        check_free("placement", name, earlier and earlier.place, function)
        PLACEMENTS[name] = Placement(name, function, keeps_reservations, summary)
        return function

    return enter


def placements() -> dict[str, Placement]:
    """Return all placements by name."""
    import_family(__name__, "utilitysched.placements")
    return dict(sorted(PLACEMENTS.items()))
