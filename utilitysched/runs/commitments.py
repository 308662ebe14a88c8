"""Commitments of a results directory: made when a log is read, and held against what is billed."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from pricing.commitments import (
    COMMITMENTS_FILE,
    Bids,
    Commitments,
    changed_jobs,
    commit,
    read_commitments,
    require_unchanged,
    write_commitments,
)
from pricing.proofs import ProvenJob, check_proof, proof_of
from swfx import InputError, Workload
from swfx.base.errors import failed, placed
from swfx.base.secret import read_secret, read_secret_file, write_secret
from utilitysched.runs.files import text_at
from utilitysched.runs.stored import StoredRun
from utilitysched.runs.target import READ, TIMING_FILE, WORKLOAD_FILE
from utilitysched.schedulers.recorded import FAMILY as RECORDED

SECRET = "UTILITYSCHED_COMMITMENT_SECRET"
"""Environment variable: the secret of a centre, or ``@FILE`` that holds it."""

SECRET_FILE = "commitments.secret"
"""Secret of a directory's commitments, where no centre has given one; only its owner reads it."""

SHOWN = 16
"""Hexadecimal digits of a line in sentences."""

NOBODY = f"nobody vouches for the utility functions: there is no {COMMITMENTS_FILE}"

SINCE = "utility functions are vouched for as they were on {} (UTC), when the log was first read"


def commit_to(directory: Path, jobs: Workload) -> None:
    """Commit to a workload that a results directory did not hold before.

    Without a secret of the centre, one is made of the workload, so that the same workload gives the
    same bytes. It hides a curve from those alone who do not know all others.
    """
    secret = read_secret(SECRET)
    if secret is None:
        secret = _made_of(jobs)
        write_secret(directory / SECRET_FILE, secret)
    else:
        (directory / SECRET_FILE).unlink(missing_ok=True)
    write_commitments(directory / COMMITMENTS_FILE, commit(jobs, secret))


def secret_of(directory: Path) -> bytes:
    """Return the secret of a directory's commitments: that of its file, else the centre's.

    Raises
    ------
    InputError
        There is none.
    """
    path = directory / SECRET_FILE
    if path.exists():
        return read_secret_file(path, SECRET)
    secret = read_secret(SECRET)
    if secret is None:
        raise InputError(
            "cannot be checked without the secret of the centre",
            source=str(directory / COMMITMENTS_FILE),
            remedy=f"set {SECRET} to it, or to @FILE",
        )
    return secret


def _made_of(jobs: Workload) -> bytes:
    columns = (jobs.job_id, jobs.submit, jobs.utility.offsets, jobs.utility.times)
    sha = hashlib.sha256(b"secret of commitments")
    for column in (*columns, jobs.utility.values):
        sha.update(np.ascontiguousarray(column, column.dtype.newbyteorder("<")).tobytes())
    return sha.hexdigest().encode()


def require_committed(
    run: StoredRun, directory: Path, published: str | None = None
) -> Commitments | None:
    """Refuse a run whose jobs are not as they were committed to.

    Parameters
    ----------
    run : StoredRun
        As it was read.
    directory : Path
        From where.
    published : str, optional
        What the centre has published of its commitments: the last line, in hexadecimal digits or
        as a row, or the name of the whole file.

    Returns
    -------
    Commitments or None
        None where there are none: nobody vouches for the utility functions.

    Raises
    ------
    InputError
        Naming the first such jobs; or the published line is not the last one.
    """
    folder = directory.resolve().parent
    commitments = _published(folder / COMMITMENTS_FILE, published)
    if commitments is not None:
        try:
            changed = changed_jobs(run.logged, commitments, secret_of(folder))
        except InputError as error:
            raise placed(error, str(folder / COMMITMENTS_FILE)) from error
        require_unchanged(changed, str(folder / WORKLOAD_FILE))
    return commitments


def refuse_changed_jobs(jobs: Workload, folder: Path) -> None:
    """Refuse jobs that are not as they were committed to in a folder, if that can be told.

    Raises
    ------
    InputError
        Naming the first such jobs.
    """
    changed = []
    with suppress(InputError):  # no commitments, or not by this secret
        if (kept := _published(folder / COMMITMENTS_FILE, None)) is not None:
            changed = changed_jobs(jobs, kept, secret_of(folder))
    require_unchanged(changed, str(folder / WORKLOAD_FILE))


def _published(path: Path, published: str | None) -> Commitments | None:
    """Return the commitments of a file, which end in the published line, or the published ones."""
    if published is not None and Path(published).is_file():  # to name the jobs that differ
        return read_commitments(Path(published))
    if not path.exists():
        if published is None:
            return None
        raise InputError("is missing", source=str(path), remedy="ask the centre for the file")
    commitments = read_commitments(path)
    if published is not None and commitments.line.hex() != line_of(published):
        raise InputError(
            f"ends in the line {commitments.line.hex()}, which is not the one published",
            source=str(path),
            remedy="name the published file in place of its last line, to see which jobs differ",
        )
    return commitments


def proof_for(
    run: StoredRun, directory: Path, commitments: Commitments, job: int
) -> dict[str, Any]:
    """Return the proof of all jobs of the user of a job, given by position.

    Parameters
    ----------
    run : StoredRun
        A run whose jobs are as they were committed to.
    directory : Path
        Directory of the run.
    commitments : Commitments
        See `require_committed`.
    job : int
        Position in the workload.

    Raises
    ------
    InputError
        The log does not say whose job it is: others of nobody known would be shown, too.
    """
    jobs = run.logged
    if jobs.user[job] < 0:
        raise InputError(
            f"the log does not say whose job {jobs.job_name(job)} is",
            source=str(directory),
            remedy="name a job of a known user",
        )
    user = Bids.of(jobs).user[job]
    return proof_of(jobs, commitments, secret_of(directory.resolve().parent), user)


def read_proof(path: Path, published: str) -> list[ProvenJob]:
    """Read a proof, and hold it against a published line; see `pricing.proofs.check_proof`.

    Raises
    ------
    InputError
        It cannot be read, or proves nothing.
    """
    try:
        document = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise failed("cannot be read", error, path, "have it written anew") from error
    try:
        return check_proof(document, line_of(published))
    except InputError as error:
        raise placed(error, str(path)) from error


def line_of(published: str) -> str:
    """Return the hexadecimal digits of a published line: that of a file, or the end of a row."""
    path = Path(published)
    if path.is_file():
        return read_commitments(path).line.hex()
    return published.rpartition(",")[2].strip()


def vouching(commitments: Commitments | None) -> str:
    """Say who vouches for the utility functions of a bill."""
    if commitments is None:
        return f"{NOBODY[0].upper()}{NOBODY[1:]}."
    line = commitments.line.hex()[:SHOWN]
    return f"Utility functions are those committed to; {COMMITMENTS_FILE} ends in {line}..."


def vouched_since(run: StoredRun, directory: Path) -> str | None:
    """Say since when the utility functions of a recorded log are vouched for; None otherwise."""
    read = text_at(directory / TIMING_FILE, READ)
    if run.record.get("scheduler") != RECORDED or read is None:
        return None
    return SINCE.format(datetime.fromtimestamp(float(read), UTC).date())
