"""Workers that a batch system starts: what is submitted, what is refused, and a whole run."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from swfx import InputError
from tests.utilitysched.experiments.small import small
from utilitysched.experiments.cell import run_cell
from utilitysched.experiments.grid import cells
from utilitysched.experiments.work import CELLS
from utilitysched.workers import cluster, jobqueue
from utilitysched.workers.cluster import ClusterLost
from utilitysched.workers.installation import installation
from utilitysched.workers.jobqueue import SYSTEMS, jobqueue_executor, submitting

NOT_ACCEPTED = "field --jobqueue-option: dask-jobqueue does not accept the options for slurm:"
ROOT = Path(__file__).parents[3]
LOOPBACK = ("interface=lo",)
NODE = ("cores=2", "memory=1GB", *LOOPBACK)
SBATCH = """\
#!/bin/sh
cd "$(dirname "$0")/../jobs"
number=$(( $(ls | grep -c sh$) + 1 ))
cp "$1" $number.sh
setsid sh $number.sh >$number.log 2>&1 &
echo $! >$number.pid
echo "Submitted batch job $number"
"""
SCANCEL = """\
#!/bin/sh
kill -9 -- -$(cat "$(dirname "$0")/../jobs/$1.pid")
"""


pytestmark = pytest.mark.filterwarnings(
    "ignore:unclosed cluster with a broken __repr__:ResourceWarning"
)


class Batch:
    """A batch system of one machine: jobs begin at once; `sbatch` and `scancel` are on PATH."""

    def __init__(self, folder: Path) -> None:
        self.commands, self.jobs = folder / "bin", folder / "jobs"
        for made in (self.commands, self.jobs):
            made.mkdir()

    def has(self, command: str, text: str) -> None:
        (self.commands / command).write_text(text, "utf-8")
        (self.commands / command).chmod(0o755)

    def submitted(self) -> list[str]:
        return [script.read_text("utf-8") for script in sorted(self.jobs.glob("*.sh"))]

    def end_latest(self) -> None:
        """End the job submitted last, if it has a worker that the scheduler knows."""
        number = len(self.submitted())
        if "Registered to" in (self.jobs / f"{number}.log").read_text("utf-8"):
            self.end(number)

    def end(self, number: int) -> bool:
        """End a job, if it still runs, as its time limit does."""
        try:
            os.killpg(int((self.jobs / f"{number}.pid").read_text("ascii")), signal.SIGKILL)
        except ProcessLookupError:
            return False
        return True


@pytest.fixture
def batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Batch]:
    installation.cache_clear()
    made = Batch(tmp_path)
    monkeypatch.setenv("PATH", f"{made.commands}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    yield made
    for number in range(1, len(made.submitted()) + 1):
        made.end(number)


def refusal_of(system: str, *options: str) -> str:
    try:
        with submitting(system, options):
            pytest.fail("not refused")
    except InputError as error:
        said = str(error)
    gc.collect()  # dask-jobqueue's half-made cluster warns here, not in a later test
    return said


def test_a_slurm_job_is_what_the_options_say(batch: Batch) -> None:
    batch.has("sbatch", SBATCH)
    options = ("queue=short", "account=007", "walltime=01:30:00", "jobs=3")
    more = ("job_extra_directives=--exclusive", "job-extra-directives=--constraint=ib")

    with submitting("slurm", (*NODE, *options, *more)) as (made, jobs):
        script = made.job_script()

    assert jobs == 3
    assert [line for line in script.splitlines() if line.startswith("#")] == [
        "#!/usr/bin/env bash",
        "#SBATCH -J dask-worker",
        "#SBATCH -p short",
        "#SBATCH -A 007",
        "#SBATCH -n 1",
        "#SBATCH --cpus-per-task=2",
        "#SBATCH --mem=954M",
        "#SBATCH -t 01:30:00",
        "#SBATCH --exclusive",
        "#SBATCH --constraint=ib",
    ]
    assert f"\n{sys.executable} -m distributed.cli.dask_worker tcp://127.0.0.1:" in script
    # a process per core: threads of one process would run one cell at a time
    assert " --nthreads 1 --memory-limit 476.84MiB --nworkers 2 --nanny " in script


@pytest.mark.parametrize(
    ("system", "command", "options", "directive"),
    [
        ("pbs", "qsub", ("queue=short",), "#PBS -q short"),
        ("sge", "qsub", ("queue=short",), "#$ -q short"),
        ("lsf", "bsub", ("queue=short",), "#BSUB -q short"),
        ("oar", "oarsub", ("queue=short",), "#OAR -q short"),
        ("moab", "msub", ("queue=short",), "#PBS -q short"),
        (
            "htcondor",
            "condor_submit",
            ("disk=1GB", "job_extra_directives.Rank=Memory"),
            "Rank = Memory",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore:.*OAR.*:UserWarning")  # asks for a property of its own
def test_every_batch_system_takes_its_options(
    batch: Batch, system: str, command: str, options: tuple[str, ...], directive: str
) -> None:
    batch.has(command, SBATCH)

    with submitting(system, (*NODE, *options)) as (made, jobs):
        assert jobs == 1
        assert directive in made.job_script().splitlines()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("cores",), "field --jobqueue-option: 'cores' is not key=value"),
        (("core=8",), "field --jobqueue-option: there is no option 'core'; did you mean 'cores'?"),
        (("cores=8", "cores=9"), "field --jobqueue-option: cores is given twice"),
        (("cores=many",), "field --jobqueue-option: cores is not a whole number from 1: 'many'"),
        (("cores=0",), "field --jobqueue-option: cores is not a whole number from 1: 0"),
        (("jobs=0", *NODE), "field --jobqueue-option: jobs is not a whole number from 1: 0"),
        (("queue.a=b",), "field --jobqueue-option: 'queue.a=b' should be queue=VALUE"),
        (
            ("scheduler_options=x",),
            "field --jobqueue-option: 'scheduler_options=x' should be scheduler_options.NAME=VALUE",
        ),
        (("env_extra=x",), "field --jobqueue-option: there is no option 'env_extra'; "),
        (
            ("cores=2",),
            "field --jobqueue-option: memory of a job is not given; as in cores=8 and memory=16GB",
        ),
        (
            ("cores=2", "memory=lots"),
            NOT_ACCEPTED,
        ),
    ],
)
def test_a_wrong_option_is_told_in_one_line(
    batch: Batch, options: tuple[str, ...], said: str
) -> None:
    batch.has("sbatch", SBATCH)

    refusal = refusal_of("slurm", *options)

    assert refusal.startswith(said)
    assert "\n" not in refusal
    assert batch.submitted() == []


def test_an_unknown_batch_system_is_told_with_those_known() -> None:
    with pytest.raises(InputError) as refusal:
        jobqueue_executor("slrum", ())

    assert str(refusal.value) == (
        "field --jobqueue: there is no batch system 'slrum'; did you mean 'slurm'? "
        f"known: {', '.join(SYSTEMS)}"
    )


def test_a_batch_system_that_is_not_here_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")

    assert refusal_of("slurm", "cores=many").startswith("field --jobqueue-option: cores is not")
    assert refusal_of("slurm", "cores=2").startswith("field --jobqueue-option: memory of a job")
    assert refusal_of("slurm", *NODE) == (
        "field --jobqueue: there is no sbatch here to submit jobs to slurm with; "
        "run this where jobs are submitted"
    )


def test_without_dask_jobqueue_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dask_jobqueue", None)

    with pytest.raises(InputError) as refusal:
        jobqueue_executor("slurm", NODE)

    assert str(refusal.value) == (
        "submitting workers as jobs needs a package that is not installed: dask_jobqueue; "
        "pip install utilitysched[cluster]"
    )


def test_loading_dask_jobqueue_leaves_ctrl_c_alone() -> None:
    script = """
import signal
from utilitysched.workers.jobqueue import jobqueue_executor
try:
    jobqueue_executor("slurm", ["cores=1", "memory=1GB", "jobs=1"])
finally:
    print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )

    assert done.stdout == "True\n"


def test_a_job_that_is_refused_ends_the_run(batch: Batch, tmp_path: Path) -> None:
    batch.has("sbatch", "#!/bin/sh\necho 'invalid partition' >&2\nexit 1\n")
    executor = jobqueue_executor("slurm", (*NODE, "queue=none"))

    with pytest.raises(InputError) as refusal:
        list(executor.run(CELLS, cells(small(tmp_path)[1])))

    assert str(refusal.value).startswith(
        "slurm does not take the job: Command exited with non-zero exit code."
    )
    assert "invalid partition" in str(refusal.value)


@pytest.mark.slow
def test_jobs_that_end_are_replaced_and_nothing_is_lost(
    batch: Batch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch.has("sbatch", SBATCH)
    batch.has("scancel", SCANCEL)
    monkeypatch.setattr(cluster, "LOOK", 0.2)
    monkeypatch.setattr(jobqueue, "GRACE", 3.0)  # a worker that is there is known by then
    grid = cells(small(tmp_path)[1])
    expected = [(cell, run_cell(cell)) for cell in grid]
    told: list[str] = []
    running = jobqueue_executor("slurm", ("cores=1", "memory=1GB", *LOOPBACK), told.append).run(
        CELLS, grid
    )

    found = [next(running)]
    assert batch.end(1)
    found.extend(running)

    assert sorted(found, key=lambda pair: grid.index(pair[0])) == expected
    assert len(batch.submitted()) == 2
    assert told == 2 * ["slurm has no workers: waiting for them"]
    until = time.monotonic() + 300
    while batch.end(2) and time.monotonic() < until:
        time.sleep(0.05)
    assert not batch.end(2), "jobs end with the run"


@pytest.mark.slow
def test_jobs_that_always_end_at_once_are_not_submitted_for_ever(
    batch: Batch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch.has("sbatch", SBATCH)
    batch.has("scancel", SCANCEL)
    monkeypatch.setattr(cluster, "LOOK", 0.2)
    monkeypatch.setattr(jobqueue, "GRACE", 0.0)
    monkeypatch.setattr(jobqueue, "SHORT", 3600.0)
    monkeypatch.setattr(jobqueue, "SHORT_LIVES", 1)
    options = ("cores=1", "memory=1GB", *LOOPBACK)
    forever = (cell for _ in range(10_000) for cell in cells(small(tmp_path)[1]))

    results = jobqueue_executor("slurm", options).run(CELLS, forever)
    with pytest.raises(ClusterLost) as refusal:
        [batch.end_latest() for _ in results]

    assert str(refusal.value).startswith(
        "the Dask cluster slurm loses every job within 3600 s; see the jobs' logs; what has"
    )
    assert len(batch.submitted()) == 2
