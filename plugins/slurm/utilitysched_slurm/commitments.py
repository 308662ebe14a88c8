"""Commitments to the bids of a market, published as jobs are admitted and amended.

``commitments.csv`` is public, and grows by a row for each bid, and by the line of each day (UTC)
that has ended; see docs/files.md of utilitysched. ``bids.csv`` is the centre's own, and has what
opens the commitments. An amended bid stands behind the one before it, in both files.
"""

from __future__ import annotations

import csv
import io
import json
import math
import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np

from pricing.commitments import (
    COMMITMENT_COLUMNS,
    COMMITMENTS_FILE,
    Bids,
    Changed,
    next_line,
    read_commitments,
    require_unchanged,
    root_of,
    secret_digest,
)
from swfx import InputError, UtilityFunction, UtilityTable
from swfx.base.csv_columns import read_columns
from swfx.base.csv_rows import harmless
from swfx.base.secret import read_secret, write_secret
from utilitysched.runs.commitments import SECRET, SECRET_FILE, secret_of
from utilitysched_slurm.journal import grown, keep

BIDS_FILE = "bids.csv"
BID_COLUMNS = ("date", "job_id", "submit", "user", "processors", "request", "curve")
"""Columns of ``bids.csv``: s of Unix time, s; the curve as JSON, [s since submission, SU]."""


class CommittedBid(NamedTuple):
    """A bid to be committed to; times are in s.

    Attributes
    ----------
    job, user : str
        What users call the job, and whose it is.
    submit : float
        Its first submission (Unix time).
    processors : int
        CPUs.
    request : float
        Requested time.
    curve : UtilityFunction or None
        Bid.
    """

    job: str
    user: str
    submit: float
    processors: int
    request: float
    curve: UtilityFunction | None


JobCurve = tuple[str, UtilityFunction | None, float]
"""What users call a job, its curve as planned or charged, and its submission (s; may be NaN)."""


class BidJournal:
    """Files of the bids of a market, locked against other writers.

    Parameters
    ----------
    folder : Path
        Folder of the market; what is there is gone on with.

    Raises
    ------
    InputError
        The files cannot be written, or are not as they were published.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._secret = folder, _market_secret(folder)
        path = folder / COMMITMENTS_FILE
        with ExitStack() as opened:
            self._bids = opened.enter_context(grown(folder / BIDS_FILE, ",".join(BID_COLUMNS)))
            self._published = opened.enter_context(grown(path, ",".join(COMMITMENT_COLUMNS)))
            if path.read_text("utf-8").count("\n") == 1:  # a new file
                self._publish([("", "", secret_digest(self._secret))])
            kept = read_commitments(path)
            require_unchanged(changed_bids(folder, self._secret), str(folder / BIDS_FILE))
            self._line, self._date = kept.line, kept.pending.date if kept.pending else ""
            self._today = kept.pending.digest if kept.pending else []
            self._open = opened.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def require(self, curves: Iterable[JobCurve]) -> None:
        """Refuse curves that are none of those committed to for their jobs.

        Jobs to which nothing was committed are of a time before this file, unless they were
        submitted on a later day than that of its first commitment.

        Raises
        ------
        InputError
            Naming the first such jobs.
        """
        dates, bids = _read_bids(self._folder / BIDS_FILE)
        committed: dict[str, list[tuple[str, UtilityFunction | None]]] = defaultdict(list)
        for row, (job, date) in enumerate(zip(bids.job, dates, strict=True)):
            committed[job].append((date, bids.utility[row]))
        changed = []
        for job, curve, submit in curves:
            if job not in committed:
                if dates and not math.isnan(submit) and _day(submit) > dates[0]:
                    changed.append(Changed(job, ""))
            elif curve not in [bid for _, bid in committed[job]]:
                changed.append(Changed(job, committed[job][-1][0]))
        require_unchanged(changed, str(self._folder))

    def add(self, now: float, bids: Sequence[CommittedBid]) -> None:
        """Commit to bids, and publish the line of the last day if it has ended by `now` (s)."""
        date = _day(now)
        if self._today and date > self._date:
            self._line = next_line(self._line, self._date, len(self._today), root_of(self._today))
            self._publish([(self._date, "", self._line)])
            self._today = []
        if not bids:
            return
        if not self._today:
            self._date = date
        # first what opens a commitment: what was not committed to is admitted anew after a crash
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(_row(self._date, bid) for bid in bids)
        self._bids.write(text.getvalue())
        keep(self._bids)
        every = _columns(bids).digests(self._secret)
        rows = zip(bids, every, strict=True)
        self._publish([(self._date, bid.job, digest) for bid, digest in rows])
        self._today += every

    def _publish(self, rows: Iterable[tuple[str, str, bytes]]) -> None:
        self._published.writelines(f"{date},{job},{hashed.hex()}\n" for date, job, hashed in rows)
        keep(self._published)


def changed_bids(folder: Path, secret: bytes) -> list[Changed]:
    """Return the jobs of which a market has published a commitment that no bid of its file opens.

    Raises
    ------
    InputError
        A file cannot be read, or was made with another secret.
    """
    kept = read_commitments(folder / COMMITMENTS_FILE)
    if kept.first != secret_digest(secret):
        raise InputError(
            "was made with another secret",
            source=str(folder / COMMITMENTS_FILE),
            remedy=f"set {SECRET} to that of the market",
        )
    opened = set(_read_bids(folder / BIDS_FILE)[1].digests(secret))
    return [
        Changed(job, day.date)
        for day in (*kept.days, *([kept.pending] if kept.pending else []))
        for job, digest in zip(day.job, day.digest, strict=True)
        if digest not in opened
    ]


def _market_secret(folder: Path) -> bytes:
    """Return the secret of a market's commitments, drawn where no centre has given one."""
    folder.mkdir(parents=True, exist_ok=True)
    if read_secret(SECRET) is None and not (folder / SECRET_FILE).exists():
        write_secret(folder / SECRET_FILE, os.urandom(32).hex().encode())
    return secret_of(folder)


def _columns(bids: Sequence[CommittedBid]) -> Bids:
    terms = np.array([[bid.submit, bid.processors, bid.request] for bid in bids], np.float64)
    curves = UtilityTable.from_functions([bid.curve for bid in bids])
    return Bids([bid.job for bid in bids], [bid.user for bid in bids], terms, curves)


def _row(date: str, bid: CommittedBid) -> list[object]:
    curve = bid.curve
    points = [] if curve is None else np.column_stack([curve.times, curve.values]).tolist()
    user = harmless(bid.user)
    return [date, bid.job, repr(bid.submit), user, bid.processors, repr(bid.request), points]


def _read_bids(path: Path) -> tuple[Sequence[str], Bids]:
    """Return the days of bids, and the bids."""
    rows = read_columns(str(path), "restore the file")
    rows.require(BID_COLUMNS)
    names = ("submit", "processors", "request")
    terms = np.array([rows.numbers(name) for name in names], np.float64).reshape(3, -1).T
    try:
        curves = [
            np.array(json.loads(text), np.float64).reshape(-1, 2) for text in rows.cells["curve"]
        ]
        table = UtilityTable.from_points(
            [curve[:, 0] for curve in curves], [curve[:, 1] for curve in curves]
        )
    except (ValueError, TypeError) as error:
        raise InputError("has a curve that is none", source=str(path)) from error
    bids = Bids(list(rows.cells["job_id"]), list(rows.cells["user"]), terms, table)
    return rows.cells["date"], bids


def _day(time: float) -> str:
    return datetime.fromtimestamp(time, UTC).date().isoformat()
