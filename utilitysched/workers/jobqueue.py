"""Executors on Dask clusters whose workers are jobs of a batch system, through dask-jobqueue."""

from __future__ import annotations

import math
import shutil
import signal
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from swfx.base.errors import InputError
from swfx.base.options import nearest
from utilitysched.workers.cluster import (
    UNSEEN,
    Cluster,
    DaskExecutor,
    Say,
    connected,
    lost,
    missing_extra,
)
from utilitysched.workers.jobqueue_options import FIELD, JOBS, read_options

if TYPE_CHECKING:
    from dask_jobqueue.core import JobQueueCluster
    from distributed import Scheduler
    from distributed.deploy.spec import ProcessInterface

SYSTEMS = {
    "htcondor": "HTCondorCluster",
    "lsf": "LSFCluster",
    "moab": "MoabCluster",
    "oar": "OARCluster",
    "pbs": "PBSCluster",
    "sge": "SGECluster",
    "slurm": "SLURMCluster",
}
"""Names of batch systems, and of what dask-jobqueue has for them."""

GRACE = 30.0
"""Seconds without workers after which a job has ended: a worker that died is started anew."""

SHORT, SHORT_LIVES = 60.0, 3
"""Life of a job (s) that is too short, and how many such lives per job are put up with."""


def jobqueue_executor(system: str, texts: Sequence[str], say: Say = lambda _: None) -> DaskExecutor:
    """Return an executor on workers that a batch system starts.

    Parameters
    ----------
    system : str
        One of `SYSTEMS`.
    texts : sequence of str
        Options, as `read_options` takes them.
    say : callable
        Takes a line for people.

    Raises
    ------
    InputError
        An option is unknown, or dask-jobqueue is not installed. What only dask-jobqueue or the
        batch system can tell is refused when the first tasks are to run.
    """
    _read(system, texts)
    return DaskExecutor(partial(batch, system, texts), say)


@contextmanager
def batch(system: str, texts: Sequence[str]) -> Iterator[Cluster]:
    """Submit jobs that are workers; jobs that end before the work does are replaced.

    Raises
    ------
    InputError
        An option is wrong, or the batch system refuses the jobs.
    """
    with submitting(system, texts) as (cluster, jobs), connected(cluster, system) as client:
        fleet = _Fleet(cluster, system, jobs)
        fleet.submit()
        yield Cluster(client, system, patience=math.inf, tend=fleet.replace_ended)


@contextmanager
def submitting(system: str, texts: Sequence[str]) -> Iterator[tuple[JobQueueCluster, int]]:
    """Start the scheduler here; submit nothing yet. Yields how many jobs are wanted, too."""
    kind, options, jobs = _read(system, texts)
    try:
        cluster = kind(**options)
    except (ValueError, TypeError, KeyError, OSError, ImportError) as error:
        raise InputError(
            f"dask-jobqueue does not accept the options for {system}: {error}", field=FIELD
        ) from error
    with cluster:
        yield cluster, jobs


class _Life(NamedTuple):
    """When a job's workers were first and last there (s, on a clock of this process)."""

    began: float
    seen: float


class _Fleet:
    """The jobs of a cluster."""

    def __init__(self, cluster: JobQueueCluster, system: str, jobs: int) -> None:
        self.cluster = cluster
        self.system = system
        self.jobs = jobs
        self.begun = _begun(cluster.scheduler)
        self.lives: dict[str, _Life] = {}
        self.short_lives_left = SHORT_LIVES * jobs

    def submit(self) -> None:
        """Submit as many jobs as are wanted and not there.

        Raises
        ------
        InputError
            The batch system refuses.
        """
        specs = self.cluster.worker_spec
        while len(specs) < self.jobs:
            specs.update(self.cluster.new_worker_spec())
        try:
            self.cluster.sync(_settle, self.cluster)
        except (RuntimeError, ValueError, OSError) as error:
            _give_up(self.cluster.workers.values())
            raise InputError(f"{self.system} does not take the job: {error}") from error

    def replace_ended(self) -> None:
        """Submit a job for each that has had workers, and has had none for `GRACE` seconds.

        Raises
        ------
        ClusterLost
            Jobs end as soon as they have begun, again and again.
        """
        now = time.monotonic()
        workers = {str(known["name"]) for known in self.cluster.scheduler_info["workers"].values()}
        for name, spec in list(self.cluster.worker_spec.items()):
            group = {f"{name}{suffix}" for suffix in spec.get("group", [""])}
            if group & workers or (group & self.begun and name not in self.lives):
                self.lives[name] = _Life(self.lives.get(name, _Life(now, now)).began, now)
            elif name in self.lives and now - self.lives[name].seen > GRACE:
                self.begun -= group  # the next job may have the name of this one
                self._bury(name)
        if len(self.cluster.worker_spec) < self.jobs:
            self.cluster.sync(_settle, self.cluster)  # the new job may have the name of the old
            self.submit()

    def _bury(self, name: str) -> None:
        life = self.lives.pop(name)
        self.short_lives_left -= life.seen - life.began < SHORT
        if self.short_lives_left < 0:
            raise lost(self.system, f"loses every job within {SHORT:.0f} s; see the jobs' logs")
        del self.cluster.worker_spec[name]


def _begun(scheduler: Any) -> set[str]:
    """Return where the names of all workers will be that begin, however soon they end."""
    from distributed import SchedulerPlugin  # noqa: PLC0415  an optional dependency

    names: set[str] = set()

    class _Names(SchedulerPlugin):
        def add_worker(self, scheduler: Scheduler, worker: str) -> None:
            names.add(str(scheduler.workers[worker].name))

    scheduler.add_plugin(_Names(), name="utilitysched-names")
    return names


async def _settle(cluster: JobQueueCluster) -> None:
    await cluster


def _read(system: str, texts: Sequence[str]) -> tuple[Any, dict[str, Any], int]:
    """Return dask-jobqueue's class for a system, its options, and how many jobs are wanted."""
    kind, settings = _kind(system)
    options = read_options(texts, settings)
    jobs = _count(JOBS, options.pop(JOBS, 1))
    completed = _completed(options, settings)
    for name in ("cores", "memory"):
        if options.get(name, settings[name]) is None:
            raise InputError(
                f"{name} of a job is not given", field=FIELD, remedy="as in cores=8 and memory=16GB"
            )
    _require_command(kind.job_cls.submit_command, system)
    return kind, completed, jobs


def _give_up(jobs: Iterable[ProcessInterface]) -> None:
    """Mark jobs that never began: Dask would not end a cluster that has any."""
    from distributed.core import Status  # noqa: PLC0415  an optional dependency

    for job in jobs:
        if job.status == Status.created:
            job.status = Status.failed


def _kind(system: str) -> tuple[Any, Mapping[str, Any]]:
    if system not in SYSTEMS:
        raise InputError(
            f"there is no batch system {system!r}",
            field="--jobqueue",
            remedy=nearest(system, SYSTEMS),
        )
    interrupted = signal.getsignal(signal.SIGINT)
    try:
        import dask  # noqa: PLC0415  optional dependencies
        import dask_jobqueue  # noqa: PLC0415
    except ImportError as error:
        raise missing_extra("submitting workers as jobs", error) from error
    finally:
        # dask_jobqueue makes Ctrl-C a quiet end with exit code 0, for all that runs afterwards
        signal.signal(signal.SIGINT, interrupted)
    return getattr(dask_jobqueue, SYSTEMS[system]), dask.config.get(f"jobqueue.{system}")


def _completed(options: dict[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return options with ours: one thread per process, and no web page unless it is asked for."""
    cores = options.get("cores", settings["cores"])
    processes = options.get("processes", settings["processes"])
    if cores is not None and processes is None:
        options["processes"] = _count("cores", cores)
    web = UNSEEN | settings["scheduler-options"] | options.get("scheduler_options", {})
    return options | {"scheduler_options": web, "silence_logs": "critical"}


def _count(name: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise InputError(f"{name} is not a whole number from 1: {value!r}", field=FIELD)
    return value


def _require_command(command: str, system: str) -> None:
    if shutil.which(command) is None:
        raise InputError(
            f"there is no {command} here to submit jobs to {system} with",
            field="--jobqueue",
            remedy="run this where jobs are submitted",
        )
