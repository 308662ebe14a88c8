"""Store of a driver: which jobs it has admitted, at what worth, and what it has done with them."""

import json
import sqlite3
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from swfx import InputError
from swfx.accounting.annotations import Annotations, read_comment
from utilitysched_slurm.journal import said_as_comment
from utilitysched_slurm.reading import SlurmJob

FILE = "market.db"

ADMITTED = "admitted"
"""Key of an AdminComment of ours, beside those of comments: the first submission (s)."""

_TABLE = """
CREATE TABLE IF NOT EXISTS admitted (
  key TEXT NOT NULL, submit REAL NOT NULL, release REAL, account TEXT NOT NULL,
  user TEXT NOT NULL, said TEXT NOT NULL, note TEXT NOT NULL, refused TEXT NOT NULL,
  released REAL, leaving REAL, over REAL,
  PRIMARY KEY (key, submit)) STRICT;
CREATE TABLE IF NOT EXISTS began (at REAL NOT NULL) STRICT;
"""

_BEGAN = "INSERT INTO began SELECT ? WHERE NOT EXISTS (SELECT 1 FROM began)"


@dataclass(frozen=True)
class AdmittedJob:
    """A job from its admission on; times are in s of Unix time.

    Attributes
    ----------
    key : str
        What users call it.
    submit : float
        Its first submission: Slurm moves it at every requeue.
    account, user : str
        Whose it is.
    said : Annotations
        What it was taken to be worth, whatever its comment says later.
    note : str
        What its user is to know: that the comment could not be read.
    refused : str
        Why it may not start: its account cannot pay; empty if it may.
    release : float or None
        Since when it could start: the submission, or when what it waited for was over; None while
        it waits for that.
    released : float or None
        When Slurm was told to start it; None of one that is held.
    leaving : float or None
        When it was told to write a checkpoint and end; None of one that may stay.
    over : float or None
        When it was found to have ended for good.
    """

    key: str
    submit: float
    account: str
    user: str
    said: Annotations
    note: str = ""
    refused: str = ""
    release: float | None = None
    released: float | None = None
    leaving: float | None = None
    over: float | None = None

    @cached_property
    def text(self) -> str:
        """AdminComment: what `said` is, as comments say it, so that nothing is lost with a disk."""
        found = json.loads(said_as_comment(self.said) or "{}")
        found |= {ADMITTED: self.submit}
        for name, text in (("note", self.note), ("refused", self.refused)):
            if text:
                found[name] = text
        # a single quote would begin a quotation for scontrol
        return json.dumps(found, separators=(",", ":")).replace("'", "\\u0027")

    @classmethod
    def from_comment(cls, job: SlurmJob) -> "AdmittedJob | None":
        """Return what an AdminComment of ours says of a job; None if it is none."""
        try:
            found = json.loads(job.admin_comment)
            submit = float(found[ADMITTED])
        except (ValueError, TypeError, KeyError, RecursionError):
            return None
        said, problems = read_comment(job.admin_comment)
        if problems:
            return None
        note, refused = (str(found.get(name, "")) for name in ("note", "refused"))
        return cls(job.key, submit, job.account, job.user, said, note, refused, release=submit)


class MarketStore:
    """The file of a driver, of which the jobs that are not over are held in memory, too.

    Parameters
    ----------
    folder : Path
        Of the file, which is made if need be.

    Attributes
    ----------
    active : dict of str to AdmittedJob
        Jobs that are not over, by what users call them.
    began : float
        When the file was made (s).
    connection : sqlite3.Connection
        To the file; for others who keep something of these jobs.

    Raises
    ------
    InputError
        The file cannot be written, or is another one.
    """

    def __init__(self, folder: Path) -> None:
        path = folder / FILE
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self.connection = sqlite3.connect(path)
            self.connection.execute("PRAGMA journal_mode = WAL")
            self.connection.execute("PRAGMA synchronous = FULL")
            self.connection.executescript(_TABLE)
            with self.connection:
                self.connection.execute(_BEGAN, (time.time(),))
            self.began = float(self.connection.execute("SELECT at FROM began").fetchone()[0])
            rows = self.connection.execute(f"SELECT {_NAMES} FROM admitted WHERE over IS NULL")
            self.active = {job.key: job for job in map(_job, rows)}
        except (OSError, sqlite3.Error) as error:
            raise InputError(str(error), source=str(path), remedy="name another folder") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def keep(self, jobs: Iterable[AdmittedJob]) -> None:
        """Write down how these jobs are now, all or none."""
        jobs = list(jobs)
        if not jobs:
            return
        with self.connection:
            self.connection.executemany(
                f"INSERT OR REPLACE INTO admitted ({_NAMES}) VALUES ({_PLACES})", map(_row, jobs)
            )
        for job in jobs:
            if job.over is None:
                self.active[job.key] = job
            else:
                self.active.pop(job.key, None)

    def change(self, keys: Iterable[str], **values: Any) -> None:
        """Write down something of several jobs that are not over."""
        self.keep([replace(self.active[key], **values) for key in keys if key in self.active])

    def count(self) -> int:
        """Return how many jobs are over."""
        asked = "SELECT count(*) FROM admitted WHERE over IS NOT NULL"
        return int(self.connection.execute(asked).fetchone()[0])

    def last(self, key: str) -> AdmittedJob | None:
        """Return the job that was called so last, whether it is over or not."""
        asked = f"SELECT {_NAMES} FROM admitted WHERE key = ? ORDER BY submit DESC LIMIT 1"
        row = self.connection.execute(asked, (key,)).fetchone()
        return None if row is None else _job(row)


_FIELDS = [each.name for each in fields(AdmittedJob)]
_NAMES = ", ".join(_FIELDS)
_PLACES = ", ".join("?" * len(_FIELDS))


def _row(job: AdmittedJob) -> tuple[object, ...]:
    said = said_as_comment(job.said)
    return tuple(said if name == "said" else getattr(job, name) for name in _FIELDS)


def _job(row: tuple[Any, ...]) -> AdmittedJob:
    values: Mapping[str, Any] = dict(zip(_FIELDS, row, strict=True))
    return AdmittedJob(**{**values, "said": read_comment(values["said"])[0]})
