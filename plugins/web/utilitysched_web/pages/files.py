"""Scripts and styles: the few files that there are, known by name; no path is ever looked up."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files

from fastapi import APIRouter, Response
from starlette.exceptions import HTTPException

from utilitysched.report.charts.picture import library

router = APIRouter(include_in_schema=False)

KINDS = {".css": "text/css", ".js": "text/javascript", ".LICENSE": "text/plain"}
REPORTS = ("page.css", "tables.js", "charts.js")
"""Files of reports that pages use as they are."""


HOUR, YEAR = 3600, 31_536_000
"""Seconds for which browsers keep a file, and one whose name would change with what is in it."""


@cache
def library_name() -> str:
    """Return the name of the script that draws charts: it has a digest of what is in the file."""
    return f"vega-{sha256(library().encode()).hexdigest()[:16]}.js"


@cache
def static_files() -> dict[str, tuple[bytes, str]]:
    """Return contents and media types by name."""
    own = files("utilitysched_web").joinpath("static").iterdir()
    reports = (files("utilitysched.report").joinpath("templates", name) for name in REPORTS)
    known = {
        each.name: (each.read_bytes(), kind)
        for each in (*own, *reports)
        for suffix, kind in KINDS.items()
        if each.name.endswith(suffix)
    }
    return known | {library_name(): (library().encode(), KINDS[".js"])}


@router.get("/static/{name}")
def static(name: str) -> Response:
    """Send a static file."""
    if name not in static_files():
        raise HTTPException(404, "no such file")
    content, kind = static_files()[name]
    kept = f"max-age={YEAR}, immutable" if name == library_name() else f"max-age={HOUR}"
    return Response(content, media_type=kind, headers={"cache-control": f"private, {kept}"})
