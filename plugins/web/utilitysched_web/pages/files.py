"""Scripts and styles: the few files that there are, known by name; no path is ever looked up."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from fastapi import APIRouter, Response
from starlette.exceptions import HTTPException

router = APIRouter(include_in_schema=False)

KINDS = {".css": "text/css", ".js": "text/javascript", ".LICENSE": "text/plain"}
REPORTS = ("page.css", "tables.js")
"""Files of reports that pages use as they are."""


@cache
def static_files() -> dict[str, tuple[bytes, str]]:
    """Return contents and media types by name."""
    own = files("utilitysched_web").joinpath("static").iterdir()
    reports = (files("utilitysched.report").joinpath("templates", name) for name in REPORTS)
    return {
        each.name: (each.read_bytes(), kind)
        for each in (*own, *reports)
        for suffix, kind in KINDS.items()
        if each.name.endswith(suffix)
    }


@router.get("/static/{name}")
def static(name: str) -> Response:
    """Send a static file."""
    if name not in static_files():
        raise HTTPException(404, "no such file")
    content, kind = static_files()[name]
    return Response(content, media_type=kind, headers={"cache-control": "private, max-age=3600"})
