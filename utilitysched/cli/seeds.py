"""Seeds by purpose."""

from typing import NamedTuple


class Seeds(NamedTuple):
    """One seed per purpose; each library call makes its own stream of its seed.

    Attributes
    ----------
    utilities : int
        Draws utility functions.
    scheduler : int
        Drives schedulers that search.
    transformations : int
        Shuffles and resamples jobs.
    """

    utilities: int
    scheduler: int
    transformations: int

    @classmethod
    def of(cls, seed: int, utilities: int | None = None, scheduler: int | None = None) -> "Seeds":
        """Return `seed` for every purpose that has none of its own."""
        return cls(
            seed if utilities is None else utilities,
            seed if scheduler is None else scheduler,
            seed,
        )
