"""Growth of time and memory with the number of jobs at constant load, and one long queue."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks.logs import loop
from benchmarks.row import Row
from benchmarks.timing import peak_bytes, race, timed
from swfx import Header, Workload
from swfx.families.generators import UtilitySpec, attach_utilities
from utilitysched import QueueState, make_scheduler, simulate
from utilitysched.model.arrivals import Arrivals

PROCESSORS = 256
LOAD = 0.7
SIZES = (10**4, 10**5, 10**6, 10**7)
MOST_SIZE = SIZES[-1]
QUEUED = 20_000
SEARCHES = ((1000, 50.0), (QUEUED, 1000.0))
"""Jobs queued, and how long `ga` may take to decide (ms)."""


def measure() -> Iterator[Row]:
    """Replay EASY on ever more jobs of one model, and decide on a queue of many."""
    yield _decision()
    yield from (_search(*row) for row in SEARCHES)
    seconds = []
    for jobs in SIZES:
        workload = poisson(jobs)
        raced = race({"loop": loop(workload, "easy")})
        start = raced.results["loop"]
        end = start + workload.run
        assert (start >= workload.submit).all()
        used = float((workload.run * workload.size).sum()) / (end.max() * PROCESSORS)
        assert 0.9 * LOAD < used < 1.1 * LOAD
        seconds.append(raced.median("loop"))
    slope = float(np.polyfit(np.log(SIZES), np.log(seconds), 1)[0])
    note = ", ".join(f"{spent:.2g} s" for spent in seconds)
    yield Row("growth 10^4..10^7 jobs, log-log slope", slope, "", 1.08, note=note)
    spent, schedule = timed(lambda: simulate(workload, "easy"))
    assert np.array_equal(schedule.start, start)
    note = f"the loop alone {seconds[-1]:.2f} s"
    yield Row("replay of 10^7 jobs, simulate()", spent, "s", 6.0, note=note)
    beside = peak_bytes(lambda: simulate(workload, "easy")) / MOST_SIZE
    columns = sum(value.nbytes for value in vars(workload).values() if hasattr(value, "nbytes"))
    own = columns / MOST_SIZE
    note = f"{own:.0f} of them the workload's own columns"
    yield Row("memory at the peak, a job", beside + own, "bytes", 400, note=note)


def _decision() -> Row:
    """Return how long `first-reward` takes over a long queue on an empty machine."""
    state = _state(QUEUED)
    schedulers = {text: make_scheduler(text) for text in ("first-reward", "value-density")}
    raced = race({text: partial(each.decide, state) for text, each in schedulers.items()})
    started = raced.results["first-reward"].starts
    assert 0 < state.known.size[started].sum() <= PROCESSORS
    note = f"value-density {raced.median('value-density') * 1e3:.1f} ms"
    spent = raced.median("first-reward") * 1e3
    return Row(f"first-reward, a queue of {QUEUED:,}", spent, "ms", 20, note=note)


def _search(queued: int, target: float) -> Row:
    """Return how long `ga` takes over a long queue on an empty machine."""
    state = _state(queued)
    raced = race({"ga": lambda: make_scheduler("ga").decide(state)})
    assert 0 < state.known.size[raced.results["ga"].starts].sum() <= PROCESSORS
    return Row(f"ga, a queue of {queued:,}", raced.median("ga") * 1e3, "ms", target)


def _state(queued: int) -> QueueState:
    jobs = attach_utilities(poisson(queued), UtilitySpec(), seed=0, waits=np.zeros(queued))
    known = Arrivals.of(jobs).known
    nobody, last = np.empty(0, dtype=np.int64), float(known.submit[-1])
    return QueueState(
        last, PROCESSORS, np.arange(queued), nobody, np.empty(0), nobody, np.empty(0), known
    )


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
