"""Compiled random stream: splitmix64 (Steele, Lea, Flood 2014), keyed so that it can be replayed.

The generator is a counter and a mixing function, so a stream is one number, the same on every
machine, and a value can be drawn for a key (a job, an instant) without drawing the ones before it.
"""

import numpy as np
from numpy.typing import NDArray

from utilitysched.kernels.compiling import leaf, leaf_kernel

Words = NDArray[np.uint64]

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_TO_UNIT = 2.0**-53


@leaf
def mix(word: np.uint64) -> np.uint64:
    """Return splitmix64's mixing function of a 64-bit word."""
    word = (word ^ (word >> np.uint64(30))) * _FIRST
    word = (word ^ (word >> np.uint64(27))) * _SECOND
    return word ^ (word >> np.uint64(31))


@leaf_kernel
def combine(word: np.uint64, key: np.uint64) -> np.uint64:
    """Return a word that depends on `word` and on `key`, for chains of keys."""
    return mix((word ^ key) + _GAMMA)


@leaf_kernel
def uniform(stream: Words) -> float:
    """Return the next number of `stream`, uniform in [0, 1), and advance the stream in place."""
    stream[0] += _GAMMA
    return (mix(stream[0]) >> np.uint64(11)) * _TO_UNIT


@leaf_kernel
def below(draw: float, count: int) -> int:
    """Return the whole number in [0, count) that a uniform `draw` stands for: floor(draw count)."""
    return int(draw * count)


@leaf_kernel
def decision_stream(seed: int, instant: float, stream: Words) -> None:
    """Set `stream` to the start of the stream of the decision at `instant` (s)."""
    bits = np.float64(instant).view(np.uint64)
    stream[0] = combine(mix(np.uint64(seed) + _GAMMA), bits)
