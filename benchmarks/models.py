"""A cheap model of a workload at constant load, for sizes that no log has."""

import numpy as np

from swfx import Header, Workload

PROCESSORS = 256
LOAD = 0.7


def poisson(jobs: int, seed: int = 1) -> Workload:
    """Draw jobs that arrive by a Poisson process and keep the machine busy to `LOAD`.

    Sizes are powers of two up to half the machine, run times lognormal around 20 minutes and
    requests up to five times as long; all times are whole seconds.
    """
    rng = np.random.default_rng(seed)
    size = 2 ** rng.integers(0, 8, jobs)
    run = np.ceil(rng.lognormal(7.0, 1.5, jobs))
    gaps = rng.exponential(1.0, jobs)
    span = float((size * run).sum()) / (PROCESSORS * LOAD)
    return Workload.from_columns(
        header=Header((f" MaxProcs: {PROCESSORS}",)),
        submit=np.floor(np.cumsum(gaps) * (span / gaps.sum())),
        run=run,
        processors=size,
        requested_time=np.ceil(run * rng.uniform(1.0, 5.0, jobs)),
    )
