"""What every sample comes to, and the pass in which the job starts."""

from collections.abc import Callable

import numpy as np

from utilitysched.market.quote.scene import Scene
from utilitysched.model.state import Floats, QueueState

Play = Callable[[int, Floats], tuple[Floats, Floats]]
"""Plays the sample of a number with these run times; returns all starts and ends (s)."""


def played(runs: Floats, play: Play) -> tuple[Floats, Floats]:
    """Return starts and ends in each sample."""
    start, end = np.empty_like(runs), np.empty_like(runs)
    for sample, run in enumerate(runs):
        start[sample], end[sample] = play(sample, run)
    return start, end


def start_of(scene: Scene, start: Floats, end: Floats) -> tuple[QueueState, bool]:
    """Return the state in which the job starts, and whether everybody starts in it."""
    state = scene.state_at(start, end, float(start[scene.job]))
    return state, bool((start[state.queued] == state.now).all())
