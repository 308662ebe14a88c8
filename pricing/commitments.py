"""Commitments to the utility functions of jobs: what was bid cannot be changed unnoticed.

The digest of a job is the SHA-256 of a salt and of all that its user said: number, user,
submission, processors, request, and the points of its curve. Nobody guesses a curve from it who
does not know the salt. The digests of a day are the leaves of a hash tree (RFC 6962, section 2.1),
and the line of a day is the hash of its root and of the line of the day before (Haber and
Stornetta, How to time-stamp a digital document, 1991). Whoever holds one line notices any change
to that day and all days before it.

Salts follow from a secret of the centre: a user's key is the keyed hash of the user's name, the
salt of a job that of its number and submission under this key (BLAKE2b, RFC 7693). The secret opens
all jobs, a user's key the jobs of this user, a salt one job.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pricing.months import days
from swfx import InputError, UtilityTable, Workload
from swfx.base.atomic import write_whole
from swfx.base.columns import Floats, Ints
from swfx.base.csv_columns import CsvColumns, read_columns
from swfx.clock import clock_of

COMMITMENTS_FILE = "commitments.csv"
COMMITMENT_COLUMNS = ("date", "job_id", "digest")
"""Columns of ``commitments.csv``. A row without a job is the line of its day, which ends the day;
the first row has no day, and is a digest of the secret."""

SECONDS_PER_DAY = 86_400

MOST_NAMED = 5
"""Jobs that a refusal names."""

_LEAF, _NODE, _LINE = b"\x00", b"\x01", b"\x02"
"""What is hashed begins with its kind, so that no node passes for a job or a day."""


class Bids(NamedTuple):
    """What users said of n jobs, and all that a commitment covers.

    Attributes
    ----------
    job : list of str
        Numbers, as users know them.
    user : list of str
        Names, or numbers where the log has no names.
    terms : ndarray of float64, shape (n, 3)
        Submission (s on the log's clock), processors, request (s).
    utility : UtilityTable
        Curves.
    """

    job: list[str]
    user: list[str]
    terms: Floats
    utility: UtilityTable

    @classmethod
    def of(cls, jobs: Workload) -> Bids:
        """Return the bids of a workload."""
        user = jobs.labels.in_field("user").of_jobs()
        terms = np.column_stack([jobs.submit, jobs.size, jobs.request])
        return cls(list(map(str, jobs.job_id.tolist())), user, terms, jobs.utility)

    def encodings(self) -> list[Encoding]:
        """Return each job in bytes."""
        terms = np.ascontiguousarray(self.terms, "<f8").tobytes()
        times, values = (
            np.ascontiguousarray(column, "<f8").tobytes()
            for column in (self.utility.times, self.utility.values)
        )
        ends = (8 * self.utility.offsets).tolist()
        rows = zip(self.job, self.user, range(0, len(terms), 24), ends[:-1], ends[1:], strict=True)
        return [
            (
                b"%b\n%b\n%b" % (user.encode(), job.encode(), terms[at : at + 8]),
                terms[at + 8 : at + 24] + times[first:end] + values[first:end],
            )
            for job, user, at, first, end in rows
        ]

    def digests(self, secret: bytes) -> list[bytes]:
        """Return the digest of each job, salted by a secret of the centre."""
        encodings = self.encodings()
        return digests(encodings, salts(encodings, self.user, secret))


Encoding = tuple[bytes, bytes]
"""A job in bytes, in two parts that follow each other: what its salt is made of, and the rest.

The first is the user's name and the number, each ended by a newline, and the submission; the second
is processors, request, the times of the curve and its values. All of these are 64-bit floats,
little-endian."""


def salts(encodings: Iterable[Encoding], user: Sequence[str], secret: bytes) -> list[bytes]:
    """Return the salt of each job.

    Parameters
    ----------
    encodings : iterable of Encoding, n
        Jobs.
    user : sequence of str, length n
        Names of their users.
    secret : bytes
        Secret of the centre.
    """
    keys = {name: user_key(secret, name) for name in set(user)}
    pairs = zip(encodings, user, strict=True)
    return [keyed(keys[name], salted) for (salted, _), name in pairs]


def digests(encodings: Iterable[Encoding], salt: Iterable[bytes]) -> list[bytes]:
    """Return the digest of each job, a leaf of the tree of its day."""
    sha = hashlib.sha256
    pairs = zip(encodings, salt, strict=True)
    return [sha(_LEAF + own + salted + rest).digest() for (salted, rest), own in pairs]


def user_key(secret: bytes, user: str) -> bytes:
    """Return the key from which the salts of all jobs of a user follow."""
    return keyed(hashlib.sha256(secret).digest(), b"user " + user.encode())


def secret_digest(secret: bytes) -> bytes:
    """Return a digest that tells secrets apart and does not give them away."""
    return keyed(hashlib.sha256(secret).digest(), b"secret of commitments")


def keyed(key: bytes, message: bytes) -> bytes:
    """Return the BLAKE2b hash (32 bytes) of a message under a key of at most 64 bytes."""
    return hashlib.blake2b(message, key=key, digest_size=32).digest()


class Day(NamedTuple):
    """Commitments of one day.

    Attributes
    ----------
    date : str
        By the log's clock; ``day 00012`` of a log that does not say when it began.
    job : list of str
        Numbers of the jobs, in order.
    digest : list of bytes
        Digests of the jobs.
    line : bytes
        Hash that ends the day.
    """

    date: str
    job: list[str]
    digest: list[bytes]
    line: bytes


@dataclass(frozen=True, eq=False)
class Commitments:
    """Commitments of a log, day by day.

    Attributes
    ----------
    first : bytes
        Digest of the secret, with which the chain begins.
    days : tuple of Day
        In order.
    pending : Day or None
        Last day, which has not ended: nothing vouches for it yet, and its line is empty.
    """

    first: bytes
    days: tuple[Day, ...]
    pending: Day | None = None

    @property
    def line(self) -> bytes:
        """The last line, which vouches for all days."""
        return self.days[-1].line if self.days else self.first

    @cached_property
    def dates(self) -> dict[str, list[tuple[str, bytes]]]:
        """Date and digest of each commitment to a job, by the number of the job."""
        dates: dict[str, list[tuple[str, bytes]]] = defaultdict(list)
        for day in self.days:
            for job, digest in zip(day.job, day.digest, strict=True):
                dates[job].append((day.date, digest))
        return dates


def commit(jobs: Workload, secret: bytes) -> Commitments:
    """Return the commitments of a workload: a day is that of the submission by the log's clock."""
    bids = Bids.of(jobs)
    every = bids.digests(secret)
    first = before = secret_digest(secret)
    chain = []
    for date, rows in days_of(jobs):
        mine = [every[row] for row in rows]
        before = next_line(before, date, len(mine), root_of(mine))
        chain.append(Day(date, [bids.job[row] for row in rows], mine, before))
    return Commitments(first, tuple(chain))


def days_of(jobs: Workload) -> list[tuple[str, list[int]]]:
    """Return the days on which jobs were submitted, with the positions of these jobs."""
    dates = days(jobs.submit, clock_of(jobs.header))
    unknown = bool(np.isnat(dates).any())
    number: Ints = dates.astype(np.int64)
    if unknown:
        number = np.floor(jobs.submit / SECONDS_PER_DAY).astype(np.int64)
    order = np.argsort(number, kind="stable")
    every, begins = np.unique(number[order], return_index=True)
    rows = np.split(order, begins[1:]) if len(every) else []
    names = [
        f"day {day:05d}" if unknown else str(np.datetime64(day, "D")) for day in every.tolist()
    ]
    return [(name, mine.tolist()) for name, mine in zip(names, rows, strict=True)]


def next_line(before: bytes, date: str, jobs: int, root: bytes) -> bytes:
    """Return the line of a day, from the line before it."""
    return hashlib.sha256(_LINE + before + f"{date} {jobs}\n".encode() + root).digest()


def root_of(leaves: list[bytes]) -> bytes:
    """Return the root of the hash tree over one or more digests."""
    return levels_of(leaves)[-1][0]


def path_of(levels: list[list[bytes]], place: int) -> list[bytes]:
    """Return what leads from a digest to the root: the neighbours of the nodes on the way."""
    path = []
    for level in levels[:-1]:
        if (place ^ 1) < len(level):
            path.append(level[place ^ 1])
        place //= 2
    return path


def root_by(leaf: bytes, place: int, count: int, path: Iterable[bytes]) -> bytes | None:
    """Return the root to which a path leads from the digest at a place of `count`.

    None if the path is of another length.
    """
    node, steps = leaf, list(path)[::-1]
    while count > 1:
        if (place ^ 1) < count:
            if not steps:
                return None
            other = steps.pop()
            node = _node(other, node) if place % 2 else _node(node, other)
        place, count = place // 2, (count + 1) // 2
    return None if steps else node


def levels_of(leaves: list[bytes]) -> list[list[bytes]]:
    """Return the levels of a hash tree; the last node of an odd level moves up as it is."""
    levels = [leaves]
    while len(levels[-1]) > 1:
        below = levels[-1]
        above = [_node(*pair) for pair in zip(below[::2], below[1::2], strict=False)]
        levels.append(above + below[2 * len(above) :])
    return levels


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(_NODE + left + right).digest()


class Changed(NamedTuple):
    """A job of a workload that differs from its commitment.

    Attributes
    ----------
    job : str
        Number.
    date : str
        Day of the commitment; empty where there is none.
    missing : bool
        It was committed to, and is not in the workload.
    """

    job: str
    date: str
    missing: bool = False

    def __str__(self) -> str:
        if not self.date:
            return f"job {self.job}: nothing was committed to"
        if self.missing:
            return f"job {self.job}, committed to on {self.date}, is missing"
        return f"job {self.job}: its utility function is not the one committed to on {self.date}"


def changed_jobs(jobs: Workload, kept: Commitments, secret: bytes) -> list[Changed]:
    """Return the jobs of a workload that are not as they were committed to, day by day.

    Raises
    ------
    InputError
        The commitments were made with another secret, or of the same jobs in another order.
    """
    if secret_digest(secret) != kept.first:
        raise InputError(
            "the commitments were made with another secret",
            remedy="ask the centre for the secret of that time",
        )
    now = commit(jobs, secret)
    if now.line == kept.line:
        return []
    changed = []
    for job, written in now.dates.items():
        before = kept.dates.get(job, [])
        pairs = zip(written, before, strict=False)
        changed += [Changed(job, old[0]) for new, old in pairs if new != old]
        changed += [Changed(job, "") for _ in written[len(before) :]]
    for job, before in kept.dates.items():
        gone = before[len(now.dates.get(job, [])) :]
        changed += [Changed(job, date, missing=True) for date, _ in gone]
    if not changed:  # ties go by the order of jobs
        raise InputError(
            "the jobs are in another order than the one committed to",
            remedy="put the log back as it was read first",
        )
    return changed


def require_unchanged(changed: Sequence[Changed], source: str) -> None:
    """Refuse a workload in which jobs differ from their commitments.

    Raises
    ------
    InputError
        Naming the first jobs.
    """
    if not changed:
        return
    others = [each.job for each in changed[1:MOST_NAMED]]
    more = len(changed) - 1 - len(others)
    names = ", ".join(others) + (f" and {more:,} more" if more else "")
    raise InputError(
        f"{changed[0]}" + (f"; nor are jobs {names} as committed to" if others else ""),
        source=source,
        remedy="charge by the workload as it was when it was first read; user, submission,"
        " processors and request are committed to as well",
    )


def write_commitments(path: Path, commitments: Commitments) -> Path:
    """Write ``commitments.csv``.

    Raises
    ------
    InputError
        The file cannot be written.
    """
    lines = [",".join(COMMITMENT_COLUMNS), f",,{commitments.first.hex()}"]
    for day in commitments.days:
        pairs = zip(day.job, day.digest, strict=True)
        lines += [f"{day.date},{job},{digest.hex()}" for job, digest in pairs]
        lines.append(f"{day.date},,{day.line.hex()}")
    return write_whole(path, "\n".join(lines) + "\n")


def read_commitments(path: Path) -> Commitments:
    """Read ``commitments.csv``, and check its chain.

    Raises
    ------
    InputError
        It cannot be read, or a day is not as its line says.
    """
    rows = read_columns(str(path), "restore the file")
    rows.require(COMMITMENT_COLUMNS)
    first, *days_read = _days(rows)
    if first.job:
        raise _damaged(path, "the digest of the secret is missing")
    pending = days_read.pop() if days_read and not days_read[-1].line else None
    before = first.line
    for day in days_read:
        if not day.digest or day.line != next_line(
            before, day.date, len(day.digest), root_of(day.digest)
        ):
            raise _damaged(path, f"the line of {day.date} is not the hash of its commitments")
        before = day.line
    return Commitments(first.line, tuple(days_read), pending)


def _days(rows: CsvColumns) -> Iterator[Day]:
    """Yield the digest of the secret as a day without jobs, then all days."""
    columns = (rows.cells[name] for name in COMMITMENT_COLUMNS)
    job: list[str] = []
    digest: list[bytes] = []
    begun, date_of_jobs = False, ""
    try:
        for date, number, text in zip(*columns, strict=True):
            value = bytes.fromhex(text)
            if job and date != date_of_jobs:
                raise _damaged(Path(rows.source), f"commitments of {date_of_jobs} have no line")
            if number:
                date_of_jobs = date
                job.append(number)
                digest.append(value)
            else:
                yield Day(date, job, digest, value)
                job, digest, begun = [], [], True
    except InputError:
        raise
    except ValueError:
        raise _damaged(Path(rows.source), "a row is no commitment") from None
    if not begun:
        raise _damaged(Path(rows.source), "the digest of the secret is missing")
    if job:
        yield Day(date_of_jobs, job, digest, b"")


def _damaged(path: Path, problem: str) -> InputError:
    return InputError(problem, source=str(path), remedy="restore the file as it was published")
