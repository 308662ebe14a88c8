"""Outcome of an event loop: times of every job."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from checkpoint.failures import Outages
from utilitysched.model.segments import Segments
from utilitysched.model.state import Floats


@dataclass(frozen=True)
class SimulationOutcome:
    """Starts and ends in arrival order; see `utilitysched.Schedule` for the columns.

    `release` is None where every job was submitted when the log says, `segments` where each ran in
    one piece. They name jobs by position in the workload. `outages` are those that began before
    the last job ended, None where nothing fails. `deciding` is the wall-clock time of each decision
    (s), None where the compiled loop decided.
    """

    start: Floats
    end: Floats
    backfilled: NDArray[np.bool_]
    passes: int
    release: Floats | None = None
    segments: Segments | None = None
    outages: Outages | None = None
    deciding: Floats | None = None
