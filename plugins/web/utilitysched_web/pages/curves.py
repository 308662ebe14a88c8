"""Curves: to draw, to save, and to take along."""

from __future__ import annotations

import time
from datetime import UTC, datetime, tzinfo
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request, Response
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, RedirectResponse

from swfx import InputError
from swfx.base.zones import zone_text
from swfx.clock import unknown_zone, zone_of
from swfx.families.utilities.points import points_text
from utilitysched.analysis.documents import Description, Fact, Facts, ResultTable, column
from utilitysched_web.answers import Shown, View, answer, link_maker, wants_json
from utilitysched_web.audit import note
from utilitysched_web.curves import (
    CurveTexts,
    SavedCurve,
    checked_name,
    curve_file,
    curve_store,
    drawn_curve,
    texts_of,
)
from utilitysched_web.doors import Identity, Who
from utilitysched_web.site import Site

router = APIRouter(prefix="/curves", tags=["curves"])

FIRST = "0:100,4h:100,1d:0"
"""What is drawn before anybody has drawn anything."""

UNNAMED = "mine"
LONGEST = 4096
"""Letters of a curve as it comes; saved ones are shorter."""

Drawn = Annotated[str, Query(max_length=LONGEST, description="TIME:SU,TIME:SU,...")]
Named = Annotated[str, Query(max_length=60)]


@router.get("")
def curves(  # one parameter per place a curve comes from
    request: Request,
    site: Shown,
    who: Who,
    curve: Drawn = "",
    name: Named = "",
    job: str | None = None,
) -> Response:
    """Draw a curve: the one given, a saved one by its name, or that of a job of one's own."""
    saved = curve_store(site.state).curves_of(who.user)
    points, called = _chosen(site, who, saved, curve, name, job)
    made, zone = _texts(points, called, site), _zone(site)
    values = {
        "points": points,
        "name": called,
        "zone": zone_text(zone) if zone else "",
        "saved": saved,
        "texts": made,
    }
    table = ResultTable(
        [
            column("name", "text", "name"),
            column("points", "text", "points"),
            column("saved", "text", "saved"),
        ],
        [(each.name, each.points, _date(each.saved)) for each in saved],
        "My curves",
        key="saved",
    )
    return answer(request, View(_document("Curves", made, table), "curves.html", values))


@router.get("/texts")
def texts(request: Request, site: Shown, curve: Drawn, name: Named = "") -> Response:
    """Return a curve in its text forms: a part of the page, replaced during drawing.

    The page's address is replaced, too, so that one comes back to what was drawn.
    """
    made = _texts(curve, name, site)
    page = answer(request, View(_document("Curve", made), "curve-texts.html", {"texts": made}))
    query = urlencode({"curve": curve, "name": name})
    page.headers["HX-Replace-Url"] = link_maker(request)(f"/curves?{query}")
    return page


@router.get("/file")
def saved_file(site: Shown, who: Who) -> Response:
    """Return all saved curves as one file for the model curves:file=FILE."""
    saved = {
        each.name: drawn_curve(each.points) for each in curve_store(site.state).curves_of(who.user)
    }
    if not saved:
        raise HTTPException(404, "no curve is saved")
    headers = {"content-disposition": 'attachment; filename="curves.toml"'}
    return PlainTextResponse(curve_file(saved), headers=headers)


@router.post("")
def save(
    request: Request,
    site: Shown,
    who: Who,
    curve: Annotated[str, Form(max_length=LONGEST)],
    name: Annotated[str, Form(max_length=60)],
) -> Response:
    """Save a curve under a name; a name that another curve has gets a number."""
    kept = curve_store(site.state).save(who.user, name, drawn_curve(curve))
    note(request, curve=kept)
    return _back(request, f"/curves?name={kept}", {"name": kept})


@router.post("/delete")
def delete(
    request: Request, site: Shown, who: Who, name: Annotated[str, Form(max_length=60)]
) -> Response:
    """Delete a saved curve; jobs and quotes keep theirs."""
    if not curve_store(site.state).delete(who.user, name):
        raise HTTPException(404, "no such curve is saved")
    note(request, curve=name)
    return _back(request, "/curves", {"name": name})


def _back(request: Request, path: str, facts: dict[str, str]) -> Response:
    if wants_json(request):
        shown = Facts("curve", "", [Fact(key, key, text, text) for key, text in facts.items()])
        return answer(request, View(Description("Curves", (shown,))))
    return RedirectResponse(link_maker(request)(path), 303)


def _chosen(
    site: Site, who: Identity, saved: list[SavedCurve], curve: str, name: str, job: str | None
) -> tuple[str, str]:
    """Return points and name of what is to be drawn first."""
    if curve:
        return points_text(drawn_curve(curve)), name
    if name:
        points = next((each.points for each in saved if each.name == name), None)
        if points is None:
            raise HTTPException(404, "no such curve is saved")
        return points, name
    return (FIRST, "") if job is None else (_of_job(site, who, job), f"job-{job}")


def _of_job(site: Site, who: Identity, job: str) -> str:
    """Return the curve of a submitted job: it can be drawn on, and saved as a new one."""
    curves = site.results.workload.utility
    curve = next((curves[row] for row in site.rows_of(job, who.sees)), None)
    if curve is None:
        raise HTTPException(404, "no such job of yours has a curve")
    return points_text(curve)


def _texts(curve: str, name: str, site: Site) -> CurveTexts:
    try:
        called = checked_name(name)
    except InputError:
        called = UNNAMED  # while one types
    return texts_of(drawn_curve(curve), called, time.time(), _zone(site))


def _document(title: str, made: CurveTexts, *saved: ResultTable) -> Description:
    facts = [Fact(key, key, text, text) for key, text in made._asdict().items()]
    return Description(title, (Facts("curve", "", facts), *saved))


def _zone(site: Site) -> tzinfo | None:
    """Zone of the centre's clock, None if the log does not name one that is known."""
    header = site.results.workload.header
    named = header.get("TimeZoneString") and not unknown_zone(header)
    return zone_of(header) if named else None


def _date(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"
