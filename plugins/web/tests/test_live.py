"""The queue of a cluster in the browser."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from plugins.slurm.tests.fake import FakeSlurm
from plugins.web.tests.conftest import Variant, token
from utilitysched_slurm.commands import Action
from utilitysched_slurm.comments import NEW
from utilitysched_web.application import application
from utilitysched_web.doors import Doors
from utilitysched_web.live import LiveView
from utilitysched_web.site import Site


@pytest.fixture
def slurm() -> FakeSlurm:
    """A cluster whose only node alice's job has; hers and bob's wait, one held for the market."""
    found = FakeSlurm({"n1": 4}, holds_new=True)
    for user, comment in (("alice", ""), ("alice", "0:40,1h:0"), ("bob", "0:10,1h:0")):
        found.submit(cpus=4, user=user, comment=comment)
    found.apply([Action("release", "1", "9")])
    found.advance(5)
    return found


@pytest.fixture
def live(slurm: FakeSlurm) -> LiveView:
    return LiveView(slurm, "value-density", lambda: float(slurm.now))


def asked(site: Site, doors: Doors, user: str) -> TestClient:
    headers = {"authorization": f"Bearer {token(user, 'user')}", "accept": "application/json"}
    return TestClient(application(site, doors), "http://localhost", headers=headers)


def test_jobs_that_the_market_holds_wait(slurm: FakeSlurm, live: LiveView) -> None:
    assert slurm.jobs["2"].admin_comment == NEW
    assert [job.id for job in live.last.queued] == [2, 3]
    assert [job.id for job in live.last.running] == [1]


def test_users_see_their_own_jobs_of_the_cluster(
    variant: Variant, doors: Doors, live: LiveView
) -> None:
    shown = variant(live=live)

    assert asked(shown, doors, "bob").get("/queue?job=3").status_code == 200
    assert asked(shown, doors, "bob").get("/queue?job=2").status_code == 404
    home = asked(shown, doors, "bob").get("/").json()
    assert [each["job"] for each in home["waiting"]] == ["3"]
    assert home["lead"][1].startswith("0 of yours run and 1 wait on 20")


def test_quotes_are_made_on_the_queue_as_it_is(
    variant: Variant, doors: Doors, slurm: FakeSlurm, live: LiveView
) -> None:
    shown = variant(live=live)
    asking = asked(shown, doors, "bob")
    typed = {"processors": 4, "requested": "1h", "curve": "0:20,4h:0"}

    assert asking.get("/quote", params=typed).status_code == 200
    before = shown.moment
    assert shown.moment is before
    slurm.advance(60)
    live.read()
    assert shown.moment.at == before.at + 60
    assert asking.get("/quote", params=typed | {"processors": 5}).status_code == 422
