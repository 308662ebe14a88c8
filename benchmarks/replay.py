"""Replaying whole logs under EASY: against the readable twin, and against AccaSim."""

import gzip
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import numpy as np

import swfx
from benchmarks.logs import KTH, REPLAYED, ROOT, check_starts, log, loop, path, short
from benchmarks.row import Row
from benchmarks.timing import ROUNDS, program, race, timed
from swfx import Workload
from tests.reference.engine import simulate as readable
from tests.reference.jobs import Job
from utilitysched import simulate
from utilitysched.model.arrivals import Arrivals

ACCASIM = ROOT / ".venv-bench" / "bin" / "python"
PROTOTYPE = {"KTH-SP2": 7.3, "SDSC-SP2": 6.9, "SDSC-BLUE": 5.7, "CEA-Curie": 3.2}
"""Million jobs a second of an early prototype's loop."""
TWIN_JOBS = 20000


def measure() -> Iterator[Row]:
    """Compare each log's loop with the twin's, and KTH-SP2 with AccaSim."""
    for name in REPLAYED:
        yield from _log(name)
    yield from _accasim()


def _log(name: str) -> Iterator[Row]:
    workload = log(name)
    timed_ = race({"loop": loop(workload, "easy"), "call": lambda: simulate(workload, "easy")})
    check_starts(name, "easy", timed_.results["loop"])
    check_starts(name, "easy", timed_.results["call"].start)
    rate = len(workload) / timed_.median("loop") / 1e6
    best, median_, call = timed_.best("loop"), timed_.median("loop"), timed_.median("call")
    whole = f"{median_ * 1e3:.1f} ms, best {best * 1e3:.1f}; simulate() {call * 1e3:.1f} ms"
    target = PROTOTYPE[short(name)]
    yield Row(f"replay {short(name)}, EASY", rate, "M/s", target, "at least", whole)
    yield _twin(name, workload[:TWIN_JOBS])


def _twin(name: str, workload: Workload) -> Row:
    """Time the first jobs only: the twin's lists make it slower the longer the log is."""
    jobs, size = _jobs(workload), workload.machine_size
    assert size is not None
    raced = race({"ours": loop(workload, "easy"), "twin": lambda: readable(jobs, size)})
    order = Arrivals.of(workload).order
    assert np.array_equal(raced.results["ours"][order], raced.results["twin"].start)
    note = f"first {len(jobs):,} jobs, twin {raced.median('twin'):.2f} s"
    ratio = raced.ratio("twin", "ours")
    return Row(f"replay {short(name)}, to the twin", ratio, "x", 20, "at least", note)


def _jobs(workload: Workload) -> list[Job]:
    known = Arrivals.of(workload)
    columns = (known.known.submit, known.run, known.known.request, known.known.size)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [Job(number, *row) for number, row in enumerate(rows)]


def _accasim() -> Iterator[Row]:
    name = "replay KTH-SP2, to AccaSim"
    if not ACCASIM.is_file():
        yield Row(name, float("nan"), "x", 2000, "at least", "not installed: see make bench")
        return
    workload = log(KTH)
    ours = loop(workload, "easy")
    ours()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "kth.swf"
        plain.write_bytes(gzip.decompress(path(KTH).read_bytes()))
        command = [str(ACCASIM), str(ROOT / "benchmarks" / "accasim_easy.py"), str(plain), "100"]
        for _ in range(ROUNDS):
            theirs = json.loads(program(command).output)
            assert theirs["jobs"] == len(workload)
            whole = timed(lambda: simulate(swfx.read(plain).workload, "easy"))[0]
            rows.append((theirs["simulate"], theirs["parse"], timed(ours)[0], whole))
    net = median((simulated - parsed) / loop_ for simulated, parsed, loop_, _ in rows)
    gross = median(simulated / whole for simulated, _, _, whole in rows)
    seconds = median(simulated for simulated, *_ in rows)
    note = f"{seconds:.1f} s less its parsing; it ignores the reservation"
    yield Row(name, net, "x", 2000, "at least", note)
    yield Row(f"{name}, both with reading", gross, "x", note="swfx.read and simulate()")
