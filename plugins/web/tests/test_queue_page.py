"""The page of the queue: own jobs by name, others as classes, a plan that can be checked."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from plugins.web.tests.conftest import Asking
from utilitysched_web.queue_view import QueueView
from utilitysched_web.site import Site


def owner(site: Site) -> int:
    """Return who has the most jobs that wait, and not all."""
    users = [job.user for job in site.moment.snapshot.queued]
    return max(set(users), key=users.count)


def test_own_jobs_have_names_and_others_none(asking: Asking, site: Site) -> None:
    user, snapshot = owner(site), site.moment.snapshot
    client = asking(str(user))
    page, data = (client.get("/queue", params={"format": each}) for each in ("html", "json"))
    mine = [job.id for job in snapshot.queued if job.user == user]

    named = set(map(int, re.findall(r"job (\d+)", page.text)))
    running = {job.id for job in snapshot.running if job.user == user}
    assert named
    assert named <= {*mine, *running}
    choices = page.text.partition('<select name="job">')[2].partition("</select>")[0]
    assert set(map(int, re.findall(r"<option[^>]*>(\d+)", choices))) == set(mine)
    assert [each["job"] for each in data.json()["mine"]] == mine
    others = len(snapshot.queued) - len(mine) + len(snapshot.running) - len(running)
    assert sum(each["jobs"] for each in data.json()["others"]) == others


def test_the_plan_is_drawn_to_scale(site: Site) -> None:
    view = QueueView(site.moment.plan, None)
    picture = view.picture()
    snapshot = site.moment.snapshot

    area = sum(float(bar.height) for bar in picture.bars if bar.kind.startswith("runs"))
    used = sum(job.processors for job in snapshot.running)
    assert area / picture.below == pytest.approx(used / snapshot.machine_size, abs=0.02)
    boxes = np.array(
        [[float(x) for x in (bar.x, bar.y, bar.width, bar.height)] for bar in picture.bars]
    )
    assert (boxes[:, :2] >= (picture.left - 0.1, -0.1)).all()
    assert (boxes[:, 0] + boxes[:, 2] <= picture.width + 0.5).all()
    assert (boxes[:, 1] + boxes[:, 3] <= picture.below + 0.5).all()


def test_a_higher_bid_shows_who_moves(asking: Asking, site: Site) -> None:
    plan = site.moment.plan
    bids = [job for job in plan.snapshot.queued if job.utility and job.utility.start_value]
    late = max(bids, key=lambda job: plan.start[plan.place_of(job.id)])
    params = {"job": late.id, "bid": 1024.0, "format": "json"}
    found = asking(str(late.user)).get("/queue", params=params).json()["changed"]

    after = plan.bidding(late.id, 1024.0)
    place = plan.place_of(late.id)
    assert found[0]["who"] == f"job {late.id}"
    assert found[0]["moves"] == after.start[place] - plan.start[place] < 0
    moved = int((after.start != plan.start).sum())
    assert sum(each["jobs"] for each in found) == moved
    assert "job" not in json.dumps([each["who"] for each in found if each["starts"] is None])


def test_bids_of_others_cannot_be_tried(asking: Asking, site: Site) -> None:
    another = next(job for job in site.moment.snapshot.queued if job.user != owner(site))
    client = asking(str(owner(site)))

    assert client.get("/queue", params={"job": another.id}).status_code == 404
    assert client.get("/queue", params={"job": 1, "bid": -1}).status_code == 422
    assert asking("nobody").get("/queue", params={"format": "json"}).json()["mine"] == []


def test_why_a_job_waits(site: Site) -> None:
    plan, view = site.moment.plan, QueueView(site.moment.plan, owner(site))
    last = int(np.argmax(plan.start))
    job = plan.snapshot.queued[last]

    said = view.why(last)
    assert said.startswith(f"It needs {job.processors} processor")
    assert f"Before it, the plan has {len(plan.ahead_of(last))} jobs, " in said
