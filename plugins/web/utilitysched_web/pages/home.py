"""The first page, and the way in and out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request, Response
from starlette.responses import RedirectResponse

from swfx.base.numbers import UNKNOWN, plural, span
from utilitysched.analysis.documents import (
    Column,
    Description,
    Fact,
    Facts,
    ResultTable,
    column,
    panel,
)
from utilitysched_web.answers import Shown, View, answer, html_answer, json_answer, link_maker
from utilitysched_web.doors import COOKIE, Doors, Who, address_of
from utilitysched_web.listed import Listed
from utilitysched_web.moments import SiteMoment
from utilitysched_web.site import Site
from utilitysched_web.tokens import LONGEST

router = APIRouter(tags=["home"])

NOT_GOOD = "This token is not good, or its time is over. Ask the operator for a new one."


@router.get("/", dependencies=[Listed])
def home(request: Request, site: Shown, who: Who) -> Response:
    """Show the overview."""
    return answer(request, View(home_document(site, who.user), "home.html"))


def home_document(site: Site, user: str) -> Description:
    """Return the overview of a site, with a user's part of it."""
    results, jobs = site.results, site.jobs_of(user)
    facts = (
        ("machine", "processors", results.schedule.machine_size),
        ("jobs", "jobs", len(results.workload)),
        ("mine", "of them mine", len(jobs)),
    )
    shown = [Fact(key, name, value, f"{value:,}") for key, name, value in facts]
    scheduler = Fact("scheduler", "scheduler", results.label, results.label)
    total = plural(len(results.workload), "job")
    lead = f"Yours are {len(jobs):,} of {total}." if len(jobs) else f"None of {total} is yours."
    tables = _jobs(site.moment, user)
    machine = Facts("run", "This machine", [*shown, scheduler])
    return Description("The market", (*tables, machine), (lead, *_now(site.moment, tables)))


def _now(moment: SiteMoment, tables: Sequence[ResultTable]) -> list[str]:
    """Say how many of a user's jobs run and wait, if any does, and when that is."""
    running, waiting = (len(each.rows) for each in tables)
    if not running + waiting:
        return []
    return [f"{running:,} of yours run and {waiting:,} wait{moment.when}."]


def _jobs(moment: SiteMoment, user: str) -> tuple[ResultTable, ResultTable]:
    """Return a user's jobs that run and that wait at the moment that pages show."""
    snapshot, number = moment.snapshot, moment.number_of(user)
    running = [
        (
            job.job_name,
            job.processors,
            None if job.start is None else snapshot.now - job.start,
            max(0.0, job.expected_end - snapshot.now),
        )
        for job in snapshot.running
        if number is not None and job.user == number
    ]
    waiting = [
        (job.job_name, job.processors, job.request, snapshot.now - job.submit)
        for job in snapshot.queued
        if number is not None and job.user == number
    ]
    first = [Column("job", key="job"), column("processors", "count", "processors")]
    times = (
        [Column("has run", write=_span, key="ran"), Column("ends within", write=span, key="left")],
        [
            Column("for at most", write=span, key="request"),
            Column("has waited", write=span, key="waited"),
        ],
    )
    return (
        panel("running", "My jobs that run", "", [*first, *times[0]], running),
        panel("waiting", "My jobs that wait", "", [*first, *times[1]], waiting),
    )


def _span(seconds: float | None) -> str:
    return UNKNOWN if seconds is None else span(seconds)


@router.get("/health")
def health() -> Response:
    """Answer that the server is up."""
    return json_answer({"status": "ok"})


@router.get("/login")
def login(request: Request, link: Annotated[str, Query(max_length=LONGEST)] = "") -> Response:
    """Ask for a token, or whether to sign in by that of a link: a mere address signs nobody in."""
    doors: Doors = request.app.state.doors
    token = doors.good(link, address_of(request)) if link else None
    if link and token is None:
        return _asking(request, status=403, said=NOT_GOOD)
    return _asking(request, token=token, link=link)


@router.post("/login", response_model=None)
def enter(request: Request, token: Annotated[str, Form(max_length=2000)]) -> Response:
    """Begin a session with a token of the operator."""
    doors: Doors = request.app.state.doors
    cookie = doors.open(token.strip(), address_of(request))
    if cookie is None:
        return _asking(request, status=403, said=NOT_GOOD)
    request.state.identity = doors.session_of(cookie, address_of(request))  # for the audit log
    to = link_maker(request)
    response = RedirectResponse(to("/"), 303)
    response.set_cookie(
        COOKIE,
        cookie,
        path=to("/"),
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="lax",
    )
    return response


def _asking(request: Request, **values: Any) -> Response:
    """Return the page to sign in: with a form for a token, or a button if there is one already."""
    shown = {"title": "Sign in", "said": "", "token": None} | values
    return html_answer(request, "login.html", **shown)


@router.post("/logout", response_model=None)
def leave(request: Request) -> Response:
    """End a session."""
    doors: Doors = request.app.state.doors
    doors.close(request.cookies.get(COOKIE, ""))
    to = link_maker(request)
    response = RedirectResponse(to("/login"), 303)
    response.delete_cookie(COOKIE, path=to("/"))
    return response
