"""Page of charges by another price mechanism, with a field for each of its options."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

import numpy as np
from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.exceptions import HTTPException

from pricing.registry import MECHANISMS, PriceMechanism
from swfx import InputError
from swfx.base.columns import Floats
from swfx.base.configured import OptionField
from utilitysched.analysis.documents import Column, Description, ResultTable, column, panel
from utilitysched.cli.derived import field_texts
from utilitysched.market.billing import Billable, BillPlan, charges_of
from utilitysched_web.answers import Shown, View, refusal
from utilitysched_web.budgets import Spenders
from utilitysched_web.doors import operators_only
from utilitysched_web.listed import Listed
from utilitysched_web.pages.operators import operators_answer
from utilitysched_web.site import Site
from utilitysched_web.trends import change_text

router = APIRouter(
    prefix="/operators/mechanisms", tags=["operators"], dependencies=[Depends(operators_only)]
)

OPTION = "option."
"""Before the names of options in an address."""

ALSO = "first-price"
"""Chosen at first."""


class OptionEntry(NamedTuple):
    """An option as the form asks for it.

    Attributes
    ----------
    field : OptionField
        Its declaration.
    text : str
        What was typed, or the default.
    about : str
        What it means.
    refused : str
        Why the text cannot be taken.
    """

    field: OptionField
    text: str
    about: str
    refused: str = ""

    @property
    def limits(self) -> str:
        """Return the range of a number, for people."""
        if self.field.bounds is None:
            return ""
        low, high = self.field.bounds
        return f"{low:g} or more" if high == math.inf else f"{low:g} to {high:g}"


@router.get("", dependencies=[Listed])
def mechanisms(
    request: Request,
    site: Shown,
    mechanism: Annotated[str, Query(max_length=60)] = ALSO,
    charge: Annotated[bool, Query(description="Charge by it.")] = False,
) -> Response:
    """Choose a mechanism and its options, and see what it would have charged.

    Each option is a parameter ``option.NAME``.
    """
    known = MECHANISMS.members()
    if mechanism not in known:
        raise HTTPException(404, f"mechanism: write one of {', '.join(known)}")
    typed = {
        name.removeprefix(OPTION): text.strip()
        for name, text in request.query_params.items()
        if name.startswith(OPTION)
    }
    kind, refused = known[mechanism], ""
    document, error = _document(site, kind, typed, charge=charge)
    entries = _entries(kind, typed, error)
    if error is not None and not any(each.refused for each in entries):
        refused = refusal(error)
    values = {
        "mechanisms": [(name, MECHANISMS.summary(name)) for name in MECHANISMS.names()],
        "mechanism": mechanism,
        "about": MECHANISMS.summary(mechanism),
        "entries": entries,
        "refused": refused,
        "infinite": math.inf,
    }
    status = 200 if error is None else 422
    return operators_answer(request, View(document, "mechanisms.html", values, status))


def _document(
    site: Site, kind: type[PriceMechanism], typed: Mapping[str, str], *, charge: bool
) -> tuple[Description, InputError | None]:
    """Return what a mechanism would have charged, or the refusal of an option."""
    lead = (f"The bill that users see is by {site.bill.mechanism}.",)
    title = "Mechanisms"
    try:
        made = kind.from_texts({name: text for name, text in typed.items() if text})
        if not charge:
            return Description(title, (), lead), None
        would = _charges(site, made)
        return Description(title, (_beside(site, would),), (*lead, _said(site, made, would))), None
    except InputError as error:
        field = f"{error.field}: " if error.field else ""
        return Description(title, (), (*lead, f"Not charged. {field}{refusal(error)}.")), error


def _entries(
    kind: type[PriceMechanism], typed: Mapping[str, str], error: InputError | None
) -> list[OptionEntry]:
    about = field_texts(kind)
    return [
        OptionEntry(
            field,
            typed.get(field.name, field.default),
            about.get(field.name, ""),
            refusal(error) if error is not None and error.field == field.name else "",
        )
        for field in kind.option_fields()
    ]


def _charges(site: Site, made: PriceMechanism) -> Floats:
    """Return what each job would have been charged (SU); nothing is written.

    Raises
    ------
    InputError
        The run cannot be charged so, or not while somebody waits.
    """
    if made.replays is not None:
        raise InputError(
            f"{made.label} replays the log for each job, which takes long",
            remedy=f"run: utilitysched bill RUN --mechanism {made.label}",
        )
    plan = BillPlan(made.label, drawn_values=True, decimals=site.bill.decimals)
    charges: Floats = np.nan_to_num(charges_of(plan, Billable(site.past.run)).charge)
    return charges


def _said(site: Site, made: PriceMechanism, charges: Floats) -> str:
    would, is_now = (float(each.sum()) for each in (charges, _billed(site)))
    change = change_text(would / is_now - 1) if is_now > 0 else ""
    more = f", {change}%" if change else ""
    text = site.bill.text
    return f"By {made.label} it would come to {text(would)} SU in place of {text(is_now)}{more}."


def _billed(site: Site) -> Floats:
    return np.nan_to_num(site.bill.charge)


def _beside(site: Site, would_be: Floats) -> ResultTable:
    """Return what each account pays, and would pay."""
    spenders, text = Spenders.of(site), site.bill.text
    sums = (spenders.charged(each) for each in (_billed(site), would_be))
    rows: list[tuple[Any, ...]] = [
        (name, now, would, would - now, would / now - 1 if now > 0 else None)
        for name, now, would in zip(spenders.names, *(each.tolist() for each in sums), strict=True)
    ]
    rows.sort(key=lambda row: -abs(row[3]))
    columns = [
        column("account", "text", "account"),
        Column("charged", "SU", text, key="charge"),
        Column("would be", "SU", text, key="would_be"),
        Column("more", "SU", lambda more: f"{more:+,.2f}", key="more"),
        Column("change (%)", write=change_text, key="change"),
    ]
    return panel("beside", "By account, the largest change first", "", columns, rows)
