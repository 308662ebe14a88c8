"""Jobs that displace others, worked out by hand."""

from __future__ import annotations

from swfx import UtilityFunction, UtilityTable, Workload

CHEAP = 21
"""Jobs that ended before, so that a processor-second is known to be worth next to nothing.

Any one of them can be left out: 20 are enough.
"""

VICTIM, URGENT = CHEAP, CHEAP + 1
MACHINE = 4
TEXT = "value-and-delay:restarts=true"


def displacing(run: float = 1000.0) -> Workload:
    """One of two jobs that need all processors displaces the other after 50 s.

    The victim loses 1 SU in 20 s; it runs again, 100 s later, from scratch, 150 s later in all.
    """
    cheap = [UtilityFunction([0, 10], [1e-6, 0])] * CHEAP
    slow, urgent = UtilityFunction([0, 4000], [200, 0]), UtilityFunction([0, 300], [900, 0])
    return Workload.from_columns(
        submit=[*range(-400, -400 + 2 * CHEAP, 2), 0, 50],
        run=[*[1] * CHEAP, run, 100],
        requested_time=[*[1] * CHEAP, 1000, 100],
        processors=[*[1] * CHEAP, MACHINE, MACHINE],
        user=[*range(CHEAP), 50, 51],
        rerunnable=[*[0] * CHEAP, 1, 0],
        utility=UtilityTable.from_functions([*cheap, slow, urgent]),
    )


def giving_way() -> Workload:
    """The last job starts in the hole before the wide one, and gives way to it 8 s later.

    It then waits 50 s more and begins anew: it ends at 100 s in place of 42 s. It loses 0.1 SU/s.
    """
    idle, soft = UtilityFunction([0, 1], [0, 0]), UtilityFunction([0, 1000], [100, 0])
    return Workload.from_columns(
        submit=[*range(-300, -200, 10), 0, 1, 2],
        run=[*[1] * 10, 10, 50, 40],
        requested_time=[*[40] * 10, 10, 50, 40],
        processors=[*[1] * 10, 3, 4, 1],
        rerunnable=[*[0] * 12, 1],
        utility=UtilityTable.from_functions([*[idle] * 12, soft]),
    )
