"""Quotes, while one waits."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.exceptions import HTTPException
from starlette.responses import StreamingResponse

from swfx import InputError
from swfx.base.numbers import money, span
from swfx.base.zones import zone_text
from utilitysched.analysis.documents import Description, Fact, Facts
from utilitysched_web.answers import Shown, View, answer, fragment, refusal, status_of
from utilitysched_web.budgets import budget_facts
from utilitysched_web.curves import curve_store
from utilitysched_web.doors import Identity, Who
from utilitysched_web.listed import Listed
from utilitysched_web.moments import QuoteForm
from utilitysched_web.quote_view import quote_view, quoted_pay, quotes_table
from utilitysched_web.quoting import (
    STEPS,
    MadeQuote,
    QuoteDesk,
    QuoteQuestion,
    thread_desk,
)
from utilitysched_web.site import Site

router = APIRouter(prefix="/quote", tags=["quotes"])

ANYBODY = -1
LISTED = 20
"""Quotes of a user on the page."""


async def desk_of(request: Request, site: Shown) -> QuoteDesk:
    """Return the desk that makes quotes."""
    state = request.app.state
    if state.desk is None:
        state.desk = thread_desk(site.rules)
    desk: QuoteDesk = state.desk
    return desk


Desk = Annotated[QuoteDesk, Depends(desk_of)]


async def form_of(
    site: Shown,
    who: Who,
    processors: int | None = None,
    requested: Annotated[str, Query(max_length=40)] = "",
    curve: Annotated[str, Query(max_length=2000)] = "",
) -> QuoteForm:
    """Return what was typed, and a usual job's where nothing was."""
    usual = site.moment.typical(_number(site, who), site.budget_of(who.sees))
    return QuoteForm(
        usual.processors if processors is None else processors,
        requested or usual.request,
        curve or usual.curve,
    )


Form = Annotated[QuoteForm, Depends(form_of)]


@router.get("")
async def quotes(request: Request, site: Shown, who: Who, form: Form, desk: Desk) -> Response:
    """Show a form and the quote of what is in it, at first that of a usual job."""
    typed = "processors" in request.query_params  # who has not typed yet wants to see something
    refused: dict[str, str] = {}
    try:
        made = await desk.quote(_question(site, who, form), STEPS[typed])
        document, status = _kept(site, who, made, None)[1], 200
    except InputError as error:
        document, status = Description("Quote", (), (str(error),)), status_of(error)
        if error.field in QuoteForm._fields:
            refused, status = {error.field: refusal(error)}, 422
    balance = site.balance_of(who.user)
    budget = [budget_facts(site, *balance)] if balance else []
    clock = site.moment.snapshot.clock
    listed = quotes_table(site.quotes.quotes_of(who.user, LISTED))
    values = {
        "title": "Quote",
        "asked": document.title,
        "form": form,
        "refused": refused,
        "saved": curve_store(site.state).curves_of(who.user),
        "machine": site.moment.snapshot.machine_size,
        "submitted": None if clock is None else clock.start + site.moment.at,
        "zone": None if clock is None else zone_text(clock.zone),
        "found": document.panels,
        "left": balance and balance[1].text(balance[0].available),
        "more": len(listed.rows) == LISTED,
        "panels": [listed] if listed.rows else [],
        "drawn": True,
    }
    shown = Description(document.title, (*document.panels, *budget, listed), document.lead)
    return answer(request, View(shown, "quote.html", values, status))


@router.get("/kept", dependencies=[Listed])
def kept(request: Request, site: Shown, who: Who) -> Response:
    """List all quotes of a user that are kept, the latest first."""
    table = quotes_table(site.quotes.quotes_of(who.user))
    return answer(request, View(Description("Quotes", (table,))))


@router.get("/stream")
async def stream(
    site: Shown,
    who: Who,
    form: Form,
    desk: Desk,
    page: Annotated[str, Query(min_length=1, max_length=40)],
) -> Response:
    """Send quotes as they get better: server-sent events with a part of the page each.

    A newer question of the same `page` ends those of the older one.
    """
    events = _events(site, who, desk, form, page)
    # without this header nginx would keep events until there are many
    return StreamingResponse(events, 200, {"X-Accel-Buffering": "no"}, "text/event-stream")


async def _events(
    site: Site, who: Identity, desk: QuoteDesk, form: QuoteForm, page: str
) -> AsyncIterator[str]:
    try:
        question = _question(site, who, form)
        number = None
        async for made in desk.quotes(f"{who.user} {page}", question):
            number, document = _kept(site, who, made, number)
            html = fragment("quote-answer.html", document)
            yield _event(html, made.task["samples"], last=made.task["samples"] == STEPS[-1].samples)
    except InputError as error:
        yield _event(
            fragment("quote-answer.html", Description("", (), (str(error),))), 0, last=True
        )


def _event(html: str, samples: int, *, last: bool) -> str:
    return f"data: {json.dumps({'html': html, 'samples': samples, 'last': last})}\n\n"


@router.get("/job/{job}")
async def past_job(request: Request, site: Shown, who: Who, desk: Desk, job: str) -> Response:
    """Show the quote of a finished job at its submission, beside the charge."""
    row = _row(site, who, job)
    site.count_question(who.sees, f"past job {job}")
    number, document = _kept(site, who, await desk.quote(site.moment.past(row)), None)
    return answer(request, View(_beside(site, row, number, document)))


def _beside(site: Site, row: int, number: int | None, document: Description) -> Description:
    """Put a job's outcome before its quote."""
    run = site.moment.run
    lasted = float(run.end[row] - run.workload.submit[row])
    charged, kept = float(site.bill.charge[row]), site.quotes.find(number or 0)
    facts = [
        Fact("done_after", "done after", lasted, span(lasted)),
        Fact("charged", "charged (SU)", charged, money(charged)),
    ]
    if kept is not None:
        paid = quoted_pay(kept.made)
        facts.insert(1, Fact("quoted", "quoted (SU)", paid, money(paid)))
    title = f"Job {run.workload.job_name(row)}: {document.title}"
    became = Facts("became", "What became of it", facts)
    was = f"It was done after {span(lasted)} and charged {money(charged)} SU. The quote was:"
    return Description(title, (became, *document.panels), (was, *document.lead))


def _question(site: Site, who: Identity, form: QuoteForm) -> QuoteQuestion:
    """Return the question of a form, counted.

    Raises
    ------
    InputError
        It cannot be asked, or not today.
    """
    question = site.moment.question(form, _asking(site, who), site.budget_of(who.sees))
    site.count_question(who.sees, question.subject)
    return question


def _row(site: Site, who: Identity, job: str) -> int:
    """Return the row of a finished job that a user may see.

    Raises
    ------
    HTTPException
        404, whether there is none or it is another's.
    """
    over = site.moment.ended()
    row = next((each for each in site.rows_of(job, who.sees) if each in over), None)
    if row is None:
        raise HTTPException(404, f"no job {job} of yours is over")
    return row


def _kept(
    site: Site, who: Identity, made: MadeQuote, number: int | None
) -> tuple[int | None, Description]:
    """Return a quote's number and how it is shown; first figures are not kept."""
    if made.task["hurry"]:
        number = site.quotes.keep(who.user, made, number)
    return number, quote_view(made, site.moment.snapshot.clock, number)


def _asking(site: Site, who: Identity) -> int:
    """Return the user's number in the queue."""
    number = site.moment.number_of(who.user)
    return ANYBODY if number is None else number


def _number(site: Site, who: Identity) -> int:
    """Return the user's number in the run."""
    number = site.number_of(who.user)
    return ANYBODY if number is None else number
