"""The page on which operators end sign-ins."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request, Response
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse

from utilitysched.analysis.documents import Description, column, panel
from utilitysched_web.answers import View, link_maker
from utilitysched_web.doors import Doors, operators_only
from utilitysched_web.listed import Listed
from utilitysched_web.pages.operators import operators_answer
from utilitysched_web.sign_ins import SignIn
from utilitysched_web.tokens import LONGEST

PATH = "/operators/sign-ins"
NAMES = ("number", "token", "user", "role", "by", "since", "used", "until", "address")

router = APIRouter(tags=["operators"], dependencies=[Depends(operators_only)])


@router.get(PATH, dependencies=[Listed])
def sign_ins(request: Request) -> Response:
    """Show who is signed in, since when, and from where."""
    doors: Doors = request.app.state.doors
    rows = [_row(each) for each in doors.sign_ins()]
    columns = [column(name, "text", name) for name in NAMES]
    table = panel("sign_ins", "Who is signed in", "", columns, rows)
    lead = ("People whom a proxy signs in are not listed: it is the proxy that lets them in.",)
    document = Description("Sign-ins", (table,), lead)
    return operators_answer(request, View(document, "sign-ins.html", {"names": NAMES, "zip": zip}))


@router.post(PATH, response_model=None)
def end(request: Request, number: Annotated[str, Form(max_length=LONGEST)]) -> Response:
    """End a session by its number; take a token back by its own or its text, with its sessions."""
    doors: Doors = request.app.state.doors
    if not doors.revoke(number):
        raise HTTPException(404, "no sign-in has this number, or no longer")
    return RedirectResponse(link_maker(request)(PATH), 303)


def _row(sign_in: SignIn) -> tuple[str, ...]:
    token = sign_in.token
    times = (sign_in.since, sign_in.used, token.until)
    way = "session" if sign_in.browser else "token"
    numbers = (sign_in.number, token.number)
    return (*numbers, token.user, token.role, way, *map(_written, times), sign_in.address)


def _written(time: float) -> str:
    try:
        return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%d %H:%M:%S")
    except (ValueError, OverflowError):
        return "never"
