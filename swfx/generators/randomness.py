"""Random streams: one per purpose, all from one seed."""

from __future__ import annotations

import numpy as np


def streams(seed: int, count: int) -> list[np.random.Generator]:
    """Independent generators; the first few do not depend on how many are made.

    Parameters
    ----------
    seed : int
        At least 0.
    count : int
        Number of purposes.

    Returns
    -------
    list of numpy.random.Generator
        PCG64, named so that a later default of numpy does not change old seeds.
    """
    children = np.random.SeedSequence(seed).spawn(count)
    return [np.random.Generator(np.random.PCG64(child)) for child in children]
