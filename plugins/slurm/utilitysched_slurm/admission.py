"""Admission to the market: who is in it, on what terms, and whether their accounts pay."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from swfx import UtilityFunction
from swfx.accounting.annotations import Annotations
from utilitysched.runs.snapshot import Snapshot
from utilitysched_slurm.commands import Action
from utilitysched_slurm.comments import NEW, is_bid
from utilitysched_slurm.commitments import BidJournal, CommittedBid
from utilitysched_slurm.journal import said_as_comment
from utilitysched_slurm.queue import Worth
from utilitysched_slurm.reading import SlurmJob, in_turns
from utilitysched_slurm.reconcile import is_leaving
from utilitysched_slurm.store import AdmittedJob, MarketStore

if TYPE_CHECKING:
    from utilitysched_slurm.money import Treasury

MOST_ADMITTED = 1000
"""Jobs admitted in a cycle, each user's oldest first: the others are held until the next."""

MOST_AMENDED = 100
"""Jobs that get other terms in a cycle: each may take a quote."""

AMENDS = "amend "
"""Beginning of a comment that asks for other terms; the bid follows."""

QUOTED = 100
"""Letters of such a comment that the answer to it begins with."""

UNASKED = "its account was not asked yet"
"""Why a job waits that was admitted a moment ago."""


Moment = Callable[[Iterable[SlurmJob]], Snapshot]
"""Tells how the scheduler sees a queue of these jobs."""


class Admission:
    """Admission of jobs: their terms, and whether their accounts pay.

    Parameters
    ----------
    store : MarketStore
        Of the admitted jobs.
    worth : callable
        What jobs are worth, asked once when they are admitted.
    notes : list of str
        Where `worth` leaves what it has to say of a bid; emptied before each admission.
    purse : Treasury or None
        Who pays; None: nobody does.
    on_terms : callable
        Told of jobs that get other terms.
    bids : BidJournal
        Commits to bids before they count.
    """

    def __init__(
        self,
        store: MarketStore,
        worth: Worth,
        notes: list[str],
        purse: "Treasury | None",
        on_terms: Callable[[str, Annotations], None],
        bids: BidJournal,
    ) -> None:
        self._store, self._worth, self._notes, self._purse = store, worth, notes, purse
        self._on_terms, self._bids = on_terms, bids
        self._heard: dict[str, str] = {}
        self._seen_over: set[str] = set()
        self._turn = 0

    def admit(self, now: float, jobs: Sequence[SlurmJob], moment: Moment) -> list[Action]:
        """Admit new jobs, forget ended ones, and return actions that hold jobs left for later."""
        self._forget(now, jobs)
        jobs = [job for job in jobs if job.clear]
        known = self._store.active
        new = [job for job in jobs if job.key not in known and self._may_enter(job)]
        new.sort(key=lambda job: (job.submit, job.array or job.number))
        new = in_turns(new)
        now_in, later = new[:MOST_ADMITTED] + self._came_and_went(jobs), new[MOST_ADMITTED:]
        admitted = [(job, self._admitted(job, now)) for job in now_in]
        self._bids.add(now, [_bid(job, entry) for job, entry in admitted])
        self._store.keep([entry for _, entry in admitted])
        self._amend(now, jobs, moment)
        self._pay(now, jobs, moment)
        self._unblock(now, jobs)
        free = dict.fromkeys(job.entry for job in later if job.reason != "JobHeldAdmin")
        blank = dict.fromkeys(job.entry for job in later if job.admin_comment != NEW)
        hold, describe = Action("hold", ""), Action("describe", "", NEW)
        return [
            each._replace(key=key)
            for each, keys in ((hold, free), (describe, blank))
            for key in keys
        ]

    def _may_enter(self, job: SlurmJob) -> bool:
        """Return whether a job is to be admitted: it waits, and nobody else holds it."""
        if job.holds:
            return job.submit >= self._store.began
        ours = job.admin_comment == NEW or AdmittedJob.from_comment(job) is not None
        return job.waits and (not job.held or ours)

    def _came_and_went(self, jobs: Iterable[SlurmJob]) -> list[SlurmJob]:
        """Return the jobs that were submitted, ran and ended since the last look: they pay, too."""
        over = {job.key: job for job in jobs if job.over}
        fresh = [
            job
            for key, job in over.items()
            if key not in self._seen_over and key not in self._store.active
            if job.has_run and job.submit >= self._store.began
        ]
        self._seen_over = {*over}
        last = [(job, self._store.last(job.key)) for job in fresh]
        return [job for job, entry in last if entry is None or job.is_other(entry.submit)]

    def _admitted(self, job: SlurmJob, now: float) -> AdmittedJob:
        """Return a new admitted job, or the job of its AdminComment if the file was lost."""
        before = AdmittedJob.from_comment(job)
        if before is not None:
            return before
        self._notes.clear()
        bid = self._worth(job)
        note = " ".join(self._notes)
        submit = job.submit or now
        release = None if _blocked(job, now) else min(submit, now)
        refused = UNASKED if self._purse is not None else ""
        return AdmittedJob(
            job.key,
            submit,
            job.account,
            job.user,
            said_as_comment(bid),
            note,
            refused,
            release=release,
        )

    def _forget(self, now: float, jobs: Sequence[SlurmJob]) -> None:
        """Write down who has ended, who is back in the queue, and who has started."""
        active = self._store.active
        forgotten = {
            job.key: job
            for job in jobs
            if job.key in active and not job.is_other(active[job.key].submit)
        }
        gone = [
            key
            for key, entry in active.items()
            if key not in forgotten
            or (forgotten[key].over and not self._owes(forgotten[key], entry))
        ]
        self._store.change(gone, over=now)
        began = [key for key, entry in active.items() if entry.released and forgotten[key].holds]
        self._store.change(began, released=None)
        stays = [
            key
            for key, entry in active.items()
            if entry.leaving and not is_leaving(forgotten[key], entry)
        ]
        self._store.change(stays, leaving=None)

    def _owes(self, job: SlurmJob, entry: AdmittedJob) -> bool:
        """Return whether a job that is over ran although its account was not asked, or refused."""
        return self._purse is not None and bool(entry.refused) and job.has_run

    def _pay(self, now: float, jobs: Sequence[SlurmJob], moment: Moment) -> None:
        """Ask the accounts of jobs that were refused, or not asked yet for their next run."""
        if self._purse is None:
            return
        askable = self._askable(jobs)
        refused = self._purse.admit(
            [(job, entry.said) for job, entry in askable.values()],
            lambda: moment(job for job in jobs if job.key not in askable),
        )
        self._store.keep(
            replace(entry, refused=refused.get(key, ""))
            for key, (_, entry) in askable.items()
            if entry.refused != refused.get(key, "")
        )
        self._store.change([key for key, (job, _) in askable.items() if job.over], over=now)

    def _askable(self, jobs: Sequence[SlurmJob]) -> dict[str, tuple[SlurmJob, AdmittedJob]]:
        """Return jobs whose accounts are to be asked: new ones, and refused ones in turn."""
        assert self._purse is not None
        new, refused = {}, {}
        for job in jobs:
            entry = self._store.active.get(job.key)
            if entry is None or (job.over and not self._owes(job, entry)):
                continue
            if entry.refused not in {"", UNASKED} and not job.over:
                refused[job.key] = (job, entry)
            elif entry.refused or not self._purse.has(job):
                new[job.key] = (job, entry)
        again = list(refused.items())
        turn = self._turn % max(len(again), 1)
        self._turn += MOST_ADMITTED
        return new | dict([*again[turn:], *again[:turn]][:MOST_ADMITTED])

    def _amend(self, now: float, jobs: Sequence[SlurmJob], moment: Moment) -> None:
        """Give admitted jobs the new terms of their comments, as far as the rules allow."""
        active = self._store.active
        self._heard = {key: text for key, text in self._heard.items() if key in active}
        amendments = [
            job
            for job in jobs
            if job.key in active and job.comment.startswith(AMENDS) and not job.over
            if self._heard.get(job.key) != job.comment
        ]
        for job in in_turns(amendments)[:MOST_AMENDED]:
            self._heard[job.key] = job.comment
            others = partial(moment, [each for each in jobs if each is not job])
            after = self._amended(now, job, active[job.key], others)
            self._store.keep([after])
            self._on_terms(job.key, after.said)

    def _amended(
        self, now: float, job: SlurmJob, entry: AdmittedJob, others: Callable[[], Snapshot]
    ) -> AdmittedJob:
        """Return a job on new terms, or unchanged with a note of the reason.

        What was promised stays promised: who could bid less later would bid too much first. Only
        a job whose account could not pay may come down.
        """
        self._notes.clear()
        amended = job._replace(comment=job.comment.removeprefix(AMENDS), submit=entry.submit)
        bid = entry.said._replace(utility=self._worth(amended).utility)
        after = replace(
            entry, bid=said_as_comment(bid), note="", refused=UNASKED if entry.refused else ""
        )
        bids = is_bid(amended.comment)
        why = "it runs" if not job.waits else " ".join(self._notes) if bids else "no bid"
        if not (why or entry.refused):
            at = lowered_at(bid.utility, entry.said.utility)
            why = "" if at is None else f"worth less than before {at:.0f} s after submission"
        if not why and after.bid != entry.bid:
            self._bids.add(now, [_bid(job, after)])
        if self._purse is not None and not (why or entry.refused):
            why = self._purse.amend(job, after.said, others)
        return replace(entry, note=f"{job.comment[:QUOTED]}: {why}") if why else after

    def _unblock(self, now: float, jobs: Sequence[SlurmJob]) -> None:
        active = self._store.active
        waiting = [job for job in jobs if job.key in active and active[job.key].release is None]
        free = [job.key for job in waiting if not _blocked(job, now)]
        self._store.change(free, release=now)


def _bid(job: SlurmJob, entry: AdmittedJob) -> CommittedBid:
    return CommittedBid(
        entry.key, entry.user, entry.submit, job.processors, job.limit, entry.said.utility
    )


def _blocked(job: SlurmJob, now: float) -> bool:
    """Return whether a job waits for others, or for a time that its user named.

    After a requeue, Slurm itself names one, which a release overrules.
    """
    return job.depends or (not job.restarts and job.eligible > now)


def lowered_at(new: UtilityFunction | None, old: UtilityFunction | None) -> float | None:
    """Return when a curve is below another first (s after submission); None if it never is.

    Examples
    --------
    >>> later, dearer = UtilityFunction([0, 9], [4, 4]), UtilityFunction([0, 5], [6, 6])
    >>> lowered_at(later, UtilityFunction([0, 5], [4, 2])), lowered_at(dearer, later)
    (None, 5.000000000000001)
    """
    curves = [curve for curve in (new, old) if curve is not None]
    if old is None or not curves:
        return None
    corners = np.unique(np.concatenate([curve.times for curve in curves]))
    times = np.sort(np.concatenate([corners, np.nextafter(corners, np.inf)]))
    worth = np.zeros(len(times)) if new is None else new(times)
    before = old(times)
    below = (worth < before) & ~np.isclose(worth, before, rtol=1e-9)
    return float(times[below][0]) if below.any() else None
