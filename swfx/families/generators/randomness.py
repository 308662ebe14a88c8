"""Random streams: one per purpose, all from one seed."""

from __future__ import annotations

import numpy as np


def stream(seed: int, purpose: str) -> np.random.Generator:
    """Make the generator of one purpose, independent of all others of the seed.

    The purpose is the spawn key of the seed sequence. Numbering streams instead would give two
    modules, each counting from 0, the same draws whenever a user gives both the same seed.

    Parameters
    ----------
    seed : int
        At least 0.
    purpose : str
        What the draws are for, such as `lublin batch sizes`.

    Returns
    -------
    numpy.random.Generator
        PCG64, named so that a later default of numpy does not change what old seeds mean.

    Examples
    --------
    >>> stream(1, "coins").random() == stream(1, "dice").random()
    False
    """
    sequence = np.random.SeedSequence(seed, spawn_key=tuple(purpose.encode()))
    return np.random.Generator(np.random.PCG64(sequence))
