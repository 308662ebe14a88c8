"""Curves."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from utilitysched.analysis.documents import Description
from utilitysched.web.answers import View, answer

router = APIRouter(prefix="/curves", tags=["curves"])


@router.get("")
def curves(request: Request) -> Response:
    """Show the page."""
    return answer(request, View(Description("Curves", ())))
