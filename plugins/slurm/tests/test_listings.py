"""Text of squeue and sinfo, and that it tells the same as their JSON."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from plugins.slurm.tests.clusters import RECORDED, listed, printed, recorded
from plugins.slurm.tests.test_newer import document, newer
from utilitysched_slurm.listings import (
    AT_ONCE,
    JOB_COLUMNS,
    NODE_COLUMNS,
    ArrayLimits,
    format_of,
    rows_of,
)
from utilitysched_slurm.reading import read_entries, read_jobs, read_pool

__all__ = ["newer"]


@pytest.mark.parametrize("version", ["22.05.8", "24.11.5"])
def test_text_tells_of_the_same_moment_what_json_tells(version: str) -> None:
    """Recorded on private clusters, one program after the other, while nothing changed."""
    told: dict[str, Any] = json.loads((RECORDED / f"listings-{version}.json").read_text())
    mark = "|7d02f9|"
    rows = rows_of(told["squeue"], JOB_COLUMNS, mark)
    ArrayLimits(lambda array: told["scontrol"][array]).fill(rows)
    as_json = {(row["jobid"], row["arraytaskid"]): row for row in listed(told["jobs"])}

    assert {(row["jobid"], row["arraytaskid"]): row for row in rows} == as_json
    names = {row["name"] for row in rows}
    assert {"left|right", "two\nlines", f"{mark[:-1]}x|", "jobid:|,", "größe"} <= names
    by_key = {job.key: job for job in read_jobs(rows)}
    assert by_key == {job.key: job for job in read_jobs(as_json.values())}
    assert {job.at_once for job in by_key.values() if job.array and job.waits} == {0, 2}
    nodes = rows_of(told["sinfo"], NODE_COLUMNS, "|")
    for partition in ("", "main", "long"):
        assert read_pool(nodes, partition) == read_pool(listed(told["nodes"]), partition)


def test_json_of_25_05_has_the_cells_of_its_text(newer: Path) -> None:
    shown = {}
    for block in (newer / "scontrol-jobs.txt").read_text().split("\n\n"):
        if number := re.match(r"JobId=(\d+) ", block):
            shown[number[1]] = dict(re.findall(r"(\w+)=(\S*)", block))

    rows = listed(document(newer / "squeue.json.gz"))

    assert read_entries(rows)[1] == []
    times = {"submittime": "SubmitTime", "eligibletime": "EligibleTime", "starttime": "StartTime"}
    same = times | {
        "state": "JobState", "prioritylong": "Priority", "nice": "Nice", "numcpus": "NumCPUs",
        "account": "Account", "partition": "Partition", "qos": "QOS", "requeue": "Requeue",
        "batchflag": "BatchFlag", "restartcnt": "Restarts",
    }  # fmt: skip
    differing = Counter(
        (name, row[name], shown[row["jobid"]][key])
        for row in rows
        for name, key in same.items()
        if row[name].replace("N/A", "Unknown") != shown[row["jobid"]][key]
    )
    assert not differing
    lines = (newer / "squeue.txt").read_text()
    for row in rows:
        if row["arraytaskid"] == "N/A" and row["hetjobid"] == "N/A":
            line = rf"^{row['jobid']}\|(?:[^|\n]*\|){{6}}([^|\n]*)\|"
            assert re.findall(line, lines, re.MULTILINE) == [row["timelimit"]]


def test_whatever_names_hold_each_row_stays_one() -> None:
    rows = [row | {AT_ONCE: "0"} for row in recorded("queue")]
    mark = "|5f0e|"
    for row, text in zip(
        rows, ["a|b", "\n", "c\n1|PENDING", "5f0e|", "jobid:", "\\"], strict=False
    ):
        row["name"] = row["comment"] = text
    text = printed(rows, JOB_COLUMNS, mark)

    again = [row | {AT_ONCE: "0"} for row in rows_of(text, JOB_COLUMNS, mark)]

    assert again == rows
    with pytest.raises(ValueError, match="another listing"):
        rows_of(text.replace("alice", f"alice{mark}", 1), JOB_COLUMNS, mark)
    assert rows_of("", JOB_COLUMNS, mark) == []
    assert format_of(["jobid"], mark) == f"jobid:{mark}"


def test_limits_of_arrays_are_asked_for_once() -> None:
    asked: list[str] = []

    def ask(array: str) -> str:
        asked.append(array)
        return f"JobId=9 ArrayJobId={array} ArrayTaskId=3 ArrayTaskThrottle=2 JobName=x\n"

    limits = ArrayLimits(ask)
    one = recorded("queue")[-1]
    runs = one | {"state": "RUNNING", "arrayjobid": "70"}
    for rows in ([one, one], [one, runs], [one | {"arrayjobid": "77"}], [one]):
        limits.fill(rows)
        assert rows[0][AT_ONCE] == "2"

    assert runs[AT_ONCE] == "0"
    assert asked == [one["arrayjobid"], "77", one["arrayjobid"]]
