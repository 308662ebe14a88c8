"""The queue as it is planned."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from starlette.exceptions import HTTPException

from utilitysched_web.answers import Shown, View, answer
from utilitysched_web.doors import Who
from utilitysched_web.queue_view import QueueView

router = APIRouter(prefix="/queue", tags=["queue"])

NOBODY = -2
"""A user of whom no job is, nor one of those that nobody knows whose they are."""

MOST = 1024.0
"""Times as much as a job bids now that can be tried: as much as quotes try."""


@router.get("")
def queue(
    request: Request,
    site: Shown,
    who: Who,
    job: int | None = None,
    bid: Annotated[float, Query(gt=0, le=MOST)] = 2.0,
) -> Response:
    """Show who runs, who waits and until when; and what a higher bid of an own job would change."""
    number = site.moment.number_of(who.user)
    view = QueueView(
        site.moment.plan, None if who.is_operator else NOBODY if number is None else number
    )
    waiting = [each.id for each in site.moment.snapshot.queued if view.is_mine(each)]
    if job is not None and job not in waiting:
        raise HTTPException(404, f"no job {job} of yours waits")
    more = () if job is None else (view.changed(job, bid),)
    values = {"picture": view.picture(), "waiting": waiting, "job": job, "bid": bid, "most": MOST}
    return answer(request, View(view.document(*more), "queue.html", values))
