"""What is known of the jobs that are there."""

from swfx.base.ragged import taken
from utilitysched.model.state import Integers, JobTable


def known_of(known: JobTable, jobs: Integers) -> JobTable:
    """Return copies of the columns of some jobs."""
    offsets, points = taken(known.offsets, jobs)
    return JobTable(
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
