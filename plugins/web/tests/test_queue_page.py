"""The page of the queue: own jobs by name, others as classes, a plan that can be checked."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from plugins.web.tests.conftest import Asking
from pricing.disclosure import FEWEST, OTHERS, band
from swfx.labels import LabelNames
from utilitysched_web.queue_view import QueueView
from utilitysched_web.site import Site


def owner(site: Site) -> int:
    """Return who has the most jobs that wait, and not all."""
    users = [job.user for job in site.moment.snapshot.queued]
    return max(set(users), key=users.count)


def test_own_jobs_have_names_and_others_none(asking: Asking, site: Site) -> None:
    user, snapshot, start = owner(site), site.moment.snapshot, site.moment.plan.start
    client = asking(str(user))
    page, data = (client.get("/queue", params={"format": each}) for each in ("html", "json"))
    own = [place for place, job in enumerate(snapshot.queued) if job.user == user]
    mine = [snapshot.queued[place].id for place in sorted(own, key=start.__getitem__)]

    named = set(map(int, re.findall(r"job (\d+)", page.text)))
    running = {job.id for job in snapshot.running if job.user == user}
    assert named
    assert named <= {*mine, *running}
    choices = page.text.partition('<select name="job">')[2].partition("</select>")[0]
    assert set(map(int, re.findall(r"<option[^>]*>(\d+)", choices))) == set(mine)
    assert [each["job"] for each in data.json()["mine"]] == mine
    first = f"{len(mine)} of your jobs wait; job {mine[0]} is the next to start, in "
    assert data.json()["lead"][0].startswith(first)
    others = len(snapshot.queued) - len(mine) + len(snapshot.running) - len(running)
    assert sum(each["jobs"] for each in data.json()["others"]) == others


def test_the_plan_is_drawn_to_scale(site: Site) -> None:
    snapshot = site.moment.snapshot
    drawn = QueueView(site.moment.plan, None).day()
    kinds = np.array(drawn["kind"])
    start, end, low, high = (np.array(drawn[name]) for name in ("start", "end", "low", "high"))

    running = kinds == "running"
    held = sum(job.processors for job in snapshot.running)
    assert (high - low)[running].sum() == held
    assert (start[running] == 0).all()
    assert set(kinds) == {"running", "waiting"}
    assert (start >= 0).all()
    assert (start < end).all()
    assert (end <= 24).all()
    assert (low >= 0).all()
    assert (high <= snapshot.machine_size).all()


def test_a_higher_bid_shows_who_moves(asking: Asking, site: Site) -> None:
    plan = site.moment.plan
    bids = [job for job in plan.snapshot.queued if job.utility and job.utility.start_value]
    late = max(bids, key=lambda job: plan.start[plan.place_of(job.id)])
    params = {"job": late.id, "bid": 1024.0, "format": "json"}
    answer = asking(str(late.user)).get("/queue", params=params).json()
    found = answer["changed"]

    after = plan.bidding(late.id, 1024.0)
    place = plan.place_of(late.id)
    assert found[0]["who"] == f"job {late.id}"
    assert found[0]["moves"] == after.start[place] - plan.start[place] < 0
    moved = int((after.start != plan.start).sum())
    assert sum(each["jobs"] for each in found) == moved
    assert answer["lead"][0].startswith(f"If job {late.id} bid 1024 times as much, it would start")
    assert answer["lead"][0].endswith(f" earlier; {moved - 1} other jobs would move.")
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


def test_users_see_prices_in_bands_and_no_class_of_few(asking: Asking, site: Site) -> None:
    plan, user = site.moment.plan, owner(site)
    mine, whole = (
        asking(*who).get("/queue", params={"format": "json"}).json()
        for who in ((str(user),), ("root", "operator"))
    )

    exact = [price or 0.0 for price in plan.prices()]
    assert whole["prices"]["values"] == exact
    assert mine["prices"]["values"] == list(map(band, exact))
    jobs = [*plan.snapshot.running, *plan.snapshot.queued]
    for row in mine["others"]:
        queue = row["class"].rpartition(" ")[2]
        rivals = {
            job.user
            for job in jobs
            if site.queue_title(job.queue or 0) == f"queue {queue}" and job.user != user
        }
        assert row["class"] == OTHERS or len(rivals) >= FEWEST
    few = replace(plan.snapshot, queued=plan.snapshot.queued[:2], running=())
    view = QueueView(replace(plan, snapshot=few), -2)
    assert {view.class_of(job) for job in few.queued} == {OTHERS}
    assert set(view.day()["job"]) == {OTHERS}


def test_only_doubled_bids_can_be_tried_and_each_is_counted(
    asking: Asking, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = site.moment.snapshot
    job = next(job for job in snapshot.queued if job.utility and job.utility.start_value)
    counted: list[str] = []
    monkeypatch.setattr(
        Site, "count_question", lambda _, who, about: counted.append(f"{who} {about}")
    )
    monkeypatch.setattr(Site, "budget_of", lambda *_: 2.5 * float(job.utility.values.max()))

    def status(bid: float) -> int:
        params = {"job": job.id, "bid": bid}
        return asking(str(job.user)).get("/queue", params=params).status_code

    assert [status(bid) for bid in (0.5, 2, 1.9, 3, 4)] == [200, 200, 400, 400, 400]
    about = f"{job.user} job {job.id} for"
    assert counted == [f"{about} 0.5 times the bid", f"{about} 2 times the bid"]


def test_home_lists_own_jobs_that_run_and_wait(asking: Asking, site: Site) -> None:
    user, snapshot = owner(site), site.moment.snapshot
    found = asking(str(user)).get("/", params={"format": "json"}).json()

    for part, jobs in (("running", snapshot.running), ("waiting", snapshot.queued)):
        assert [each["job"] for each in found[part]] == [
            job.job_name for job in jobs if job.user == user
        ]
    counts = f"{len(found['running'])} of yours run and {len(found['waiting'])} wait"
    assert found["lead"][1].startswith(counts)
    assert asking("nobody").get("/", params={"format": "json"}).json()["waiting"] == []


def test_queues_have_the_names_that_the_log_has(site: Site) -> None:
    plan = site.moment.plan
    queued = [replace(job, queue=3) for job in plan.snapshot.queued]
    high = replace(plan, snapshot=replace(plan.snapshot, queued=queued, running=()))
    named = LabelNames("queue", {3: "high"})

    assert {QueueView(high, -2, named.title).class_of(job) for job in queued} == {
        f"{OTHERS}, queue high"
    }
    assert site.queue_title(3) == "queue normal"  # as the sample's header has it
