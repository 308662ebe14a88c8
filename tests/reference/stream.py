"""splitmix64 (Steele, Lea, Flood 2014), the random stream of the operators."""

from __future__ import annotations

MASK = 2**64 - 1


class Stream:
    """Random numbers from a 64-bit state; the same seed gives the same numbers everywhere."""

    def __init__(self, seed: int) -> None:
        self.state = seed & MASK

    def next(self) -> int:
        """Return the next 64-bit number."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def uniform(self) -> float:
        """Return the next number in [0, 1), a multiple of 2**-53."""
        return (self.next() >> 11) * 2.0**-53

    def below(self, n: int) -> int:
        """Return the next whole number in 0..n-1."""
        return int(self.uniform() * n)
