"""A moment of a queue: what runs, what waits, and what is known of both."""

from utilitysched.runs.snapshot.document import read_snapshot, write_snapshot
from utilitysched.runs.snapshot.jobs import (
    FailureSource,
    FinishedJob,
    OutageRecord,
    PreemptionRecord,
    QueuedJob,
    RunningJob,
)
from utilitysched.runs.snapshot.snapshot import Snapshot
from utilitysched.runs.snapshot.stored import snapshot_of_run

__all__ = [
    "FailureSource",
    "FinishedJob",
    "OutageRecord",
    "PreemptionRecord",
    "QueuedJob",
    "RunningJob",
    "Snapshot",
    "read_snapshot",
    "snapshot_of_run",
    "write_snapshot",
]
