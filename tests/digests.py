"""Digests of what the program writes at fixed seeds, kept in `digests.json`.

`python -m tests.digests` computes all of them and names those that differ; with ``--write`` it
keeps them. A change of the program that is meant to change results says so in CHANGELOG.md.
"""

from __future__ import annotations

import contextlib
import csv
import hashlib
import io
import json
import os
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import TRACES
from utilitysched.cli.entry import run

KEPT = Path(__file__).with_name("digests.json")

LOGS = {
    "sample": ("sample:", "0:400"),
    "sp2": (f"{TRACES}/SDSC-SP2-1998-4.2-cln.swf.gz", "30000:30800"),
    "kth": (f"{TRACES}/KTH-SP2-1996-2.1-cln.swf.gz", "10000:10800"),
    "blue": (f"{TRACES}/SDSC-BLUE-2000-4.2-cln.swf.gz", "5000:5800"),
}
"""Workload and slice by name; all but the packaged one need the logs of the archive."""

RULES = shlex.split(
    """easy fcfs conservative saf spf index value value-density value-and-delay first-reward
    cost-of-delay apparent-tardiness-cost projected-value-remaining mixed nonlinear f1 wfp3 unicef
    priority-fifo lexp easy:placement=reservations value:restarts=true value:holes=true
    easy:window=5 fcfs:placement=none index:placement=conservative"""
)
SEARCHES = shlex.split(
    "ga climb ga:preset=plain ga:preset=lee,generations=5 select offline recorded"
)
PREEMPTING = ["priority-preempt", "ga:preset=checkpoints"]
MECHANISMS = [
    "single-price",
    "multi-queue",
    "first-price",
    "second-price",
    "vcg",
    "vcg:method=replay,horizon=24h",
]
MODELS = {
    "lublin": "lublin jobs=300 machine_size=128 seed=3",
    "lublin-users": "lublin jobs=300 machine_size=128 --seed 4 --users zipf --estimates tsafrir "
    "--priorities by-request --utilities factor=3 --checkpoints all",
    "lublin-uniform": "lublin jobs=200 machine_size=64 --seed 5 --estimates uniform:f=4 "
    "--priorities random --utilities diurnal:at=09:00,zone=Europe/Paris,start=0 "
    "--checkpoints survey:jobs=0.1,node_hours=0.6",
    "applications": "applications jobs=100 machine_size=8400 seed=2",
}
EXPERIMENT = """
name = "digest"
[[workload]]
source = "sample:"
jobs = "0:200"
[utilities]
seeds = [1, 2]
[schedulers]
names = ["easy", "index", "saf"]
baseline = "easy"
[report]
metrics = ["aggregate_utility", "wait_p50"]
compare = ["aggregate_utility"]
"""


@dataclass(frozen=True)
class Case:
    """One digest: how it is made in an empty folder, and the name it is kept by."""

    name: str
    make: Callable[[Path], bytes]

    def digest(self) -> str:
        """Return the first 16 digits of the sha256 of what is made."""
        with tempfile.TemporaryDirectory() as folder:
            made = self.make(Path(folder)).replace(folder.encode(), b"")
            return hashlib.sha256(made).hexdigest()[:16]


def cases(log: str) -> Iterator[Case]:
    """Yield the digests of one of `LOGS`; those of no log are the sample's."""
    source = (LOGS[log][0], "--jobs", LOGS[log][1])
    for scheduler in [*(RULES if log == "sample" else RULES[:8]), *SEARCHES]:
        yield Case(f"{log} run {scheduler}", _simulated(*source, "-s", scheduler))
    for scheduler in PREEMPTING:
        options = ("--checkpoints", "all", "--priorities", "by-request")
        yield Case(f"{log} run {scheduler}", _preempted(source, scheduler, *options))
    for mechanism in MECHANISMS:
        yield Case(f"{log} bill {mechanism}", _billed(source, mechanism))
    for mechanism in MECHANISMS[:3]:
        yield Case(f"{log} explain {mechanism}", _explained(source, mechanism))
    for scheduler in ("easy", "conservative", "ga"):
        yield Case(f"{log} quote {scheduler}", _quoted(source, scheduler))
    for mechanism in ("first-price", "vcg"):
        yield Case(f"{log} audit {mechanism}", _audited(source, mechanism))
    if log == "sample":
        for name, options in MODELS.items():
            yield Case(f"generate {name}", _written("generate", *shlex.split(options)))
        for spec in ("factor=3,step=1", "diurnal:at=09:00,zone=Europe/Paris,start=0"):
            yield Case(
                f"augment {spec}",
                _written("augment", "model:lublin,jobs=200", "--utilities", spec, "--seed", 2),
            )
        yield Case("learn index", _learned("index", "--cell-jobs", 200, "--batch", 2))
        yield Case("learn nonlinear", _learned("nonlinear", "--tuples", 2, "--trials", 64))
        yield Case("experiment", _experiment)
        yield Case("coscheduled", _coscheduled)


def _simulated(*options: object) -> Callable[[Path], bytes]:
    def make(folder: Path) -> bytes:
        return (_run_folder(folder, *options) / "jobs.csv").read_bytes()

    return make


def _run_folder(folder: Path, *options: object) -> Path:
    _program("simulate", *options, "--out", folder / "runs")
    return next(path for path in (folder / "runs").iterdir() if path.is_dir())


def _preempted(
    source: tuple[object, ...], scheduler: str, *options: object
) -> Callable[[Path], bytes]:
    """Return a simulation of jobs that take checkpoints, in queues by their size."""

    def make(folder: Path) -> bytes:
        log = folder / "log.swfx"
        _program("convert", *source, "-o", log.with_suffix(".swf"))
        _program("augment", log.with_suffix(".swf"), "--utilities", "default", "--seed", 1,
                 *options, "-o", log)  # fmt: skip
        rules = ("--preemption", "default")
        return _simulated(log, "-s", scheduler, *rules)(folder)

    return make


def _billed(source: tuple[object, ...], mechanism: str) -> Callable[[Path], bytes]:
    def make(folder: Path) -> bytes:
        schedule = _run_folder(folder, *source, "-s", "value-density")
        _program("bill", schedule, "--mechanism", mechanism)
        return _columns(schedule / "charges.csv", "job_id", "charge", "reason")

    return make


def _explained(source: tuple[object, ...], mechanism: str) -> Callable[[Path], bytes]:
    def make(folder: Path) -> bytes:
        schedule = _run_folder(folder, *source, "-s", "value-density")
        _program("bill", schedule, "--mechanism", mechanism)
        rows = _rows(schedule / "charges.csv")
        job = max(rows, key=lambda row: float(row["charge"] or 0))["job_id"]
        return _program("explain-charge", schedule, job, "--json")

    return make


def _quoted(source: tuple[object, ...], scheduler: str) -> Callable[[Path], bytes]:
    def make(folder: Path) -> bytes:
        schedule = _run_folder(folder, *source, "-s", scheduler)
        rows = _rows(schedule / "jobs.csv")
        moment = float(rows[len(rows) // 2]["submission_time"]) + 1
        job = ("--processors", 8, "--request", "1h", "--curve", "0:9,2h:0", "--samples", 10)
        return _program("quote", schedule, "--at", moment, *job, "--json")

    return make


def _audited(source: tuple[object, ...], mechanism: str) -> Callable[[Path], bytes]:
    def make(folder: Path) -> bytes:
        lies = ("--lie", "scale:factor=2", "--lie", "delay", "--lie", "split")
        _program("audit", *source, "-s", "value-density", "-m", mechanism, "--sample", 3,
                 "--draws", 1, *lies, "-o", folder / "audit")  # fmt: skip
        return _columns(folder / "audit" / "gains.csv", "job", "mechanism", "lie", "gain_scored")

    return make


def _written(command: str, *options: object) -> Callable[[Path], bytes]:
    def make(folder: Path) -> bytes:
        _program(command, *options, "-o", folder / "written.swfx")
        return (folder / "written.swfx").read_bytes()

    return make


def _learned(what: str, *options: object) -> Callable[[Path], bytes]:
    def make(folder: Path) -> bytes:
        weights = folder / "weights.toml"
        more = ("--generations", 2) if what == "index" else ()
        _program("learn", what, "sample:", "--jobs", "0:600", *options, *more, "-o", weights)
        return weights.read_bytes()

    return make


def _experiment(folder: Path) -> bytes:
    (folder / "grid.toml").write_text(EXPERIMENT)
    printed = _program("experiment", "run", folder / "grid.toml", "--processes", 1)
    table = next((folder / "grid.store").rglob("results.csv"))
    return printed + _columns(
        table, "utility_seed", "scheduler", "wait_p50", "aggregate_utility", "utilisation"
    )


def _coscheduled(folder: Path) -> bytes:
    log = folder / "log.swfx"
    _program("generate", "applications", "jobs=150", "machine_size=8400", "seed=2", "-o", log)
    return _simulated(log, "-s", "coscheduled")(folder)


def _program(*arguments: object) -> bytes:
    """Return what a command prints on standard output."""
    printed = io.StringIO()
    errors = io.StringIO()
    words = [str(each) for each in arguments]
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(errors):
        code = run([*words, "--quiet"])
    if code:
        raise RuntimeError(f"utilitysched {' '.join(words)}: {errors.getvalue().strip()}")
    return printed.getvalue().encode()


def _columns(table: Path, *names: str) -> bytes:
    """Return some columns of a CSV, those that it has."""
    rows = _rows(table)
    wanted = [name for name in names if name in rows[0]]
    return "\n".join(",".join(row[name] for name in wanted) for row in rows).encode()


def _rows(table: Path) -> list[dict[str, str]]:
    with table.open() as lines:
        return list(csv.DictReader(lines))


def main(write: bool) -> int:
    """Compute all digests; keep them, or count those that differ."""
    kept: dict[str, str] = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    different = 0
    for log in LOGS:
        for case in cases(log):
            try:
                digest = case.digest()
            except RuntimeError as error:
                digest = f"refused: {error}"
            if kept.get(case.name) != digest:
                different += 1
                print(f"{case.name}: {kept.get(case.name)} -> {digest}", flush=True)
                kept[case.name] = digest
    if write:
        KEPT.write_text(json.dumps(kept, indent=0, sort_keys=True) + "\n")
    return different


if __name__ == "__main__":
    os.environ.setdefault("NUMBA_CACHE_DIR", ".numba_cache")
    sys.exit(min(main("--write" in sys.argv), 1))
