"""Submissions of jobs with a bid: what Slurm makes of them, and what they would get and pay."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, tzinfo
from typing import TYPE_CHECKING, NamedTuple

from swfx import InputError
from swfx.accounting.annotations import Annotations
from swfx.accounting.quantities import duration
from swfx.families.formats.slurm import DEFAULT_LIMIT
from utilitysched.market.quote import WORTHLESS, Quote, QuotedJob, QuoteTerms, quote
from utilitysched.runs.snapshot import Snapshot
from utilitysched.schedulers.registry import make_scheduler
from utilitysched_slurm import commands
from utilitysched_slurm.admission import AMENDS, QUOTED
from utilitysched_slurm.comments import NEW, is_bid, read_bid
from utilitysched_slurm.moment import snapshot_of, user_number
from utilitysched_slurm.queue import Worth
from utilitysched_slurm.reading import SlurmJob, read_jobs, read_pool
from utilitysched_slurm.store import AdmittedJob

if TYPE_CHECKING:
    from utilitysched_slurm.watch import ClusterView

_OPTION = re.compile(r"^sbatch: ([a-z-]+) +: (.*)$", re.MULTILINE)
_PROCESSORS = re.compile(
    r"^sbatch: Job \d+ to start at \S+(?: on cluster \S+)?(?: a)? using (\d+) processors on ",
    re.MULTILINE,
)
"""What sbatch says of a test: from 25.05 on with a stray letter, in federations with a cluster."""

_PARTITION = re.compile(r" in partition (\S+)$", re.MULTILINE)


class TypedBid(NamedTuple):
    """A bid as options of a command; empty texts are options not given.

    Attributes
    ----------
    value, deadline, checkpoint : str
        As in a comment: ``deadline=18:00,value=40,checkpoint=10min``.
    curve : str
        Another comment in its place: points, JSON, or the name of a curve of the centre.
    """

    value: str = ""
    deadline: str = ""
    checkpoint: str = ""
    curve: str = ""

    def comment(self, now: float, zone: tzinfo) -> str:
        """Return the bid as a comment, empty if nothing was typed.

        Raises
        ------
        InputError
            No market would take it.
        """
        given = [(key, text) for key, text in self._asdict().items() if text and key != "curve"]
        if self.curve and given:
            raise InputError(f"--curve and --{given[0][0]} exclude each other")
        text = self.curve or ",".join(f"{key}={value}" for key, value in given)
        if problem := read_bid(text, now, zone).problem:
            raise InputError(problem, source=text)
        return text


def tested(arguments: Sequence[str], now: float, user: str) -> SlurmJob:
    """Return the job that sbatch would make of these arguments, without submitting it.

    Raises
    ------
    SlurmError
        It would make none.
    """
    output = commands.submit(["--test-only", "--verbose", *arguments])
    match = _PROCESSORS.search(output)
    if match is None:
        raise commands.SlurmError("does not say how many processors that is", source="sbatch")
    options: Mapping[str, str] = dict(reversed(_OPTION.findall(output)))  # of parts, the first
    partition = _PARTITION.search(output)
    where = partition[1] if partition else options.get("partition", "")
    return SlurmJob(
        key="new",
        submit=now,
        eligible=now,
        limit=_limit(options.get("time") or commands.default_limit(where)),
        processors=int(match[1]),
        rerunnable="no-requeue" not in options,
        user=user,
        account=options.get("account", ""),
        partition=where,
        name=options.get("job-name", ""),
        comment=options.get("comment", ""),
    )


def market_worth(worth: Worth) -> Worth:
    """Return the worth of jobs in a market: their terms at admission, else their bids."""

    def told(job: SlurmJob) -> Annotations:
        entry = AdmittedJob.from_comment(job)
        return worth(job) if entry is None else entry.said

    return told


def as_in_market(job: SlurmJob) -> SlurmJob:
    """Return a job from the market's point of view.

    What it holds, and may start, is held by nobody; a curve begins with the first submission; jobs
    that it has not admitted are not preempted.
    """
    entry = AdmittedJob.from_comment(job)
    if entry is None and job.admin_comment != NEW:
        return job._replace(rerunnable=False)
    if entry is not None and job.restarts:
        job = job._replace(submit=entry.submit, eligible=entry.submit)
    if not (job.waits and job.held) or job.depends or (entry is not None and entry.refused):
        return job
    return job._replace(held=False, reason="")


def market_moment(
    cluster: "ClusterView", now: float, worth: Worth, scheduler: str, partition: str = ""
) -> Snapshot:
    """Return the queue of a market as it is read now.

    Parameters
    ----------
    cluster : ClusterView
        Tells of queue and nodes.
    now : float
        The moment (s of Unix time).
    worth : callable
        What jobs are worth that were not admitted.
    scheduler : str
        Who decides.
    partition : str
        The only one that the market has, if any.

    Raises
    ------
    SlurmError
        The cluster does not answer.
    """
    jobs = [as_in_market(each) for each in read_jobs(cluster.queue(), partition)]
    pool = read_pool(cluster.nodes(), partition)
    preempts = make_scheduler(scheduler).preempts
    return snapshot_of(now, jobs, pool, market_worth(worth), scheduler, preempts=preempts)


def quote_of(job: SlurmJob, partition: str, worth: Worth, terms: QuoteTerms) -> Quote:
    """Return what a job would get and pay if it were submitted now.

    Parameters
    ----------
    job : SlurmJob
        The job.
    partition : str
        The only one that the market has, if any.
    worth : callable
        What jobs are worth that were not admitted.
    terms : QuoteTerms
        How.

    Raises
    ------
    InputError
        The job cannot run on the machine, or the terms cannot be.
    SlurmError
        The cluster does not answer.
    """
    moment = market_moment(commands, job.submit, worth, terms.scheduler, partition)
    curve = worth(job).utility
    name = job.comment if curve is not None and is_bid(job.comment) else "its curve"
    curves = {name: WORTHLESS if curve is None else curve}
    request = QuotedJob(job.processors, job.limit, user_number(job.user), curves=curves)
    return quote(moment, request, terms)


def amendment_of(job: SlurmJob, bid: TypedBid, now: float, zone: tzinfo) -> str:
    """Return the comment that asks for other terms for a job.

    A deadline counts from now, where comments count from the first submission; points do so here,
    too.

    Raises
    ------
    InputError
        No market would take it, or the job is not admitted.
    """
    entry, text = AdmittedJob.from_comment(job), bid.comment(now, zone)
    if not is_bid(text):
        raise InputError("no bid", remedy="give --value and --deadline, or points as --curve")
    if job.over:
        raise InputError(f"job {job.key} has ended")
    if entry is None:
        raise InputError(
            f"job {job.key} is not admitted",
            remedy=f"to change its bid before: scontrol update JobId={job.key} Comment={text}",
        )
    curve = read_bid(text, now, zone).said.utility
    if curve is not None and not bid.curve:
        return f"{AMENDS}deadline={curve.times[-1] + now - entry.submit:.0f},value={bid.value}"
    return f"{AMENDS}{text}"


def answered(job: SlurmJob, comment: str) -> str | None:
    """Return why a job does not get the terms that a comment asks for.

    Empty if it has them, None if nobody has answered yet.
    """
    entry = AdmittedJob.from_comment(job)
    if entry is None:
        return None
    wanted = read_bid(comment.removeprefix(AMENDS), entry.submit, UTC).said.utility
    if entry.said.utility == wanted:
        return entry.refused
    mine, _, why = entry.note.partition(": ")
    return why if mine == comment[:QUOTED] else None


def job_called(key: str) -> SlurmJob:
    """Return the job of this name.

    Raises
    ------
    InputError
        There is none.
    """
    for job in read_jobs(commands.queue()):
        if job.key == key:
            return job
    raise InputError(f"there is no job {key}", remedy="see squeue")


def _limit(text: str) -> float:
    return duration(text, "time", alone=60.0) or DEFAULT_LIMIT
