"""For programs: what can be asked, as a page and as OpenAPI."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from utilitysched.analysis.documents import Description, ResultTable, column, panel
from utilitysched_web.answers import View, answer, json_answer

router = APIRouter(tags=["for programs"])

LEAD = (
    "Every page has its data as JSON at its own address: Accept: application/json, ?format=json.",
    "Tables have 50 rows a page: ?page=2, ?find=WORDS, ?sort=COLUMN; all of one as CSV: ?csv=NAME.",
    "Programs send the operator's token as Authorization: Bearer TOKEN.",
)


@router.get("/openapi.json")
def openapi(request: Request) -> Response:
    """Send the description of all addresses that programs read."""
    return json_answer(request.app.openapi())


@router.get("/docs")
def docs(request: Request) -> Response:
    """Show all addresses, and what each takes."""
    return answer(request, View(Description("For programs", [*_addresses(request)], LEAD)))


def _addresses(request: Request) -> list[ResultTable]:
    """Return a table for each topic."""
    columns = [
        column("method", "text", "method"),
        column("address", "text", "path"),
        column("what", "text", "summary"),
        column("takes", "text", "parameters"),
    ]
    topics: dict[str, list[tuple[str, ...]]] = {}
    for path, methods in request.app.openapi()["paths"].items():
        for method, description in methods.items():
            row = (
                method.upper(),
                path,
                description.get("description", ""),
                _taken(request, description),
            )
            topics.setdefault(description.get("tags", ["others"])[0], []).append(row)
    return [
        panel(topic.replace(" ", "_"), topic.capitalize(), "", columns, rows)
        for topic, rows in topics.items()
    ]


def _taken(request: Request, description: dict[str, Any]) -> str:
    """Name the parameters of an operation, in its address and in its body."""
    names = [each["name"] for each in description.get("parameters", [])]
    schemas = request.app.openapi().get("components", {}).get("schemas", {})
    for kind in description.get("requestBody", {}).get("content", {}).values():
        reference = kind["schema"].get("$ref", "").rpartition("/")[2]
        names += schemas.get(reference, {}).get("properties", {})
    return ", ".join(dict.fromkeys(names))
