"""Jobs of every awkward kind, on a cluster of our own."""

from __future__ import annotations

import os
import pwd
import re
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from plugins.slurm.tests.private.cluster import PrivateCluster

__all__ = ["awkward_cluster", "run_awkward_jobs"]

ACCOUNTS = ("physics", "chemistry", "organic")
OTHERS = ("games", "news", "lp")
"""Users whom Debian has, and for whom nobody but root can submit jobs."""

WAITS_FOR_EVER = re.compile(
    "PENDING (JobHeldUser|DependencyNeverSatisfied|job requeued in held state)"
)
PAUSE = 3.0
"""s in which a job is suspended, and one that was requeued waits."""

PARTS = """\
#SBATCH hetjob
#SBATCH -n3
srun sleep 1
"""
CURVE = '{"utility": [[0, 9], [600, 0]], "checkpoint": 60}'
BROKEN_LINE = "before | the break\n17|behind|it"


class AwkwardJob(NamedTuple):
    """A job, and commands for it once it runs and `PAUSE` later: {} is its number.

    In the options {} is the number of the job before.
    """

    options: str
    script: str = "sleep 1"
    once: Sequence[str] = ()
    later: Sequence[str] = ()
    text: str = ""


JOBS = (
    AwkwardJob("-n2 -t5", "sleep 300", ["scontrol update JobId={} EndTime=now+1"]),
    AwkwardJob("-wn3 -n2 -t5 -qlow --no-requeue", "sleep 300"),
    AwkwardJob("-wn3 -n1 -t5 -qlow", "sleep 2"),
    AwkwardJob("-wn3 -t5 -qhigh --exclusive --begin=now+4"),
    AwkwardJob("-wn4 -n2 -t5 --no-requeue", "sleep 300"),
    AwkwardJob(
        "-wn4 -n2 -t5 --gres=gpu:1",
        "sleep 2",
        ["scontrol update NodeName=n4 State=DOWN Reason=broken"],
    ),
    AwkwardJob("-N2 -n8 -t5", "sleep 6", ["scontrol update JobId={} NumNodes=1"]),
    AwkwardJob("-n2 -t5", "sleep 4", ["scontrol requeue {}"]),
    AwkwardJob("-n1 -t5", "sleep 300", ["scontrol requeuehold {}"], ["scancel {}"]),
    AwkwardJob("-n1 -t5", "sleep 300", ["scontrol requeuehold {}"]),
    AwkwardJob(
        "-n2 -plong --gres=gpu:1 -Lmatlab:1",
        "sleep 6",
        ["scontrol suspend {}"],
        ["scontrol resume {}"],
    ),
    AwkwardJob("-n1 -t5 --gres=gpu:2", "sleep 300", ["scancel {}"]),
    AwkwardJob("-n1 -t5", "sleep 1; scancel $SLURM_JOB_ID; sleep 300"),
    AwkwardJob("-n1 -t5 -H", later=["scancel {}"]),
    AwkwardJob(
        "-n1 -t5 -H",
        later=["scontrol update JobId={} Account=organic QOS=high", "scontrol release {}"],
    ),
    AwkwardJob("-n1 -t5 --array=1-6%1", "sleep 2", later=["scancel {}_6"]),
    AwkwardJob("-n2 -t5 --array=0-2 --gpus=1"),
    AwkwardJob("-n1 -t5 --array=1-3 -H", later=["scancel {}"]),
    AwkwardJob("-n2 -t5 --gres=gpu:1", PARTS),
    AwkwardJob("-n1 -t5", PARTS.replace("sleep 1", "sleep 3"), ["scontrol requeue {}"]),
    AwkwardJob("-n1 -t5", PARTS.replace("sleep 1", "sleep 300"), ["scancel {}"]),
    AwkwardJob("-n1 -t5 -H", PARTS, later=["scancel {}"]),
    AwkwardJob("-n3 -t5", "srun -n2 sleep 1; srun -n1 false; srun -n3 true"),
    AwkwardJob("-n1 -t5", "exit 3"),
    AwkwardJob("-n1 -t5", "kill -9 $$"),
    AwkwardJob("-n4 -t5", "exit 0"),
    AwkwardJob("-n1 -t5 --dependency=afterok:{}"),
    AwkwardJob("-n1 -t5", "exit 1"),
    AwkwardJob("-n1 -t5 --dependency=afterok:{}"),
    AwkwardJob("-N2 -n2 -t5 --gpus=3"),
    AwkwardJob("-n1 -t5 --exclusive"),
    AwkwardJob("-n1 -t5 -Lmatlab:3", "sleep 2"),
    AwkwardJob("-n1 -t5 -Lmatlab:2"),
    AwkwardJob("-n1 -t1 --deadline=now+63 --begin=now+8"),
    AwkwardJob("-n1 -t5", text="--job-name=left|right"),
    AwkwardJob("-n1 -t5", text=f"--job-name={BROKEN_LINE}"),
    AwkwardJob("-n1 -t5", text=f"--comment={BROKEN_LINE}"),
    AwkwardJob("-n1 -t5", text=f"--comment={CURVE}"),
    AwkwardJob("-n1 -t5", text="--wrap=sleep 1 |\n12345\ncat"),
    AwkwardJob("-n1 -t5 -H"),
)  # fmt: skip


def awkward_cluster() -> PrivateCluster:
    """Four nodes, with GPUs that are none, licences, and jobs that preempt others."""
    users = ",".join(_people())
    return PrivateCluster(
        {f"n{n}": "CPUs=4 RealMemory=4000 Gres=gpu:a100:2" for n in range(1, 5)},
        (
            "GresTypes=gpu",
            "Licenses=matlab:4",
            "AccountingStorageTRES=gres/gpu,gres/gpu:a100,license/matlab",
            "PreemptType=preempt/qos",
            "PreemptMode=REQUEUE",
            "PartitionName=main Nodes=n[1-4] Default=YES MaxTime=60 State=UP",
            "PartitionName=long Nodes=n[1-2] MaxTime=INFINITE State=UP",
        ),
        [f"Name=gpu Type=a100 File=/dev/{device}" for device in ("null", "zero")],
        (
            "add qos low,high",
            "modify qos high set preempt=low",
            "add account physics,chemistry",
            "add account organic parent=chemistry",
            f"add user {users} account={','.join(ACCOUNTS)} qos=normal,low,high defaultqos=normal",
        ),
    )


def run_awkward_jobs(cluster: PrivateCluster) -> None:
    """Run `JOBS` until nothing more happens, and slurmdbd knows of it.

    Left in the queue are one that is held, one requeued and held, and one whose dependency
    nothing can satisfy.
    """
    numbers = [0]
    for place, job in enumerate(JOBS):
        who = ("-A", ACCOUNTS[place % len(ACCOUNTS)], *_as_user(place))
        options = [*job.options.format(numbers[-1]).split(), *filter(None, [job.text])]
        numbers.append(cluster.submit(*who, *options, script=job.script))
    jobs = dict(zip(numbers[1:], JOBS, strict=True))
    cluster.wait(_each_once_running(cluster, jobs), "for all jobs to run that are acted upon")
    time.sleep(PAUSE)
    for number, job in jobs.items():
        _tell(cluster, number, job.later)
    cluster.wait(lambda: _nothing_more_happens(cluster), "for the jobs to end")
    last = str(cluster.submit("-A", "physics", script="exit 0"))  # slurmdbd is told in order
    cluster.wait(lambda: "COMPLETED" in cluster.run("sacct", "-Xnj", last, "-oState"), "for sacct")


def _each_once_running(cluster: PrivateCluster, jobs: dict[int, AwkwardJob]) -> Callable[[], bool]:
    waiting = {number: job.once for number, job in jobs.items() if job.once}

    def act() -> bool:
        states = cluster.states().items()
        running = {int(re.split("[_+]", job)[0]) for job, state in states if state == "RUNNING"}
        time.sleep(bool(waiting.keys() & running))  # so that they have run for a while
        for number in waiting.keys() & running:
            _tell(cluster, number, waiting.pop(number))
        return not waiting

    return act


def _tell(cluster: PrivateCluster, number: int, commands: Sequence[str]) -> None:
    for command in commands:
        cluster.run(*command.format(number).split())


def _nothing_more_happens(cluster: PrivateCluster) -> bool:
    queue = cluster.run("squeue", "--noheader", "--array", "--format=%T %r").splitlines()
    return all(map(WAITS_FOR_EVER.match, queue))


def _people() -> tuple[str, ...]:
    """Users whose jobs there are: who runs this, and others if that is root."""
    me = pwd.getpwuid(os.geteuid()).pw_name
    return (me, *OTHERS) if os.geteuid() == 0 else (me,)


def _as_user(place: int) -> tuple[str, ...]:
    user = place % len(_people())
    return (f"--uid={_people()[user]}",) if user else ()
