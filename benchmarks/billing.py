"""A month's billing run and a bill of the whole year, of a made-up centre's sacct listing."""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.row import Row
from benchmarks.timing import Finished, program
from utilitysched_centre.accounts import Terms, create

JOBS = 1_000_000
USERS = 2_000
ACCOUNTS = 300
MONTH = "2025-03"
MOST_SECONDS = 120
NAMES = (
    "JobID|JobIDRaw|User|Account|Partition|QOS|JobName|Submit|Start|End|Elapsed|State|AllocCPUS"
    "|ReqCPUS|NNodes|TimelimitRaw|AllocTRES"
)
STATES = ("COMPLETED", "FAILED", "TIMEOUT", "CANCELLED by 1000", "NODE_FAIL")
SHARES = (0.85, 0.08, 0.04, 0.025, 0.005)
"""Of these states among the jobs."""

CONFIG = """log = "slurm:sacct.txt"
processors = 100000
mechanism = "single-price:rate=0.5"
ledger = "books.db"
"""


def measure(jobs: int = JOBS, users: int = USERS) -> Iterator[Row]:
    """Bill a month out of the listing of a year, and the year; `jobs` and `users` of it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_listing(folder / "sacct.txt", jobs, users)
        (folder / "billing.toml").write_text(CONFIG, "utf-8")
        create(folder / "books.db", Terms(payer="project", credit_limit=None))
        month = ["billing-run", str(folder / "billing.toml"), "--month", MONTH, "--quiet"]
        year = ["bill", f"slurm:{folder / 'sacct.txt'}", "--mechanism", "single-price:rate=0.5"]
        year += ["--procs", "100000", "--by", "account", "--out", str(folder / "year"), "--quiet"]
        for what, command in (("billing run of a month", month), ("bill of the year", year)):
            took = program([sys.executable, "-m", "utilitysched", *command])
            title = f"{what}, out of {jobs:,} jobs of {users:,} users"
            yield Row(title, took.cpu, "CPU s", MOST_SECONDS, note=_said(took))


def write_listing(path: Path, jobs: int, users: int) -> None:
    """Write what sacct might print of a year: few users have most jobs, one job in ten a GPU."""
    random = np.random.default_rng(1)
    begin = np.datetime64("2025-01-01T00:00:00")
    account = random.integers(0, ACCOUNTS, users)
    user = np.minimum(random.zipf(1.3, jobs) - 1, users - 1)
    submit = begin + np.sort(random.integers(0, 365 * 86_400, jobs))
    start = submit + random.exponential(3600, jobs).astype(int)
    run = np.minimum(random.lognormal(7, 2, jobs).astype(int) + 1, 2 * 86_400)
    cpus, state = 2 ** random.integers(0, 8, jobs), random.choice(STATES, jobs, p=SHARES)
    columns = (user, submit, start, start + run, run, state, cpus)
    with path.open("w", encoding="utf-8") as file:
        file.write(f"{NAMES}\n")
        for job, (who, *times, took, how, size) in enumerate(zip(*columns, strict=True), 1):
            minutes, seconds = divmod(int(took), 60)
            hours, minutes = divmod(minutes, 60)
            days, hours = divmod(hours, 24)
            elapsed = f"{f'{days}-' if days else ''}{hours:02}:{minutes:02}:{seconds:02}"
            nodes, gpu = max(1, size // 64), ",gres/gpu=1,gres/gpu:a100=1" if job % 10 == 0 else ""
            dates = "|".join(map(str, times))
            file.write(
                f"{job}|{job}|user{who:06}|acct{account[who]:03}|{'main' if job % 3 else 'gpu'}"
                f"|normal|job{job % 5000}|{dates}|{elapsed}|{how}|{size}|{size}|{nodes}"
                f"|{min(2880, took // 30 + 10)}"
                f"|billing={size},cpu={size},mem={2 * size}G,node={nodes}{gpu}\n"
            )


def _said(took: Finished) -> str:
    return f"{took.clock:.0f} s on the clock, {took.peak / 2**30:.2f} GiB at the peak"
