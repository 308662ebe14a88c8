"""What is known of the jobs that are there."""

from swfx.ragged import taken
from utilitysched.state import Integers, Known


def known_of(known: Known, jobs: Integers) -> Known:
    """Return copies of the columns of some jobs."""
    offsets, points = taken(known.offsets, jobs)
    return Known(
        known.machine_size,
        known.submit[jobs],
        known.arrival[jobs],
        known.size[jobs],
        known.request[jobs],
        known.priority[jobs],
        known.user[jobs],
        offsets,
        known.times[points],
        known.values[points],
    )
