"""The event loop of a machine whose jobs may share nodes, and slow or speed one another.

A node has two parts or more. A compact job has all parts of its nodes, others have one of each of
theirs. A job's speed is the least beside any of its neighbours; whenever neighbours change, so does
the time at which it will end. All times are whole ticks, so that their sums are exact, and ends
that are at most `TOGETHER` apart are one instant: who ends first is no matter of rounding.
"""

__all__: list[str] = []
