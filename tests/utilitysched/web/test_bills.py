"""Bills: each user's own, explained, computed again, and where the month leads."""

from __future__ import annotations

import csv
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.utilitysched.web.conftest import EVER, KEY, Asking, token
from utilitysched.web.application import application
from utilitysched.web.audit import AUDIT_FILE
from utilitysched.web.doors import Doors
from utilitysched.web.site import Site

JSON = {"format": "json"}


def billed(site: Site) -> list[dict[str, str]]:
    with (site.run / "charges.csv").open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_a_users_bill_adds_up_to_the_charges_of_their_jobs(asking: Asking, site: Site) -> None:
    lines = [line for line in billed(site) if line["user"] == "7"]

    found = asking("7").get("/bills", params={**JSON, "shown": 1000}).json()

    assert sum(row["charge"] for row in found["jobs"]) == pytest.approx(
        sum(float(line["charge"]) for line in lines)
    )
    assert {row["job_id"] for row in found["jobs"]} == {int(line["job_id"]) for line in lines}
    assert sum(month["jobs"] for month in found["months"]) == len(lines)


def test_a_budget_is_what_was_given_less_what_was_charged(asking: Asking) -> None:
    found = asking("7").get("/bills", params=JSON).json()
    charged = sum(month["charge"] for month in found["months"])

    with_reserve = float(found["budget"]["balance"]) + charged

    assert found["budget"]["account"] == "user:7"
    assert with_reserve == pytest.approx(1.25 * charged, abs=1.0)
    assert found["budget"]["after"] <= float(found["budget"]["balance"])


def test_users_read_no_bill_but_their_own(asking: Asking, site: Site) -> None:
    theirs = next(line["job_id"] for line in billed(site) if line["user"] == "2")

    assert asking("7").get("/bills", params={"user": "2"}).status_code == 403
    assert asking("7").get(f"/bills/{theirs}").status_code == 404
    assert asking("7").post(f"/bills/{theirs}/recompute").status_code == 404
    assert asking("root", "operator").get("/bills", params={"user": "2"}).status_code == 200
    assert asking("root", "operator").get(f"/bills/{theirs}").status_code == 200


def test_a_charge_is_explained(asking: Asking, site: Site) -> None:
    found = asking("6").get("/bills/100", params=JSON).json()

    charged = next(line["charge"] for line in billed(site) if line["job_id"] == "100")
    assert found["charge"]["charge"] == charged
    assert found["charge"]["reason"] == "charged: what it was worth"
    assert found["lead"][0].startswith("Job 100 of user 6, queue express: 0.50 SU by first-price")


def test_a_dispute_computes_again_and_is_written_down(asking: Asking, site: Site) -> None:
    found = asking("6").post("/bills/100/recompute", params=JSON)

    assert "identical to the last decimal" in found.json()["lead"][0]
    line = json.loads((site.state / AUDIT_FILE).read_text().splitlines()[-1])
    assert line["user"] == "6"
    assert (line["job"], line["verdict"]) == (100, "identical")


def test_a_bill_that_was_changed_is_found_out(site: Site, tmp_path: Path) -> None:
    shutil.copytree(site.run.parent, tmp_path / "run")
    run = tmp_path / "run" / site.run.name
    text = (run / "charges.csv").read_text()
    line = next(line for line in text.splitlines() if line.startswith("100,"))
    charge = line.split(",")[13]
    (run / "charges.csv").write_text(text.replace(line, line.replace(charge, "99.5")))
    app = application(replace(site, run=run, state=tmp_path), Doors(KEY, None, requests=EVER))
    client = TestClient(app, "http://localhost")

    found = client.post(
        "/bills/100/recompute",
        params=JSON,
        headers={"authorization": f"Bearer {token('6', 'user')}"},
    ).json()

    assert "field charge says 99.5" in found["lead"][0]
    assert found["steps"]["written"] == charge
