"""Bounds of what a server takes: requests in a time, and bytes of each."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from starlette.exceptions import HTTPException

LARGEST_BODY = 64 * 1024
"""Bytes; a curve of a hundred points has four thousand."""

MOST_KEYS = 10_000
"""Of whom it is remembered how much they asked for."""


@dataclass(eq=False)
class RateLimit:
    """How often something may be done by each of many.

    Attributes
    ----------
    burst : float
        So often at once.
    every : float
        Then once in so many seconds.
    clock : callable
        Seconds, from whenever.
    """

    burst: float
    every: float
    clock: Callable[[], float] = time.monotonic
    _free_at: dict[str, float] = field(default_factory=dict)

    def wait(self, key: str) -> float:
        """Return for how long somebody has to wait (s); if not at all, it counts."""
        now = self.clock()
        free = max(self._free_at.get(key, 0.0), now)
        wait = free - now - (self.burst - 1) * self.every
        if wait > 0:
            return wait
        if len(self._free_at) >= MOST_KEYS:
            self._free_at = {one: at for one, at in self._free_at.items() if at > now}
        self._free_at[key] = free + self.every
        return 0.0

    def require(self, key: str) -> None:
        """Refuse what comes too soon.

        Raises
        ------
        HTTPException
            With the time after which to try again.
        """
        wait = self.wait(key)
        if wait:
            again = {"Retry-After": str(int(wait) + 1)}
            raise HTTPException(429, "too many requests; wait a little", headers=again)
