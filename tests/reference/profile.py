"""Free processors from now on, as a step function that placements read and fill."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Iterator

from tests.reference.jobs import Running


class Profile:
    """Processors still free at every instant from `now` on.

    An entry occupies the half-open interval [start, end), so a job that ends at t leaves room for
    one that starts at t, and a job with a request of zero seconds occupies nothing.
    """

    def __init__(self, now: float, processors: int, running: Iterable[Running] = ()) -> None:
        self.now = now
        self.changes: list[tuple[float, int]] = [(now, processors)]
        for job in running:
            self.occupy(now, job.release, job.size)

    def occupy(self, start: float, end: float, size: int) -> None:
        """Take `size` processors over [start, end)."""
        if end > start:
            insort(self.changes, (start, -size))
            insort(self.changes, (end, size))

    def vacate(self, start: float, end: float, size: int) -> None:
        """Undo an `occupy` with the same arguments."""
        if end > start:
            self.changes.remove((start, -size))
            self.changes.remove((end, size))

    def steps(self) -> Iterator[tuple[float, int]]:
        """Yield (time, processors free from that time until the next one)."""
        free = 0
        for position, (time, change) in enumerate(self.changes):
            free += change
            last_at_time = position + 1
            if last_at_time == len(self.changes) or self.changes[last_at_time][0] > time:
                yield time, free

    def earliest(self, size: int, seconds: float) -> float:
        """Return the first instant from which `size` processors stay free for `seconds`.

        A job of zero seconds needs them at the instant alone.
        """
        start = None
        for time, free in self.steps():
            if start is not None and time >= start + seconds:
                break
            if free < size:
                start = None
            elif start is None:
                start = time
        if start is None:
            raise ValueError(f"{size} processors are never free")
        return start
