"""For operators."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, Response

from utilitysched.analysis.documents import Description
from utilitysched.web.answers import View, answer
from utilitysched.web.doors import operators_only

router = APIRouter(prefix="/operators", tags=["operators"], dependencies=[Depends(operators_only)])


@router.get("")
def overview(request: Request) -> Response:
    """Show what there is for operators."""
    return answer(request, View(Description("Operators", ())))
