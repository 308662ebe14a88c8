"""Placements by name."""

from collections.abc import Callable
from dataclasses import dataclass

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
        known, limits, promised, started)``: sets ``started[job]`` for the queued jobs to
        start now and returns when it wants to be called again (s), infinite if at
        events only.
    keeps_promises : bool
        `promised` carries reservations from pass to pass, so no pass may be skipped.
    summary : str
        One line for people.
    """

    name: str
    place: PlaceFunction
    keeps_promises: bool
    summary: str


PLACEMENTS: dict[str, Placement] = {}


def placement(
    name: str, *, summary: str, keeps_promises: bool = False
) -> Callable[[PlaceFunction], PlaceFunction]:
    """Enter the decorated function as the placement `name`."""

    def enter(function: PlaceFunction) -> PlaceFunction:
        PLACEMENTS[name] = Placement(name, function, keeps_promises, summary)
        return function

    return enter
