"""Proofs: they hold for their user's jobs alone, and show nobody else's curves."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pricing.commitments import Bids, commit
from pricing.proofs import check_proof, proof_of
from swfx import InputError, Workload
from tests.pricing.test_commitments import SECRET, workload, workloads

Document = dict[str, Any]


def proof(jobs: Workload, user: str) -> Document:
    document: Document = json.loads(json.dumps(proof_of(jobs, commit(jobs, SECRET), SECRET, user)))
    return document


@given(workloads)
def test_a_proof_holds_for_all_jobs_of_its_user(jobs: Workload) -> None:
    users = Bids.of(jobs).user
    line = commit(jobs, SECRET).line.hex()

    for user in set(users):
        proven = check_proof(proof(jobs, user), line)

        rows = [row for row, name in enumerate(users) if name == user]
        curves = [jobs.utility[row] for row in rows]
        assert sorted((job.job, len(job.curve)) for job in proven) == sorted(
            (str(jobs.job_id.item(row)), 0 if curve is None else len(curve.times))
            for row, curve in zip(rows, curves, strict=True)
        )


@given(workloads)
def test_a_proof_has_nothing_of_other_users(jobs: Workload) -> None:
    """Whatever others bid, and whoever they are: only hashes of the proof change."""
    users = Bids.of(jobs).user
    user = users[0]
    others = [name != user for name in users]
    times, values = jobs.utility.times, jobs.utility.values.copy()
    ends = jobs.utility.offsets
    for row in range(len(jobs)):
        values[ends[row] : ends[row + 1]] *= 7 if others[row] else 1
    other = jobs.replace(utility=type(jobs.utility)(ends, times, values))

    documents = [proof(each, user) for each in (jobs, other)]

    for document in documents:
        for job in document["jobs"]:
            del job["path"]
        for day in document["days"]:
            del day["root"]
    assert documents[0] == documents[1]


def last(document: Document) -> Document:
    job: Document = document["jobs"][-1]
    return job


def changed(name: str, value: object) -> Callable[[Document], None]:
    return lambda document: last(document).update({name: value})


FORGERIES: dict[str, Callable[[Document], object]] = {
    "curve": changed("curve", [[0, 999], [60, 0]]),
    "no curve": changed("curve", []),
    "number": changed("job_id", "77"),
    "submission": changed("submit", 17.0),
    "processors": changed("processors", 99),
    "request": changed("request", 1e9),
    "salt": changed("salt", "00" * 32),
    "place": lambda document: changed("place", last(document)["place"] ^ 1)(document),
    "path": lambda document: changed("path", [*last(document)["path"], "00" * 32])(document),
    "date": changed("date", "1999-01-01"),
    "user": lambda document: document.update(user="somebody else"),
    "a day less": lambda document: document["days"].pop(0),
    "order of days": lambda document: document["days"].reverse(),
    "jobs of a day": lambda document: document["days"][0].update(jobs=99),
    "root": lambda document: document["days"][0].update(root="00" * 32),
    "no days": lambda document: document.pop("days"),
    "no document": lambda document: document.clear(),
    "times": changed("curve", [[5, 1], [3, 0]]),
    "text": changed("salt", "salt"),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_proof_proves_nothing(forgery: str) -> None:
    for seed in range(10):
        jobs = workload(Random(seed))
        honest, document = (proof(jobs, Bids.of(jobs).user[0]) for _ in range(2))
        FORGERIES[forgery](document)
        if document == honest:  # a job without a curve
            continue

        with pytest.raises(InputError):
            check_proof(document, commit(jobs, SECRET).line.hex())


@given(workloads, st.integers(0, 11))
def test_a_proof_is_of_the_published_line_or_a_later_one(jobs: Workload, row: int) -> None:
    commitments = commit(jobs, SECRET)
    document = proof(jobs, Bids.of(jobs).user[row])
    last_day = max(job["date"] for job in document["jobs"])

    for day in commitments.days:
        line = day.line.hex()
        if day.date >= last_day:
            assert check_proof(document, line)
        else:
            with pytest.raises(InputError, match="is not the one committed to on"):
                check_proof(document, line)
    for strange in (commitments.first.hex(), "00" * 32, "3f"):
        with pytest.raises(InputError, match="is none of this proof"):
            check_proof(document, strange)
