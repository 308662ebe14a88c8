"""Accounting of a cluster as Slurm prints it: `python -m plugins.slurm.tests.private.recording`."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime, timedelta
from pathlib import Path

from plugins.slurm.tests.private.cluster import PrivateCluster
from plugins.slurm.tests.private.jobs import awkward_cluster, run_awkward_jobs
from swfx.slurm.table import EXPORT
from tests.conftest import ROOT

__all__ = ["RECORDED", "record"]

RECORDED = ROOT / "tests" / "slurm" / "recorded"
"""What `record` wrote of the awkward jobs on Slurm 22.05.8 of Debian 12."""

SACCT = f"{EXPORT.removeprefix('export with ')} -S 2024-01-01"
"""The command that the documentation tells, of all jobs."""


def record(cluster: PrivateCluster, folder: Path) -> None:
    """Write what sacct and sreport say of all jobs since this hour began.

    `sacct.txt`, `sacct-pipes.txt` and `sacct.json.gz` are listings of the same jobs; `sacct-sums`
    has account, user and CPU-seconds of each run, `sreport` account, user, resource and seconds.
    """
    with_pipes = SACCT.replace(" --delimiter=$'\\x1f'", "")
    (folder / "sacct.txt").write_text(cluster.run("bash", "-c", SACCT), "utf-8")
    (folder / "sacct-pipes.txt").write_text(cluster.run("bash", "-c", with_pipes), "utf-8")
    everything = ("-a", "--duplicates", "-S", "2024-01-01")
    as_json = cluster.run("sacct", *everything, "--json").encode()
    (folder / "sacct.json.gz").write_bytes(gzip.compress(as_json, mtime=0))
    sums = cluster.run("sacct", *everything, "-XnP", "--format=Account,User,CPUTimeRAW")
    (folder / "sacct-sums.txt").write_text(sums, "utf-8")
    (folder / "sreport.txt").write_text(_report(cluster), "utf-8")


def _report(cluster: PrivateCluster) -> str:
    """Add up usage, up to the end of this hour, which sreport is then asked for."""
    first = cluster.started.replace(minute=0, second=0, microsecond=0)
    last = datetime.now(UTC).replace(minute=0, second=0) + timedelta(hours=1)
    period = [f"{hour:%Y-%m-%dT%H:%M:%S}" for hour in (first, last)]
    cluster.run("sacctmgr", "-i", "rollup", *period)
    what = ("cluster", "AccountUtilizationByUser", "Format=Account,Login,TresName,Used")
    times = (f"start={period[0]}", f"end={period[1]}")
    return cluster.run("sreport", "-nP", "-t", "seconds", "-T", "ALL", *what, *times)


if __name__ == "__main__":
    RECORDED.mkdir(exist_ok=True)
    with awkward_cluster() as awkward:
        run_awkward_jobs(awkward)
        record(awkward, RECORDED)
