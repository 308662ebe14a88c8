"""Quotes as people read them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

from pricing import make_mechanism
from pricing.disclosure import band
from swfx.base.numbers import money, plural, significant, span
from swfx.clock import Clock
from utilitysched.analysis.documents import (
    Column,
    Description,
    Fact,
    Facts,
    IntervalChart,
    IntervalRow,
    Panel,
    ResultTable,
    column,
    panel,
)
from utilitysched.report.quote import IN_BANDS, NOBODY_ELSE
from utilitysched_web.quote_store import KeptQuote
from utilitysched_web.quoting import SHARE, Document, MadeQuote, digest_of

HOUR = 3600.0


class QuoteCase(NamedTuple):
    """A row: what to expect if the job is submitted so."""

    name: str
    expected: Document


def quote_view(made: MadeQuote, clock: Clock | None, number: int | None = None) -> Description:
    """Return a quote as a document; without a number it is not kept."""
    cases = list(_cases(made.answer))
    return Description(
        _head(made), (_table(cases, clock), _chart(cases, made), _rests(made, number)), _lead(made)
    )


def quoted_pay(made: MadeQuote) -> float:
    """Return what the job was to pay if submitted at once, on average (SU)."""
    paid: float = made.answer["now"]["charge"]["mean"]
    return paid


def quotes_table(kept: list[KeptQuote]) -> ResultTable:
    """Return a table of quotes."""
    columns = [
        Column("quote", key="number"),
        column("processors", "count", "processors"),
        Column("for at most", write=span, key="request"),
        Column("pays", "SU", write=money, key="quoted"),
        column("samples", "count", "samples"),
        Column("digest", write=lambda digest: digest[:12], key="digest"),
    ]
    rows = [
        (
            each.number,
            each.made.task["job"]["processors"],
            each.made.task["job"]["request"],
            quoted_pay(each.made),
            each.made.task["samples"],
            each.digest,
        )
        for each in kept
    ]
    return panel("mine", "My quotes", "", columns, rows)


def _cases(answer: Document) -> Iterator[QuoteCase]:
    yield QuoteCase("now", answer["now"])
    if (hurry := answer.get("hurry")) and hurry["expected"]:
        yield QuoteCase(
            f"now, for {significant(hurry['factor'], 4)} times the bid", hurry["expected"]
        )
    for name, expected in sorted(answer["later"].items(), key=lambda each: each[1]["submit"]):
        yield QuoteCase(f"submitted {name}", expected)


def _head(made: MadeQuote) -> str:
    job = made.task["job"]
    return f"{plural(job['processors'], 'processor')} for at most {span(job['request'])}"


def _lead(made: MadeQuote) -> tuple[str, ...]:
    now, hurry = made.answer["now"], made.answer.get("hurry")
    early, half, late = now["turnaround"]["quantiles"]
    between = f"in {SHARE:.0%} of the samples between {span(early)} and {span(late)}"
    done = f"Done in {span(half)}, {between};"
    sentences = [
        f"{done} earns {_mean(now['worth'])} SU and pays {_mean(now['charge'])} SU on average."
    ]
    worth = now["worth"]["mean"]
    if make_mechanism(made.task["mechanism"]).tells_bids:
        worth = max(worth, band(worth))
    if now["charge"]["mean"] > worth + 0.005:
        sentences.append("It would pay more than it earns: better not now.")
    if hurry and not hurry["expected"]:
        sentences.append(f"No bid would halve its time: {hurry['why_not']}.")
    return tuple(sentences)


def _table(cases: list[QuoteCase], clock: Clock | None) -> Panel:
    columns = [
        Column("case", left=True, key="case"),
        Column("starts", write=_between, key="wait"),
        Column("done", write=_between, key="turnaround"),
        Column("done at", write=partial(_when, clock), key="completion"),
        Column("earns", "SU", write=_mean, key="worth"),
        Column("pays", "SU", write=_mean, key="charge"),
    ]
    rows = [(name, *(expected[each.key] for each in columns[1:])) for name, expected in cases]
    return panel("offers", "What to expect", "", columns, rows)


def _chart(cases: list[QuoteCase], made: MadeQuote) -> IntervalChart:
    now = made.answer["now"]["submit"]
    rows = []
    for name, expected in cases:
        low, half, high = ((at - now) / HOUR for at in expected["completion"]["quantiles"])
        rows.append(IntervalRow(name, half, low, high))
    sentence = f"Median, and the range of {SHARE:.0%} of the samples, in hours from now on."
    return IntervalChart("done", "When it would be done", sentence, "hours", rows, 0.0)


def _rests(made: MadeQuote, number: int | None) -> Facts:
    task, digest = made.task, digest_of(made.task)
    command = _command(task, number)
    named = "none yet" if number is None else str(number)
    facts: list[tuple[str, str, Any, str]] = [
        ("number", "number", number, named),
        ("samples", "samples of run times", task["samples"], str(task["samples"])),
        ("seed", "seed", task["seed"], str(task["seed"])),
        ("scheduler", "scheduler", task["scheduler"], task["scheduler"]),
        ("mechanism", "pricing mechanism", task["mechanism"], task["mechanism"]),
        ("digest", "digest of the task", digest, digest[:16]),
        ("submit", "submit it with", command, command),
        ("assumes", "", NOBODY_ELSE, NOBODY_ELSE),
    ]
    if make_mechanism(task["mechanism"]).tells_bids:
        facts.append(("rounded", "", IN_BANDS, IN_BANDS))
    return Facts("rests", "What it rests on", [Fact(*fact) for fact in facts])


def _command(task: Document, number: int | None) -> str:
    """Return the command that submits the job; its comment names the quote."""
    job, named = task["job"], {} if number is None else {"quote": number}
    comment = json.dumps({"utility": task["curve"], **named})
    minutes = math.ceil(job["request"] / 60)
    return f"sbatch --ntasks={job['processors']} --time={minutes} --comment='{comment}'"


def _between(spread: Document) -> str:
    low, half, high = map(_after, spread["quantiles"])
    return half if low == high else f"{half} ({low} to {high})"


def _after(seconds: float) -> str:
    return "at once" if seconds == 0 else span(seconds).replace(" ", "\u00a0")


def _mean(spread: Document) -> str:
    return money(spread["mean"])


def _when(clock: Clock | None, spread: Document) -> str:
    seconds = spread["quantiles"][1]
    return f"{seconds:,.0f} s" if clock is None else f"{clock.date(seconds):%a %H:%M}"
