"""Real listings of Slurm 22.05 with every awkward kind of job: sums are those of sreport.

What each listing is, and what sreport says of its jobs, stands in the README beside them.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from swfx.base.errors import InputError
from swfx.families.formats.registry import IMPORTERS, Imported
from swfx.reading.imports import import_log
from tests.conftest import LISTINGS
from tests.slurm.usage import usage_of

pytestmark = pytest.mark.usefixtures("listings")

CPU_SECONDS = {
    ("physics", "alice"): 1278,
    ("physics", "bob"): 1503,
    ("chemistry", "alice"): 120,
    ("chemistry", "carol"): 1700,
    ("organic", "dave"): 714,
    ("bio_lab-2", "erin"): 810,
    ("bio_lab-2", "frank"): 10,
    ("root", "root"): 8,
}
"""Of runs that had ended: sreport's, less what still ran, with the 8 s of a task that came after
the hour that sreport had rolled up."""

GPU_SECONDS = {
    ("bio_lab-2", "erin"): 36,
    ("chemistry", "carol"): 13,
    ("physics", "alice"): 31,
    ("physics", "bob"): 99,
}
"""Of the same runs, by listings that tell of trackable resources."""

DOCUMENTED = (
    "JobID,JobIDRaw,User,Account,Partition,QOS,JobName,Submit,Start,End,Elapsed,Suspended,State,"
    "AllocCPUS,ReqCPUS,NNodes,TimelimitRaw,TotalCPU,MaxRSS,ReqMem,Comment,SubmitLine"
)


def read(name: str, options: str = "") -> Imported:
    return import_log(IMPORTERS.make(f"slurm:requeue=each{options}"), LISTINGS / name)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("docs.txt", ""),
        ("docs-X.txt", ""),
        ("docs-p.txt", ""),
        ("docs-delimiter-1f.txt", ""),
        ("docs-delimiter-multi.txt", ""),
        ("docs-no-text.txt", ""),
        ("docs-paris.txt", ",timezone=Europe/Paris"),
        ("docs-stjohns.txt", ",timezone=America/St_Johns"),
        ("docs-epoch.txt", ""),
        ("docs-standard.txt", ""),
        ("docs-offset.txt", ",timezone=Europe/Paris"),
        ("docs-by-number.txt", ""),
        ("docs-noheader.txt", f",columns={DOCUMENTED}"),
        ("docs-unitsM.txt", ""),
        ("all.txt.gz", ""),
        ("all-X.txt.gz", ""),
        ("alloctres.txt", ""),
        ("hint.txt", ""),
        ("sacct.json.gz", ""),
    ],
)
def test_processor_seconds_by_account_and_user(name: str, options: str) -> None:
    log = read(name, options)

    assert usage_of(log.workload, "cpu") == CPU_SECONDS
    if "tres/gres/gpu" in log.workload.extra:
        assert usage_of(log.workload, "gres/gpu") == GPU_SECONDS
        assert usage_of(log.workload, "gres/gpu:a100") == GPU_SECONDS
    assert log.report.lines_accounted()
    assert not {"too-few-fields", "too-many-fields", "step-alone"} & log.report.counts().keys()


def test_without_duplicates_only_the_last_runs_of_requeued_jobs_are_there() -> None:
    log = read("docs-noD.txt")

    sums = usage_of(log.workload, "cpu")
    assert all(sums[pair] <= seconds for pair, seconds in CPU_SECONDS.items())
    assert sum(sums.values()) == sum(CPU_SECONDS.values()) - 502


def test_listings_with_trackable_resources_tell_of_gpus() -> None:
    names = ("alloctres.txt", "all.txt.gz", "all-X.txt.gz", "sacct.json.gz")

    assert all("tres/gres/gpu" in read(name).workload.extra for name in names)


def test_parts_of_heterogeneous_jobs_are_together_run_by_run() -> None:
    jobs = read("docs.txt").workload

    first, parts = np.unique(jobs.part_of[jobs.part_of > 0], return_counts=True)
    assert parts.tolist() == [3, 3, 3, 3, 2, 3]
    assert np.isin(first, jobs.job_id).all()


def test_who_cancelled_a_job_is_known_with_the_numbers_of_users() -> None:
    for name, mine in (("all.txt.gz", "CANCELLED by user"), ("docs.txt", "CANCELLED")):
        states = read(name).workload.labels.of("state")
        found = Counter(map(states.name, states.numbers.tolist()))
        assert (found[mine], found["CANCELLED by another"]) == (7, 3)
        assert (found["TIMEOUT"], found["NODE_FAIL"], found["PREEMPTED"]) == (6, 3, 3)


@pytest.mark.parametrize("name", ["human.txt", "human-wide.txt"])
def test_listings_for_people_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="is sacct's listing for people"):
        read(name)


def test_jobs_cancelled_in_the_queue_never_started() -> None:
    log = read("docs.txt")

    cancelled = log.report.lines_of("never-started").tolist()
    lines = (LISTINGS / "docs.txt").read_text("utf-8").split("\n")
    states = sorted(lines[line - 1].split("|")[12] for line in cancelled)
    assert states == ["CANCELLED by 0", "CANCELLED by 1005", "DEADLINE"]


def test_a_job_that_gave_nodes_back_has_a_run_of_each_size() -> None:
    log = read("repro/resized.txt")

    assert log.workload.processors.tolist() == [5, 1]
    assert log.workload.run.tolist() == [13, 50]


def test_the_same_jobs_from_json() -> None:
    table, listing = read("docs-delimiter-1f.txt"), read("sacct.json.gz")

    for name in ("run", "processors", "requested_time", "requested_memory", "memory", "status"):
        columns = (sorted(getattr(log.workload, name).tolist()) for log in (table, listing))
        assert next(columns) == next(columns), name
    assert len(table.workload.utility) == len(listing.workload.utility)
