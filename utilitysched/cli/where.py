"""Where the cells of an experiment are run, as options say."""

from collections.abc import Sequence
from functools import partial

from swfx import InputError
from utilitysched.cli.say import COMPILING, Say
from utilitysched.experiments.runner import Runner


def runner_for(
    processes: int | None,
    dask: str | None,
    jobqueue: str | None,
    jobqueue_options: Sequence[str],
    say: Say,
) -> Runner:
    """Return what runs cells: processes of this machine unless a cluster is named.

    Raises
    ------
    InputError
        Options that exclude each other, or what is named cannot be had.
    """
    places = {"--processes": processes, "--dask": dask, "--jobqueue": jobqueue}
    given = [name for name, value in places.items() if value is not None]
    if len(given) > 1:
        raise InputError(f"{given[0]} and {given[1]} exclude each other")
    if jobqueue_options and jobqueue is None:
        raise InputError("--jobqueue-option needs --jobqueue")
    if dask is not None:
        from utilitysched.experiments.cluster import dask_runner

        return dask_runner(dask, say)
    if jobqueue is not None:
        from utilitysched.experiments.jobqueue import jobqueue_runner

        return jobqueue_runner(jobqueue, jobqueue_options, say)
    from utilitysched.experiments.local import local_runner, processors

    return local_runner(processes or processors(), partial(say, COMPILING))
