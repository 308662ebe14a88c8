"""Quotes as one waits: rough at once, then better, in processes that are ready for them.

A task is JSON, and so is its answer. What a number rests on is in the task: the moment, the job,
its curve, the terms and the versions of what computes; the same task has the same answer.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
import os
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, NamedTuple

from swfx import InputError, UtilityFunction
from utilitysched.market.quote import Prospect, QuotedJob, Quoter, QuoteTerms
from utilitysched.model.versions import versions
from utilitysched.runs.snapshot import Snapshot
from utilitysched.runs.snapshot.document import from_text
from utilitysched.workers.executor import Work
from utilitysched.workers.local import KILLED, standing_processes

Document = dict[str, Any]

Submit = Callable[[bytes], "Future[bytes]"]

SHARE = 0.8
"""Share of the samples that a band holds."""

QUANTILES = ((1 - SHARE) / 2, 0.5, (1 + SHARE) / 2)
BEHIND = 5
"""Niceness of the process for better figures."""


class QuoteStep(NamedTuple):
    """How thorough a quote is.

    Attributes
    ----------
    samples : int
        Of all run times.
    whole : bool
        Other times of submission and higher bids are tried as well.
    """

    samples: int
    whole: bool


STEPS = (QuoteStep(5, whole=False), QuoteStep(30, whole=True), QuoteStep(100, whole=True))
"""From the first figures to the last."""


@dataclass(frozen=True)
class QuoteRules:
    """Rules of a server's quotes.

    Attributes
    ----------
    scheduler, mechanism : str
        Who decides and who charges.
    seed : int
        Of all draws.
    """

    scheduler: str
    mechanism: str
    seed: int = 0


class MadeQuote(NamedTuple):
    """A quote's task and answer.

    Attributes
    ----------
    task, answer : dict
        As `task_of` and `answered` have them.
    """

    task: Document
    answer: Document


class QuoteQuestion(NamedTuple):
    """Question of a page for a quote.

    Attributes
    ----------
    moment : str
        A snapshot as JSON.
    job : QuotedJob
        The job, with one utility function.
    later : mapping of str to float
        When else it might be submitted (s), by what people call that.
    budget : float or None
        Highest value of a bid that the account can pay (SU); None for any.
    """

    moment: str
    job: QuotedJob
    later: Mapping[str, float]
    budget: float | None = None

    @property
    def subject(self) -> str:
        """What is asked about, whatever the moment and however thorough the answer."""
        return json.dumps([self.job.members, _points(self.job)])


def _points(job: QuotedJob) -> list[list[float]]:
    (curve,) = job.curves.values()
    return [list(point) for point in zip(curve.times.tolist(), curve.values.tolist(), strict=True)]


def task_of(question: QuoteQuestion, rules: QuoteRules, step: QuoteStep) -> Document:
    """Return the task of a quote: all that its numbers depend on."""
    return {
        "moment": question.moment,
        "job": question.job.members,
        "curve": _points(question.job),
        "later": dict(question.later) if step.whole else {},
        "hurry": step.whole,
        "budget": question.budget,
        "scheduler": rules.scheduler,
        "mechanism": rules.mechanism,
        "quantiles": list(QUANTILES),
        "samples": step.samples,
        "seed": rules.seed,
        "versions": versions(),
    }


def digest_of(task: Document) -> str:
    """Return the SHA-256 of a task."""
    return hashlib.sha256(sent(task)).hexdigest()


def sent(task: Document) -> bytes:
    """Return a task in bytes."""
    return json.dumps(task, sort_keys=True, separators=(",", ":")).encode()


def answered(task: bytes) -> bytes:
    """Do a task: JSON with what to expect now, at the other times, and with a higher bid.

    Charges are rounded as users may see them, on pages and in JSON alike, whoever asks.

    Raises
    ------
    InputError
        As `utilitysched.market.quote.quote`.
    """
    request = json.loads(task)
    shares = tuple(request["quantiles"])
    mechanisms = (request["mechanism"],)
    terms = QuoteTerms(
        request["scheduler"],
        mechanisms,
        request["samples"],
        shares,
        request["seed"],
        rounded=True,
        budget=math.inf if request["budget"] is None else request["budget"],
    )
    snapshot = _moment(request["moment"])
    curve = UtilityFunction(*zip(*request["curve"], strict=True))
    quoter = Quoter(snapshot, QuotedJob(**request["job"], curves={"": curve}), terms)
    document: Document = {"samples": request["samples"], "seed": request["seed"]}
    if request["hurry"]:
        offer = quoter.offer("")
        prospect, hurry = offer.now, offer.hurry
        expected = hurry.prospect and _expected(hurry.prospect)
        document["hurry"] = {"factor": hurry.factor, "why_not": hurry.why, "expected": expected}
    else:
        prospect = quoter.expected(curve, snapshot.now)
    document["now"] = _expected(prospect)
    document["later"] = {
        name: _expected(quoter.expected(curve, at)) for name, at in request["later"].items()
    }
    return json.dumps(document).encode()


def _expected(prospect: Prospect) -> Document:
    """Return times (s) and SU, each with its mean and the quantiles that were asked for."""
    (charge,) = prospect.charges.values()
    figures = {"wait": prospect.wait, "turnaround": prospect.turnaround}
    figures |= {"completion": prospect.completion, "worth": prospect.worth, "charge": charge}
    spreads = {
        name: {"mean": each.mean, "quantiles": each.quantiles} for name, each in figures.items()
    }
    return {"submit": prospect.submit, **spreads}


@lru_cache(maxsize=4)
def _moment(text: str) -> Snapshot:
    return from_text(text, "the moment")


def _prepared(behind: int) -> Callable[[bytes], bytes]:
    os.nice(behind)
    return answered


@dataclass(eq=False)
class _Turn:
    """The latest question of a page, and what is being done for it."""

    future: Future[bytes] | None = None


@dataclass(eq=False)
class QuoteDesk:
    """Answers questions, each better and better until the page asks another.

    Parameters
    ----------
    first, better : callable
        Take a task, and do it in processes of their own, so that first figures wait for no others.
    rules : QuoteRules
        How.
    """

    first: Submit
    better: Submit
    rules: QuoteRules
    _turns: dict[str, _Turn] = field(default_factory=dict)

    async def quote(self, question: QuoteQuestion, step: QuoteStep = STEPS[1]) -> MadeQuote:
        """Return one quote; see `quotes`."""
        return await self._made(_Turn(), task_of(question, self.rules, step))

    async def quotes(self, page: str, question: QuoteQuestion) -> AsyncIterator[MadeQuote]:
        """Yield better and better quotes, until the page asks another question.

        Parameters
        ----------
        page : str
            Who asks: one that is open in a browser.
        question : QuoteQuestion
            What.

        Raises
        ------
        InputError
            As `utilitysched.market.quote.quote`.
        """
        turn = self._begin(page)
        try:
            for step in STEPS:
                made = await self._made(turn, task_of(question, self.rules, step))
                if self._turns.get(page) is not turn:
                    return
                yield made
        except asyncio.CancelledError:
            if self._turns.get(page) is turn:  # not by a newer question: the page is gone
                raise
        finally:
            if self._turns.get(page) is turn:
                del self._turns[page]

    def _begin(self, page: str) -> _Turn:
        before, turn = self._turns.get(page), _Turn()
        self._turns[page] = turn
        if before is not None and before.future is not None:
            before.future.cancel()
        return turn

    async def _made(self, turn: _Turn, task: Document) -> MadeQuote:
        submit = self.better if task["hurry"] else self.first
        turn.future = submit(sent(task))
        try:
            answer: bytes = await asyncio.wrap_future(turn.future)
        except KILLED:
            raise InputError(
                "the process that quotes was killed, perhaps because memory ran out",
                remedy="ask again: there is a new one",
            ) from None
        return MadeQuote(task, json.loads(answer))


@contextmanager
def quote_processes() -> Iterator[tuple[Submit, Submit]]:
    """Keep two processes until the block ends: for first figures, and for better ones.

    The latter steps back where processors are few: neither first figures nor pages wait for it.
    """
    urgent, patient = (Work("quote", partial(_prepared, behind)) for behind in (0, BEHIND))
    with standing_processes(1, urgent) as first, standing_processes(1, patient) as better:
        yield first, better


def quote_desk(
    processes: tuple[Submit, Submit], rules: QuoteRules, usual: QuoteQuestion
) -> QuoteDesk:
    """Return a desk whose processes warm up with a usual question."""
    trial = sent(task_of(usual, rules, STEPS[0]))
    for submit in processes:
        submit(trial)
    return QuoteDesk(*processes, rules)


def thread_desk(rules: QuoteRules) -> QuoteDesk:
    """Return a desk with one thread of this process."""
    one = ThreadPoolExecutor(1)

    def submit(task: bytes) -> Future[bytes]:
        return one.submit(answered, task)

    return QuoteDesk(submit, submit, rules)
