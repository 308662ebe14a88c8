"""Store of a driver: which jobs it has admitted, at what worth, and what it has done with them."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, Self

from swfx.accounting.annotations import Annotations, read_comment
from swfx.base.errors import failed
from swfx.base.row_file import RowFile
from utilitysched_slurm.journal import said_as_comment
from utilitysched_slurm.reading import SlurmJob

FILE = "market.db"

ADMITTED = "admitted"
"""Key of an AdminComment of ours, beside those of comments: the first submission (s)."""

VERSION = 1
"""Of the file."""


class Beginning(NamedTuple):
    """When a market began (s of Unix time)."""

    at: float


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
    bid : str
        Curve and checkpoints as they were at admission, as `said_as_comment` writes them.
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
    bid: str
    note: str = ""
    refused: str = ""
    release: float | None = None
    released: float | None = None
    leaving: float | None = None
    over: float | None = None

    @cached_property
    def said(self) -> Annotations:
        """Curve and checkpoints at admission."""
        return read_comment(self.bid)[0]

    @cached_property
    def text(self) -> str:
        """AdminComment of the job: the bid and all that a lost file would have to say of it."""
        document = json.loads(self.bid or "{}")
        document |= {ADMITTED: self.submit}
        for name, text in (("note", self.note), ("refused", self.refused)):
            if text:
                document[name] = text
        # a single quote would begin a quotation for scontrol
        return json.dumps(document, separators=(",", ":")).replace("'", "\\u0027")

    def as_job(self) -> SlurmJob:
        """Return what is known of the job without Slurm."""
        array, _, task = self.key.partition("_")
        return SlurmJob(
            self.key,
            array=int(array) if task else 0,
            submit=self.submit,
            account=self.account,
            user=self.user,
            admin_comment=self.text,
        )

    @classmethod
    def from_comment(cls, job: SlurmJob) -> "AdmittedJob | None":
        """Return what an AdminComment of ours says of a job; None if it is none."""
        try:
            document = json.loads(job.admin_comment)
            submit = float(document[ADMITTED])
        except (ValueError, TypeError, KeyError, RecursionError):
            return None
        annotations, problems = read_comment(job.admin_comment)
        if problems:
            return None
        note, refused = (str(document.get(name, "")) for name in ("note", "refused"))
        bid = said_as_comment(annotations)
        return cls(job.key, submit, job.account, job.user, bid, note, refused, release=submit)


class MarketStore:
    """File of a driver's admitted jobs; those that are not over are in memory, too.

    Parameters
    ----------
    folder : Path
        Folder of the file, made if need be.
    now : float
        When the market begins, if there was none (s).

    Attributes
    ----------
    active : dict of str to AdmittedJob
        Jobs that are not over, by what users call them.
    began : float
        When the file was made (s).

    Raises
    ------
    InputError
        The file cannot be written, or is another one.
    """

    def __init__(self, folder: Path, now: float) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise failed("cannot be made", error, folder, "name another folder") from error
        tables = {AdmittedJob: ["key submit", "over"], Beginning: ["at"]}
        self.file = RowFile(folder / FILE, VERSION, tables)
        with self.file.writing():
            if not self.file.count(Beginning):
                self.file.put([Beginning(now)])
        [first] = self.file.find(Beginning)
        self.began = first.at
        self.active = {job.key: job for job in self.file.find(AdmittedJob, over=None)}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def keep(self, jobs: Iterable[AdmittedJob]) -> None:
        """Write down how these jobs are now, all or none."""
        jobs = list(jobs)
        if not jobs:
            return
        self.file.put(jobs)
        for job in jobs:
            if job.over is None:
                self.active[job.key] = job
            else:
                self.active.pop(job.key, None)

    def change(self, keys: Iterable[str], **values: Any) -> None:
        """Change fields of jobs that are not over."""
        self.keep([replace(self.active[key], **values) for key in keys if key in self.active])

    def count(self) -> int:
        """Return the number of jobs that are over."""
        return self.file.count(AdmittedJob) - len(self.active)

    def last(self, key: str) -> AdmittedJob | None:
        """Return the latest job of that name, over or not."""
        rows = self.file.find(AdmittedJob, last_by="submit", most=1, key=key)
        return rows[0] if rows else None
