"""The queue as it is planned."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from starlette.exceptions import HTTPException

from swfx import InputError
from utilitysched_web.answers import Shown, View, answer
from utilitysched_web.doors import Identity, Who
from utilitysched_web.listed import Listed
from utilitysched_web.moments import require_payable
from utilitysched_web.queue_view import Change, QueueView
from utilitysched_web.site import Site

router = APIRouter(prefix="/queue", tags=["queue"])

NOBODY = -2
"""A user of whom no job is, nor one of those that nobody knows whose they are."""

FACTORS = (0.5, *(2.0**doublings for doublings in range(1, 11)))
"""Times as much as a job bids now that can be tried: finer ones would tell what others bid."""


@router.get("", dependencies=[Listed])
def queue(
    request: Request,
    site: Shown,
    who: Who,
    job: str | None = None,
    bid: Annotated[float, Query(ge=min(FACTORS), le=max(FACTORS))] = 2.0,
) -> Response:
    """Show who runs, who waits and until when; and what a higher bid of an own job would change."""
    number = site.moment.number_of(who.user)
    view = QueueView(
        site.moment.plan,
        None if who.is_operator else NOBODY if number is None else number,
        site.queue_title,
    )
    waiting = {each.job_name: each.id for each in site.moment.snapshot.queued if view.is_mine(each)}
    known = {str(number): number for number in waiting.values()} | waiting
    if job is not None and job not in known:
        raise HTTPException(404, f"no job {job} of yours waits")
    more = () if job is None else (_changed(site, who, view, known[job], bid),)
    values = {
        "picture": view.picture(),
        "drawn": True,
        "waiting": list(waiting),
        "job": job,
        "bid": bid,
        "factors": FACTORS,
    }
    document = view.document(*more)
    return answer(request, View(document, "queue.html", values, pictures={"day": view.day()}))


def _changed(site: Site, who: Identity, view: QueueView, job: int, bid: float) -> Change:
    """Return what a higher bid would change; it counts as a question, and must be payable.

    Raises
    ------
    InputError
        The bid is no choice, more than the account can pay, or one question too many today.
    """
    if bid not in FACTORS:
        choices = ", ".join(f"{factor:g}" for factor in FACTORS)
        raise InputError(f"{bid:g} is no choice", field="bid", remedy=f"write one of {choices}")
    curve = view.plan.snapshot.queued[view.plan.place_of(job)].utility
    worth = 0.0 if curve is None else float(curve.values.max())
    require_payable(bid * worth, site.budget_of(who.sees))
    site.count_question(who.sees, f"job {job} for {bid:g} times the bid")
    return view.changed(job, bid)
