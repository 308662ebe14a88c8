"""Quotes as one waits: what each step says, what a newer question ends, what is kept."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator
from concurrent.futures import Future
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from pricing.disclosure import band
from swfx import InputError, UtilityFunction
from utilitysched.market.quote import QuotedJob, QuoteTerms, quote
from utilitysched.runs.snapshot import FinishedJob, QueuedJob, RunningJob, Snapshot
from utilitysched.runs.snapshot.document import to_text
from utilitysched_web.quote_store import QuoteStore
from utilitysched_web.quoting import (
    STEPS,
    MadeQuote,
    QuoteDesk,
    QuoteQuestion,
    QuoteRules,
    QuoteStep,
    answered,
    digest_of,
    quote_desk,
    quote_processes,
    sent,
    task_of,
)

CURVE = UtilityFunction([0, 100], [10, 0])
WAITING = QueuedJob(2, 0, 1, 30, UtilityFunction([0, 100], [80, 0]))
ENDED = tuple(FinishedJob(-1, 10.0, float(run)) for run in range(1, 11))
MOMENT = Snapshot(0.0, 1, (RunningJob(1, 1, 10, start=-10),), (WAITING,), ENDED)
JOB = QuotedJob(1, 10.0, curves={"": CURVE})
QUESTION = QuoteQuestion(to_text(MOMENT), JOB, {"later": 60.0})
RULES = QuoteRules("value-density", "vcg")


def at_once(task: bytes) -> Future[bytes]:
    done: Future[bytes] = Future()
    try:
        done.set_result(answered(task))
    except InputError as error:
        done.set_exception(error)
    return done


@pytest.mark.parametrize("step", STEPS)
def test_every_step_says_what_the_library_does(step: QuoteStep) -> None:
    task = task_of(QUESTION, RULES, step)
    answer = json.loads(answered(sent(task)))

    terms = QuoteTerms("value-density", ("vcg",), step.samples, later=60.0, rounded=True)
    offer = quote(MOMENT, JOB, terms).offers[0]
    assert answer["now"]["charge"]["mean"] == offer.now.charges["vcg"].mean
    assert answer["now"]["charge"]["mean"] == band(answer["now"]["charge"]["mean"])
    assert tuple(answer["now"]["completion"]["quantiles"]) == offer.now.completion.quantiles
    assert ("hurry" in answer, list(answer["later"])) == (step.whole, ["later"] * step.whole)
    if step.whole:
        assert offer.later is not None
        assert answer["later"]["later"]["wait"]["mean"] == offer.later.wait.mean
        assert answer["hurry"]["factor"] == offer.hurry.factor


def test_a_digest_is_of_all_that_a_quote_rests_on() -> None:
    others = [
        task_of(QUESTION._replace(moment=QUESTION.moment.replace("30", "31")), RULES, STEPS[1]),
        task_of(QUESTION._replace(job=replace(JOB, request=11.0)), RULES, STEPS[1]),
        task_of(
            QUESTION._replace(job=replace(JOB, curves={"": UtilityFunction([0, 90], [10, 0])})),
            RULES,
            STEPS[1],
        ),
        task_of(QUESTION._replace(later={}), RULES, STEPS[1]),
        task_of(QUESTION, QuoteRules("easy", "vcg"), STEPS[1]),
        task_of(QUESTION, QuoteRules("value-density", "vcg", seed=1), STEPS[1]),
        task_of(QUESTION, RULES, STEPS[2]),
        task_of(QUESTION, RULES, STEPS[1]) | {"versions": {}},
    ]
    same = task_of(QUESTION, RULES, STEPS[1])

    assert digest_of(task_of(QUESTION, RULES, STEPS[1])) == digest_of(same)
    assert len({digest_of(each) for each in (same, *others)}) == 9


async def samples_of(quotes: AsyncIterator[MadeQuote]) -> list[int]:
    return [made.answer["samples"] async for made in quotes]


def test_a_quote_gets_better_as_one_waits() -> None:
    desk = QuoteDesk(at_once, at_once, RULES)

    assert asyncio.run(samples_of(desk.quotes("page", QUESTION))) == [5, 30, 100]
    assert desk._turns == {}


class Slow:
    """Does tasks when it is told to."""

    def __init__(self) -> None:
        self.waiting: list[Future[bytes]] = []

    def __call__(self, _: bytes) -> Future[bytes]:
        self.waiting.append(Future())
        return self.waiting[-1]


def test_a_newer_question_of_a_page_ends_what_the_older_one_has_begun() -> None:
    slow = Slow()
    desk = QuoteDesk(slow, slow, RULES)

    async def asked() -> list[list[int]]:
        pages = []
        for count, page in enumerate(("mine", "another", "mine"), 1):
            pages.append(asyncio.create_task(samples_of(desk.quotes(page, QUESTION))))
            while len(slow.waiting) < count:
                await asyncio.sleep(0)
        assert [each.cancelled() for each in slow.waiting] == [True, False, False]
        pages[1].cancel()
        desk.better = at_once
        slow.waiting[2].set_result(answered(sent(task_of(QUESTION, RULES, STEPS[0]))))
        found = await asyncio.gather(*pages, return_exceptions=True)
        assert isinstance(found[1], asyncio.CancelledError)  # its browser has gone
        return [found[0], found[2]]  # type: ignore[list-item]

    assert asyncio.run(asked()) == [[], [5, 30, 100]]
    assert desk._turns == {}


def test_processes_say_the_same_and_what_is_wrong() -> None:
    with quote_processes() as processes:
        desk = quote_desk(processes, RULES, QUESTION)
        made = asyncio.run(desk.quote(QUESTION))
        first = asyncio.run(desk.quote(QUESTION, STEPS[0]))
        with pytest.raises(InputError, match="2 is not from 1 to 1"):
            asyncio.run(desk.quote(QUESTION._replace(job=replace(JOB, processors=2))))

    assert made.answer == json.loads(answered(sent(made.task)))
    assert first.answer["samples"] == 5


def test_quotes_are_kept_whole_and_can_be_made_again(tmp_path: Path) -> None:
    store = QuoteStore(tmp_path / "quotes.db", most=3)
    made = asyncio.run(QuoteDesk(at_once, at_once, RULES).quote(QUESTION))

    number = store.keep("ada", made)
    better = asyncio.run(QuoteDesk(at_once, at_once, RULES).quote(QUESTION, STEPS[2]))
    assert store.keep("ada", better, number) == number
    (kept,) = store.quotes_of("ada")
    assert (kept.number, kept.user, kept.made) == (number, "ada", better)
    assert kept.digest == digest_of(kept.made.task)
    assert json.loads(answered(sent(kept.made.task))) == kept.made.answer
    assert store.find(number) == kept
    assert store.find(number + 1) is None


def test_only_so_many_quotes_of_each_are_kept(tmp_path: Path) -> None:
    store = QuoteStore(tmp_path / "quotes.db", most=2)
    moments = [QUESTION.moment + " " * place for place in range(4)]
    for moment in moments:
        store.keep("ada", MadeQuote({"moment": moment}, {}))
    store.keep("bob", MadeQuote({"moment": moments[0]}, {}))

    assert [each.number for each in store.quotes_of("ada")] == [4, 3]
    assert [each.number for each in store.quotes_of("bob")] == [5]
    with closing(sqlite3.connect(store.path)) as connection:
        assert connection.execute("SELECT count(*) FROM _Moment").fetchone() == (3,)
