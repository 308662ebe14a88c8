"""The server: pages, and what stands before each of them."""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

import python_multipart  # noqa: F401 - FastAPI, which reads forms by it, raises no ImportError
from fastapi import Depends, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import RedirectResponse

from swfx import InputError
from utilitysched.analysis.documents import Description
from utilitysched.model.versions import versions
from utilitysched_web.answers import View, answer, link_maker, status_of, wants_json
from utilitysched_web.audit import AuditedWrites, AuditLog, room_to_log
from utilitysched_web.doors import LARGEST_BODY, Doors, guard, in_turn
from utilitysched_web.middleware import FIXED, Below, SafeHeaders, WholeRequests
from utilitysched_web.quoting import QuoteDesk
from utilitysched_web.site import Site

PAGES = (
    *("home", "curves", "quotes", "queue", "bills", "invoices"),
    *("operators", "mechanisms", "sign_ins", "reference", "files"),
)
"""Modules of `utilitysched_web.pages`, in the order of the navigation."""

HOSTS = ("localhost", "127.0.0.1", "[::1]")
"""Names by which a browser on this machine calls it; another is no business of ours."""


class Outside(NamedTuple):
    """What stands before a server.

    Attributes
    ----------
    base_path : str
        Below which a proxy shows it, whether that takes it off paths or not.
    hosts : tuple of str
        Names by which it may be called, besides those of the machine itself.
    https : bool
        Whether a proxy encrypts all that comes and goes.
    """

    base_path: str = ""
    hosts: tuple[str, ...] = ()
    https: bool = False


ALONE = Outside()


def application(
    site: Site, doors: Doors, outside: Outside = ALONE, desk: QuoteDesk | None = None
) -> FastAPI:
    """Return a server.

    Parameters
    ----------
    site : Site
        What it shows.
    doors : Doors
        Whom it lets in.
    outside : Outside
        What stands before it.
    desk : QuoteDesk, optional
        Who makes quotes; by default a thread of this process.
    """
    app = FastAPI(
        title="utilitysched",
        version=versions()["utilitysched"],
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        dependencies=[Depends(guard), Depends(in_turn), Depends(room_to_log)],
        max_body_size=LARGEST_BODY,
    )
    app.state.site, app.state.doors, app.state.version = site, doors, app.version
    app.state.desk, app.state.audit = desk, AuditLog(site.state)
    for name in PAGES:
        app.include_router(import_module(f"utilitysched_web.pages.{name}").router)
    app.add_middleware(AuditedWrites)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=[*HOSTS, *outside.hosts])
    app.add_middleware(SafeHeaders)
    app.add_middleware(Below, base=outside.base_path.rstrip("/"), https=outside.https)
    app.add_middleware(WholeRequests, largest=LARGEST_BODY)
    app.exception_handler(HTTPException)(_refused)
    app.exception_handler(InputError)(_mistaken)
    app.exception_handler(RequestValidationError)(_unreadable)
    app.exception_handler(Exception)(_failed)
    return app


def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if not hasattr(request.state, "identity"):  # no route has asked `guard`
        error = _limited(request, error)
    sent = "authorization" in request.headers  # by a program, which must see that it failed
    if error.status_code == 401 and not sent and not wants_json(request):
        return RedirectResponse(link_maker(request)("/login"), 303)
    response = _said(request, error.status_code, str(error.detail))
    response.headers.update(error.headers or {})
    return response


def _limited(request: Request, error: HTTPException) -> HTTPException:
    """Return why a request without a route is refused: that it comes too soon, if it does."""
    doors: Doors = request.app.state.doors
    request.state.identity = doors.identity(request)
    try:
        doors.allow(request, request.state.identity)
    except HTTPException as sooner:
        return sooner
    return error


def _mistaken(request: Request, error: Exception) -> Response:
    assert isinstance(error, InputError)
    is_file = "/" in (error.source or "")  # whose place on this machine is nobody's business
    return _said(request, status_of(error), error.message if is_file else str(error))


def _unreadable(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    return _said(request, 422, f"{first['loc'][-1]}: {first['msg']}")


def _failed(request: Request, _: Exception) -> Response:  # uvicorn writes the exception down
    response = _said(request, 500, "an error of ours; the server's log has it")
    response.headers.update(FIXED)  # this answer passes nothing that would add them
    return response


def _said(request: Request, status: int, text: str) -> Response:
    title = {401: "Sign in", 403: "Not for you", 404: "No such page"}.get(status, "That failed")
    request.state.tables = None  # what was wanted of the page is not wanted of this answer
    return answer(request, View(Description(title, (), (text,)), status=status))
