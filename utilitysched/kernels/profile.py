"""The availability profile: how many processors are free from when on."""

from typing import NamedTuple

import numpy as np
from numba import njit

from utilitysched.placements.moment import Moment, Releases
from utilitysched.state import Floats, Integers


class Profile(NamedTuple):
    """Steps of free processors over time; the last step lasts for ever.

    Attributes
    ----------
    time : (c,) float64
        When each step begins (s), strictly increasing; the first is now.
    free : (c,) int64
        Processors free during the step.
    steps : (1,) int64
        Steps in use.
    """

    time: Floats
    free: Integers
    steps: Integers


@njit(cache=True)
def build(moment: Moment, releases: Releases, reservations: int) -> Profile:
    """Return the profile of the running jobs, with room for this many reservations."""
    room = 1 + len(releases.end) + 2 * reservations
    profile = Profile(np.empty(room), np.empty(room, np.int64), np.ones(1, np.int64))
    profile.time[0] = moment.now
    profile.free[0] = moment.free
    last = 0
    for i in range(len(releases.end)):
        if releases.end[i] > profile.time[last]:
            last += 1
            profile.time[last] = releases.end[i]
            profile.free[last] = profile.free[last - 1]
        profile.free[last] += releases.size[i]
    profile.steps[0] = last + 1
    return profile


@njit(cache=True)
def earliest(profile: Profile, size: int, duration: float) -> float:
    """Return the first time at which `size` processors are free for `duration` seconds."""
    steps = profile.steps[0]
    start = 0
    i = 0
    while i < steps and (i == start or profile.time[i] < profile.time[start] + duration):
        if profile.free[i] < size:
            start = i + 1
        i += 1
    return profile.time[start]


@njit(cache=True)
def _step_at(profile: Profile, time: float) -> int:
    """Return the step that begins at `time`, made if need be."""
    steps = profile.steps[0]
    at = int(np.searchsorted(profile.time[:steps], time))
    if at == steps or profile.time[at] != time:
        for i in range(steps, at, -1):
            profile.time[i] = profile.time[i - 1]
            profile.free[i] = profile.free[i - 1]
        profile.time[at] = time
        profile.free[at] = profile.free[at - 1]
        profile.steps[0] = steps + 1
    return at


@njit(cache=True)
def occupy(profile: Profile, start: float, duration: float, size: int) -> None:
    """Take `size` processors out of the profile; a negative `size` gives them back."""
    if duration <= 0.0:
        return
    first = _step_at(profile, start)
    last = _step_at(profile, start + duration)
    for i in range(first, last):
        profile.free[i] -= size
