"""Awkward jobs on a real Slurm: what is imported and billed is what sreport says, to the second.

The listings in `recorded` are of a private cluster with Slurm 22.05.8; those beside the repository
of one with 25.05.8.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from pricing.resources import known_resources
from pricing.states import states_of
from swfx import Workload, open_workload
from swfx.reading.sources import Loaded
from tests.slurm.newer import newer_listings
from tests.slurm.usage import HOUR, Usage, usage_of
from utilitysched.cli.entry import run

RECORDED = Path(__file__).with_name("recorded")
LISTINGS = ("sacct.txt", "sacct-pipes.txt", "sacct.json.gz")
RESOURCES = {"cpu", "node", "billing", "gres/gpu", "gres/gpu:a100", "license/matlab"}


@pytest.fixture(scope="module", params=["22.05.8", "25.05.8"])
def listings(request: pytest.FixtureRequest) -> Path:
    return RECORDED if request.param == "22.05.8" else newer_listings()


def read(path: Path) -> Loaded:
    return open_workload(f"slurm,requeue=each:{path}")


def reported(listings: Path, resource: str) -> Usage:
    """Seconds of a resource that sreport counts for users."""
    sums: Usage = Counter()
    for line in (listings / "sreport.txt").read_text().splitlines():
        account, user, name, seconds = line.split("|")
        if user and name == resource:
            sums[account, user] += int(seconds)
    return +sums


@pytest.mark.parametrize("name", LISTINGS)
def test_seconds_of_every_resource_are_those_of_sreport(listings: Path, name: str) -> None:
    log = read(listings / name)

    resources = known_resources(log.workload)
    assert set(resources) == RESOURCES
    for resource in resources:
        assert usage_of(log.workload, resource) == reported(listings, resource), resource
    assert log.report.lines_accounted()
    assert set(log.report.counts("dropped")) == {"never-started", "still-waiting"}


def test_processor_seconds_are_the_sums_of_sacct(listings: Path) -> None:
    rows = (line.split("|") for line in (listings / "sacct-sums.txt").read_text().splitlines())
    sums: Usage = Counter()
    for account, user, seconds in rows:
        sums[account, user] += int(seconds)

    assert +sums == reported(listings, "cpu")


def test_hours_on_the_bill_are_those_of_sreport(listings: Path, tmp_path: Path) -> None:
    log, out = f"slurm:{listings / 'sacct.txt'}", str(tmp_path)
    everybody = ("--by", "account", "--exclude-state", "none", "--quiet")
    assert run(["bill", log, "--mechanism", "single-price", "--out", out, *everybody]) == 0

    with (tmp_path / "recorded" / "statement-by-account.csv").open(encoding="utf-8") as file:
        lines = {row["account"]: row for row in csv.DictReader(file)}
    for column, resource in (("processor_hours", "cpu"), ("gres/gpu_hours", "gres/gpu")):
        seconds = {name: round(float(row[column]) * HOUR) for name, row in lines.items()}
        sums: Counter[str] = Counter()
        for (account, _), used in reported(listings, resource).items():
            sums[account] += used
        assert +Counter(seconds) == sums


def test_json_and_table_are_the_same_jobs(listings: Path) -> None:
    table, as_json = (rows_of(read(listings / name).workload) for name in LISTINGS[::2])

    assert table == as_json


def rows_of(jobs: Workload) -> list[tuple[object, ...]]:
    """What is known of every job from table and JSON; labels by name.

    JSON of 22.05 has no CPU time and does not tell the user who cancelled a job from others; it
    has the cluster, too.
    """
    kinds = sorted(set(jobs.labels.kinds) - {"cluster", "state"})
    told = [jobs.labels.required(kind) for kind in kinds]
    names = [list(map(each.name, each.numbers.tolist())) for each in told]
    fixed = ("submit", "wait", "run", "processors", "requested_processors", "requested_time",
             "requested_memory", "status", "suspended")  # fmt: skip
    held = [each for each in sorted(jobs.extra) if each.startswith("tres/")]
    columns = [jobs.column(name).tolist() for name in (*fixed, *held)]
    states = [state.partition(" ")[0] for state in states_of(jobs)]
    return sorted(zip(states, *names, *columns, strict=True))


def test_states_stay_apart(listings: Path) -> None:
    found = Counter(states_of(read(listings / "sacct.txt").workload))

    assert {"TIMEOUT", "NODE_FAIL", "PREEMPTED", "FAILED", "REQUEUED", "RESIZING"} < found.keys()
    assert found["NODE_FAIL"] == 2


def test_names_have_their_separators_and_end_at_line_breaks(listings: Path) -> None:
    names = set(read(listings / "sacct.txt").workload.labels.of("job_name").names.values())

    assert {"left|right", "before | the break"} < names


def test_the_curve_in_a_comment_is_the_utility_of_its_job(listings: Path) -> None:
    jobs = read(listings / "sacct.txt").workload

    curves = [curve for curve in (jobs.utility[job] for job in range(len(jobs))) if curve]
    assert [curve(np.array([0.0, 300.0])).tolist() for curve in curves] == [[9, 4.5]]


RUNS_OF_NEWER = Counter(
    COMPLETED=32, REQUEUED=5, CANCELLED=4, FAILED=3, NODE_FAIL=2, TIMEOUT=1, PREEMPTED=1, RESIZING=1
)  # fmt: skip
"""Ended runs of the listings of 25.05.8, counted by awk."""


@pytest.mark.parametrize("name", LISTINGS)
def test_a_newer_listing_has_the_runs_jobs_and_seconds_that_awk_counts(name: str) -> None:
    path = newer_listings() / name
    log = read(path)

    assert Counter(state.partition(" ")[0] for state in states_of(log.workload)) == RUNS_OF_NEWER
    assert len(open_workload(f"slurm:{path}").workload) == 44
    used: Counter[str] = Counter()
    for (account, _), seconds in usage_of(log.workload, "cpu").items():
        used[account] += seconds
    assert used == {"chemistry": 46, "organic": 19, "physics": 109}


RECORD = re.compile(r"(\d[^\x1f]*)\x1f(\d+)\x1f.*?\x1f(\d{4}-\d\d-\d\dT[\d:]{8})\x1f")
"""Beginning of a line of sacct.txt: what users call a job, its number and first time."""


def test_a_resized_job_is_one_whatever_slurm_says_of_its_restarts(tmp_path: Path) -> None:
    # sacct has the column from 24.11 on; JSON had it before
    listings, told = newer_listings(), tmp_path / "sacct.txt"
    with gzip.open(listings / "sacct.json.gz") as file:
        jobs = json.load(file)["jobs"]
    restarts = {(job["job_id"], job["time"]["submission"]): job["restart_cnt"] for job in jobs}

    def with_restarts(line: str) -> str:
        record = RECORD.match(line)
        known = "Restarts" if line.startswith("JobID") else ""
        if record:
            submit = datetime.fromisoformat(record[3]).replace(tzinfo=UTC)
            known = str(restarts[int(record[2]), int(submit.timestamp())])
        return line.replace("\x1f", f"\x1f{known}\x1f", 1)

    lines = (listings / "sacct.txt").read_text().split("\n")
    told.write_text("\n".join(map(with_restarts, lines)))

    for requeue, count in (("last", 44), ("each", 49)):
        log = open_workload(f"slurm,requeue={requeue}:{told}")
        assert (len(log.workload), log.report.counts("dropped")) == (count, NEVER_RAN)


NEVER_RAN = {"never-started": 1, "still-waiting": 1}
"""Jobs 16, cancelled after it was requeued, and 17."""
