"""Holds for jobs of a real queue: what they will pay, as far as that can be told."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from pricing.ceilings import Bounded, ceilings
from pricing.counterfactual import ACCOUNTS
from pricing.registry import PriceMechanism, make_mechanism
from pricing.resources import CPU
from swfx import Header, InputError, UtilityFunction, UtilityTable, Workload
from swfx.header import named
from swfx.label_kinds import LABEL_KINDS
from swfx.labels import means
from utilitysched.market.quote import WORTHLESS, QuotedJob, Quoter, QuoteTerms
from utilitysched.runs.snapshot import QueuedJob, RunningJob, Snapshot
from utilitysched_slurm.moment import user_number, with_all_back
from utilitysched_slurm.reading import SlurmJob

QUANTILE = 0.9
"""Share of the samples in which a job pays no more than is held, unless another is asked for."""

PLAYED = 20_000
"""Jobs that quotes of one cycle play at most, over all samples."""

MOST_QUOTED = 20
"""Quotes of one cycle: they take a fraction of a second."""

QUOTED = ("first-price", "single-price", "vcg")
"""Mechanisms by which a quote of one job is made; others go by queues, of which it has none."""

_QUEUE = "qos"

_BY = ("queue", "partition", "account", "user")
"""Kinds of labels that rates may be for: of the first one, Slurm has QOS."""


class Hold(NamedTuple):
    """An amount to be held for a job (SU), and what that is."""

    amount: float
    basis: str


@dataclass(frozen=True)
class HoldRule:
    """How much is held for jobs.

    Attributes
    ----------
    mechanism : str
        By which they are charged, as `pricing.make_mechanism` takes it.
    scheduler : str
        Who decides; empty if nobody is asked, and the most is held: who preempts would have to be
        asked at every event of every sample.
    quantile : float
        Share of the samples of a quote in which the job pays no more.
    seed : int
        Of the draws.

    Raises
    ------
    InputError
        Jobs cannot be charged so one by one, or it is no share.
    """

    mechanism: str
    scheduler: str = ""
    quantile: float = QUANTILE
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.quantile <= 1:
            raise InputError(
                f"{self.quantile:g} is not more than 0 and at most 1", field="quantile"
            )
        made = self.made
        if getattr(made, "scope", "") != "job" or made.replays is not None:
            raise InputError(
                f"{made.label} does not charge jobs one by one, when they end",
                field="mechanism",
                remedy="name first-price, single-price, multi-queue or vcg",
            )
        if made.ranks:
            raise InputError(
                f"{made.label} charges what the scheduler read, which nobody notes",
                field="mechanism",
                remedy="leave reading out",
            )
        rule = made.pivots
        if rule is not None and (
            rule.reservations or rule.duration == "actual" or rule.players == ACCOUNTS
        ):
            raise InputError(
                f"{made.label} asks what is not known when a job starts",
                field="mechanism",
                remedy="leave out reservations, settle=end and players=accounts",
            )
        by = getattr(made, "by", _BY[0])
        if by not in _BY:
            raise InputError(
                f"rates by {by} are not those of jobs that wait",
                field="by",
                remedy=f"name {', '.join(_BY[1:])}, or leave by out: then rates are for QOS",
            )
        if by == _BY[0] and any(not isinstance(q, str) for q, _ in getattr(made, "rates", ())):
            raise InputError(
                "queues of Slurm have no numbers",
                field="rates",
                remedy="name QOS: multi-queue:rates=high:3,normal:1",
            )
        if (of := getattr(made, "of", CPU)) != CPU:
            raise InputError(
                f"what jobs that wait will hold of {of} is not known",
                field="of",
                remedy="leave of out",
            )

    @property
    def made(self) -> PriceMechanism:
        """The mechanism."""
        return make_mechanism(self.mechanism)

    def holds(
        self,
        jobs: Sequence[SlurmJob],
        curves: Sequence[UtilityFunction | None],
        moment: Callable[[], Snapshot],
    ) -> list[Hold]:
        """Return what is to be held for jobs.

        As many as `MOST_QUOTED` and `PLAYED` allow are quoted, the first ones; for all others it is
        the most that they can come to cost, or, where no mechanism says that, what they are worth.
        Where processors are away, the dearer of two quotes counts: they stay away, or are back.

        Parameters
        ----------
        jobs : sequence of SlurmJob
            n of them.
        curves : sequence of UtilityFunction or None
            What each is worth.
        moment : callable
            Returns the queue without them; asked only if any is quoted.
        """
        estimate = self._most(jobs, curves)
        if not jobs or not self._quotes:
            return estimate
        snapshot = moment()
        moments = [snapshot]
        if len((back := with_all_back(snapshot)).running) < len(snapshot.running):
            moments.append(back)  # who would wait for them for ever would pay nothing
        there = len(moments) * (1 + len(snapshot.queued) + len(snapshot.running))
        most = min(MOST_QUOTED, PLAYED // (QuoteTerms.samples * there))
        for place in range(min(len(jobs), most)):
            job = jobs[place]
            request = QuotedJob(job.processors, job.limit, user_number(job.user))
            curve = curves[place] or WORTHLESS
            quotes = [self._quoted(each, request, curve) for each in moments]
            told = [quoted for quoted in quotes if quoted is not None]
            if len(told) == len(quotes) and max(told).amount < estimate[place].amount:
                estimate[place] = max(told)
        return estimate

    def rehearse(self) -> None:
        """Quote a job beside others, so that whatever a quote compiles is compiled."""
        if self._quotes:
            running, queued = RunningJob(1, 1, 60.0), QueuedJob(2, 0.0, 2, 60.0, WORTHLESS)
            snapshot = Snapshot(0.0, 2, (running,), (queued,))
            self._quoted(snapshot, QuotedJob(1, 60.0), WORTHLESS, math.inf)

    @property
    def _quotes(self) -> bool:
        """Whether quotes of single jobs say what is held for them."""
        return bool(self.scheduler) and self.mechanism.partition(":")[0] in QUOTED

    def _most(
        self, jobs: Sequence[SlurmJob], curves: Sequence[UtilityFunction | None]
    ) -> list[Hold]:
        """Return the most that each can cost, each told apart from the others."""
        made = self.made
        if not isinstance(made, Bounded):
            worth = waiting(jobs, curves).utility.start_values.tolist()
            return [Hold(each, "worth") for each in worth]
        # a job that may run in several partitions holds for the dearest of them
        there = [
            (place, job._replace(partition=name))
            for place, job in enumerate(jobs)
            for name in job.partition.split(",")
        ]
        held = waiting([job for _, job in there], [curves[place] for place, _ in there])
        most = [0.0] * len(jobs)
        for (place, _), amount in zip(there, ceilings(held, made).tolist(), strict=True):
            most[place] = max(most[place], amount)
        return [Hold(each, "most") for each in most]

    def _quoted(
        self,
        snapshot: Snapshot,
        job: QuotedJob,
        curve: UtilityFunction,
        limit: float = QuoteTerms.limit,
    ) -> Hold | None:
        """Return the quantile of what a job will pay; None where that cannot be told."""
        terms = QuoteTerms(
            self.scheduler,
            (self.mechanism,),
            quantiles=(self.quantile,),
            seed=self.seed,
            limit=limit,
        )
        try:
            charges = Quoter(snapshot, job, terms).expected(curve, snapshot.now).charges
        except InputError:  # what was promised to the scheduler, or it, cannot be foreseen
            return None
        (spread,) = charges.values()
        return Hold(spread.quantiles[0], f"quoted {self.quantile:g}")


def waiting(jobs: Sequence[SlurmJob], curves: Sequence[UtilityFunction | None]) -> Workload:
    """Return waiting jobs as a workload of jobs that run up to their limits."""
    labels: dict[str, Any] = {}
    names: list[str] = []
    for kind in (_QUEUE, *_BY[1:]):
        texts = [getattr(job, kind) for job in jobs]
        numbers = {text: number for number, text in enumerate(dict.fromkeys(texts), 1) if text}
        key = LABEL_KINDS[kind].key
        names += [named(key, number, text) for text, number in numbers.items()]
        labels[kind] = [numbers.get(text, -1) for text in texts]
    limit = np.array([job.limit for job in jobs])
    return Workload.from_columns(
        submit=np.zeros(len(jobs)),
        run=limit,
        requested_time=limit,
        processors=np.array([job.processors for job in jobs], dtype=np.int64),
        queue=labels.pop(_QUEUE),
        **labels,
        header=Header((*means(queue=_QUEUE), *names)),
    ).replace(utility=UtilityTable.from_functions(curves))
