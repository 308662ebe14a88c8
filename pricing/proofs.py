"""Proofs of commitments: a user's own jobs, and what leads from them to the published line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from pricing.commitments import (
    Bids,
    Commitments,
    days_of,
    digests,
    levels_of,
    next_line,
    path_of,
    root_by,
    root_of,
    salts,
)
from swfx import InputError, UtilityTable, Workload

FORMAT = "utilitysched proof 1"

JOB_KEYS = ("job_id", "submit", "processors", "request", "curve", "salt", "date", "place", "path")
"""Of each job in a proof; see docs/files.md."""


class ProvenJob(NamedTuple):
    """A job whose curve was committed to.

    Attributes
    ----------
    job : str
        Number.
    date : str
        Day of the commitment.
    curve : list of (float, float)
        Points: s since submission, SU.
    name : str
        Name by which its user knows it; empty where it is the number.
    """

    job: str
    date: str
    curve: list[tuple[float, float]]
    name: str = ""


def proof_of(jobs: Workload, commitments: Commitments, secret: bytes, user: str) -> dict[str, Any]:
    """Return the proof of a user's jobs, which says nothing of other users' curves.

    Parameters
    ----------
    jobs : Workload
        As it was committed to.
    commitments : Commitments
        Of all jobs.
    secret : bytes
        Secret of the centre.
    user : str
        Name of the user, or number where the log has no names.
    """
    bids = Bids.of(jobs)
    salt = salts(bids.encodings(), bids.user, secret)
    names = jobs.job_names.named(jobs.job_id.tolist())
    proven = []
    for (date, rows), day in zip(days_of(jobs), commitments.days, strict=True):
        mine = [(place, row) for place, row in enumerate(rows) if bids.user[row] == user]
        levels = levels_of(day.digest) if mine else []
        for place, row in mine:
            cells = (
                bids.job[row],
                *bids.terms[row].tolist(),
                _points(bids.utility, row),
                salt[row].hex(),
                date,
                place,
                [node.hex() for node in path_of(levels, place)],
            )
            name = names[row]
            proven.append(
                {**dict(zip(JOB_KEYS, cells, strict=True)), **({"name": name} if name else {})}
            )
    return {
        "format": FORMAT,
        "user": user,
        "jobs": proven,
        "first": commitments.first.hex(),
        "days": [
            {"date": day.date, "jobs": len(day.job), "root": root_of(day.digest).hex()}
            for day in commitments.days
        ],
    }


def check_proof(document: Mapping[str, Any], published: str) -> list[ProvenJob]:
    """Return the jobs of a proof, all of which a published line vouches for.

    Parameters
    ----------
    document : mapping
        As `proof_of` returns it, or as read from JSON.
    published : str
        Line of a day, in hexadecimal digits.

    Raises
    ------
    InputError
        It is no proof, the line is not in its chain, or a job is not below the line.
    """
    try:
        return _proven(document, bytes.fromhex(published))
    except InputError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError("is no proof of commitments", remedy="have it written anew") from error


def _proven(document: Mapping[str, Any], published: bytes) -> list[ProvenJob]:
    days = {}
    before, vouched = bytes.fromhex(document["first"]), False
    for day in document["days"]:
        if vouched:  # later days are not below the line
            break
        root = bytes.fromhex(day["root"])
        before = next_line(before, day["date"], int(day["jobs"]), root)
        days[day["date"]] = root, int(day["jobs"])
        vouched = before == published
    if not vouched:
        raise InputError(
            f"the line {published.hex()} is none of this proof",
            remedy="compare it with the line that the centre has published",
        )
    rows = document["jobs"]
    for row, digest in zip(rows, _digests(document), strict=True):
        root, count = days.get(row["date"], (b"", 0))
        path = map(bytes.fromhex, row["path"])
        if root_by(digest, int(row["place"]), count, path) != root:
            raise InputError(
                f"job {row['job_id']}: its utility function is not the one committed to on"
                f" {row['date']}"
            )
    return [
        ProvenJob(row["job_id"], row["date"], row["curve"], row.get("name", "")) for row in rows
    ]


def _digests(document: Mapping[str, Any]) -> list[bytes]:
    """Return the digest of each job from its salt."""
    rows = document["jobs"]
    curves = [np.array(row["curve"], np.float64).reshape(-1, 2) for row in rows]
    bids = Bids(
        [str(row["job_id"]) for row in rows],
        [document["user"]] * len(rows),
        np.array([[row[name] for name in JOB_KEYS[1:4]] for row in rows], np.float64),
        UtilityTable.from_points(
            [curve[:, 0] for curve in curves], [curve[:, 1] for curve in curves]
        ),
    )
    return digests(bids.encodings(), [bytes.fromhex(row["salt"]) for row in rows])


def _points(utility: UtilityTable, job: int) -> list[tuple[float, float]]:
    first, end = utility.offsets[job], utility.offsets[job + 1]
    columns = utility.times[first:end].tolist(), utility.values[first:end].tolist()
    return list(zip(*columns, strict=True))
