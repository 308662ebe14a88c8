"""Real listings of Slurm 22.05 with every awkward kind of job: sums are those of sreport.

What each listing is, and what sreport says of its jobs, stands in the README beside them.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

from swfx.base.errors import InputError
from swfx.families.formats.registry import IMPORTERS, Imported
from swfx.labels import label_names
from swfx.reading.imports import import_log
from tests.conftest import ROOT

LISTINGS = ROOT.parent / "shared" / "slurm-listings"

CPU_SECONDS = {
    ("physics", "alice"): 1278,
    ("physics", "bob"): 1543,
    ("chemistry", "alice"): 120,
    ("chemistry", "carol"): 1700,
    ("organic", "dave"): 714,
    ("bio_lab-2", "erin"): 810,
    ("bio_lab-2", "frank"): 10,
    ("root", "root"): 8,
}
"""Of runs that had ended: sreport's, less what still ran, with the 20 s for which a job on 2 CPUs
was suspended, and the 8 s of a task that came after the hour that sreport had rolled up."""

DOCUMENTED = (
    "JobID,JobIDRaw,User,Account,Partition,QOS,JobName,Submit,Start,End,Elapsed,Suspended,State,"
    "AllocCPUS,ReqCPUS,NNodes,TimelimitRaw,TotalCPU,MaxRSS,ReqMem,Comment,SubmitLine"
)


@pytest.fixture(scope="module", autouse=True)
def _listings() -> None:
    if not LISTINGS.is_dir():
        reason = f"no listings at {LISTINGS}: they are not part of the repository"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)


def read(name: str, options: str = "") -> Imported:
    return import_log(IMPORTERS.make(f"slurm:requeue=each{options}"), LISTINGS / name)


def names(log: Imported, kind: str) -> dict[int, str]:
    return dict(label_names(log.workload.header, kind).names)


def cpu_seconds(log: Imported) -> Counter[tuple[str, str]]:
    accounts, users = names(log, "account"), names(log, "user")
    jobs = log.workload
    sums: Counter[tuple[str, str]] = Counter()
    for account, user, run, size in zip(
        jobs.group.tolist(),
        jobs.user.tolist(),
        jobs.run.tolist(),
        jobs.processors.tolist(),
        strict=True,
    ):
        sums[accounts[account], users[user]] += round(run * size)
    return sums


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

    assert cpu_seconds(log) == CPU_SECONDS
    assert log.report.lines_accounted()
    assert not {"too-few-fields", "too-many-fields", "step-alone"} & log.report.counts().keys()


def test_without_duplicates_only_the_last_runs_of_requeued_jobs_are_there() -> None:
    log = read("docs-noD.txt")

    sums = cpu_seconds(log)
    assert all(sums[pair] <= seconds for pair, seconds in CPU_SECONDS.items())
    assert sum(sums.values()) == sum(CPU_SECONDS.values()) - 502


@pytest.mark.parametrize("name", ["human.txt", "human-wide.txt"])
def test_listings_for_people_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="this is sacct's listing for people"):
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
