"""Other simulators' schedules follow the rules start for start, where their EASY is an EASY.

The schedules and what to expect of each are described in shared/peer-schedules/README.md.
"""

from __future__ import annotations

import csv
import gzip
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from statistics import fmean, median

import pytest

from swfx import Workload
from tests.checked import check_starts
from tests.outside import outside
from tests.reference.certificate import broken_promises, easy_head_respected
from tests.reference.checker import BrokenRuleError
from tests.reference.jobs import Job, read_jobs
from tests.reference.lists import Scheduler
from tests.reference.protocol import PYSS
from utilitysched import Schedule, simulate
from utilitysched.model.state import Floats

PEERS = Path(__file__).parents[2] / "shared" / "peer-schedules"
PROCESSORS = 256
TEXTBOOK = Scheduler()
ANEW = Scheduler(placement="reservations", reservations=None)


@pytest.fixture(scope="module")
def peers() -> Path:
    return outside(PEERS, "peer schedules")


@cache
def workload(peers: Path, name: str) -> list[Job]:
    return read_jobs(peers / f"{name}.swf.gz")


@cache
def easy(peers: Path, name: str) -> Schedule:
    return simulated(workload(peers, name), PROCESSORS)


def simulated(jobs: list[Job], processors: int, scheduler: str = "easy") -> Schedule:
    """Return the schedule of our engine."""
    log = Workload.from_columns(
        submit=[job.submit for job in jobs],
        run=[job.run for job in jobs],
        requested_time=[job.request for job in jobs],
        processors=[job.size for job in jobs],
    )
    return simulate(log, scheduler, machine_size=processors)


def peer_times(peers: Path, name: str, column: str) -> list[float]:
    with gzip.open(peers / f"{name}.csv.gz", "rt") as lines:
        return [float(row[column]) for row in csv.DictReader(lines)]


def waits(jobs: list[Job], starts: Sequence[float] | Floats) -> list[float]:
    return [start - job.submit for job, start in zip(jobs, starts, strict=True)]


def mean_bounded_slowdown(jobs: list[Job], starts: list[float]) -> float:
    waited = zip(jobs, waits(jobs, starts), strict=True)
    return fmean(max((wait + job.run) / max(job.run, 10.0), 1.0) for job, wait in waited)


@pytest.mark.parametrize(
    ("peer", "trace", "scheduler", "first"),
    [
        ("pyss_fcfs_synth5k", "synth5k", Scheduler(placement="none"), 1000),
        ("pyss_easy_synth5k-perf", "synth5k-perf", TEXTBOOK, 1000),
        ("pyss_easy_synth5k-perf", "synth5k-perf", Scheduler(placement="reservations"), 1000),
        ("pyss_cons_synth5k-perf", "synth5k-perf", Scheduler(placement="conservative"), 1000),
        ("cqsim_cons_synth5k-perf", "synth5k-perf", Scheduler(placement="conservative"), 1000),
        ("cqsim_cons_synth5k-perf", "synth5k-perf", ANEW, 1000),
        ("pyss_easy_synth5k", "synth5k", Scheduler(conventions=PYSS), 2900),
    ],
)
def test_every_start_of_a_peer_follows_the_rules(
    peers: Path, peer: str, trace: str, scheduler: Scheduler, first: int
) -> None:
    check_first(peers, peer, trace, scheduler, first)


def test_textbook_easy_is_not_that_of_pyss(peers: Path) -> None:
    with pytest.raises(BrokenRuleError, match="job 2872: is chosen, and does not start"):
        check_first(peers, "pyss_easy_synth5k", "synth5k", TEXTBOOK, 2900)


def check_first(peers: Path, peer: str, trace: str, scheduler: Scheduler, first: int) -> None:
    """Refuse a peer's schedule that breaks a rule before job `first` comes."""
    jobs = workload(peers, trace)
    start, end = (peer_times(peers, peer, column)[:first] for column in ("start", "end"))
    check_starts(jobs[:first], PROCESSORS, start, scheduler, end, until=jobs[first].submit)


def test_textbook_easy_differs_from_pyss_on_six_jobs(peers: Path) -> None:
    jobs = workload(peers, "synth5k")

    starts = easy(peers, "synth5k").start.tolist()

    pyss = peer_times(peers, "pyss_easy_synth5k", "start")
    differing = [job.number for job in jobs if starts[job.number] != pyss[job.number]]
    assert differing == [2855, 2867, 2872, 2875, 2876, 2880]


@pytest.mark.parametrize(
    ("trace", "mean_wait", "slowdown"),
    [("synth5k", 23875.3, 320.4), ("synth5k-perf", 21532.2, 259.2)],
)
def test_textbook_easy_has_the_published_averages(
    peers: Path, trace: str, mean_wait: float, slowdown: float
) -> None:
    jobs = workload(peers, trace)

    starts = easy(peers, trace).start.tolist()

    assert round(fmean(waits(jobs, starts)), 1) == mean_wait
    assert round(mean_bounded_slowdown(jobs, starts), 1) == slowdown


@pytest.mark.parametrize(
    ("peer", "trace"),
    [("pyss_easy_synth5k", "synth5k"), ("pyss_easy_synth5k-perf", "synth5k-perf")],
)
def test_an_honest_easy_has_its_certificate(peers: Path, peer: str, trace: str) -> None:
    jobs = workload(peers, trace)
    start, end = (peer_times(peers, peer, column) for column in ("start", "end"))

    assert easy_head_respected(jobs, start, end, PROCESSORS)


def test_an_easy_that_ignores_its_reservation_is_refused_though_most_jobs_gain(
    peers: Path,
) -> None:
    jobs = workload(peers, "synth5k")
    honest = easy(peers, "synth5k")
    start, end = (peer_times(peers, "accasim_easy_synth5k", column) for column in ("start", "end"))

    broken = next(broken_promises(jobs, start, end, PROCESSORS))

    # the wide job 8 is passed for two days, while the median wait falls to nothing
    assert (jobs[broken.head].size, honest.start[7], start[7]) == (256, 11966.0, 194939.0)
    assert broken.delayed_to > broken.shadow
    assert median(waits(jobs, start)) == 0.0 < median(waits(jobs, honest.start)) == 5290.5
    assert easy_head_respected(jobs, honest.start, honest.end, PROCESSORS)
    assert not easy_head_respected(jobs, start, end, PROCESSORS)


@pytest.mark.slow
def test_backfilling_freely_is_refused_though_every_average_gains(traces: Path) -> None:
    log = traces / "KTH-SP2-1996-2.1-cln.swf.gz"
    jobs = [job for job in read_jobs(log) if job.size > 0][:6000]
    jobs = [job._replace(number=number) for number, job in enumerate(jobs)]

    honest = simulated(jobs, 100)
    free = simulated(jobs, 100, "easy:reservations=0")

    assert fmean(waits(jobs, free.start)) < fmean(waits(jobs, honest.start))
    assert max(waits(jobs, free.start)) > max(waits(jobs, honest.start))
    assert easy_head_respected(jobs, honest.start, honest.end, 100)
    assert not easy_head_respected(jobs, free.start, free.end, 100)
