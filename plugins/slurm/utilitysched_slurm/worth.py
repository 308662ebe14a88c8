"""Worth of the jobs of a real queue: what they say, else what a model draws."""

from collections.abc import Callable
from datetime import UTC, tzinfo
from zlib import crc32

from swfx import InputError
from swfx.accounting.annotations import Annotations
from swfx.clock import Clock
from swfx.families.utilities.registry import make_model
from swfx.label_kinds import LABEL_KINDS
from utilitysched.market.quote import QuotedJob
from utilitysched.market.quote.request import read_curve
from utilitysched.runs.snapshot import Snapshot
from utilitysched_slurm.comments import Bid, is_bid, read_bid
from utilitysched_slurm.queue import Worth
from utilitysched_slurm.reading import SlurmJob

NONE = "none"
"""In place of a model: jobs that say nothing are worth nothing."""


def worth_by(
    model: str,
    seed: int,
    zone: tzinfo = UTC,
    on_note: Callable[[str], None] = lambda _: None,
) -> Worth:
    """Return a function from a job to its curve and checkpoints.

    Parameters
    ----------
    model : str
        As ``--utilities`` takes it, or ``none``; asked where a job does not say it.
    seed : int
        Of the draws; each job has its own, whenever it is seen.
    zone : tzinfo
        Of clocks that curves go by.
    on_note : callable
        Told, in a sentence, of bids that cannot be read and jobs for which the model has nothing.

    Raises
    ------
    InputError
        There is no such model.
    """
    if model != NONE:
        make_model(model)

    def worth(job: SlurmJob) -> Annotations:
        annotations, problem = _said(job, zone)
        if problem:
            on_note(f"job {job.key}: its comment is no bid: {problem}; {model} instead")
        if annotations.utility is not None or model == NONE:
            return annotations
        moment = Snapshot(job.submit, job.processors, clock=Clock(0, zone))
        request = QuotedJob(job.processors, job.limit, labels=_labels(job))
        try:
            curve = read_curve(model, moment, request, _seed(job, seed))
        except InputError:
            on_note(f"job {job.key}: {model} has no curve for it")
            return annotations
        return annotations._replace(utility=curve)

    return worth


def _said(job: SlurmJob, zone: tzinfo) -> Bid:
    """Return what the first of the comments says that says anything."""
    for text in (job.comment, job.admin_comment):
        if is_bid(text):
            return read_bid(text, job.submit, zone)
    return Bid()


def _labels(job: SlurmJob) -> dict[str, str]:
    names = {
        "user": job.user,
        "account": job.account,
        "partition": job.partition,
        "job_name": job.name,
        "comment": "" if is_bid(job.comment) else job.comment,
    }
    return {kind: name for kind, name in names.items() if name and kind in LABEL_KINDS}


def _seed(job: SlurmJob, seed: int) -> int:
    return crc32(job.key.encode(), seed)
