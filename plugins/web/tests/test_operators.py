"""Pages for operators: what they have equals what the library says elsewhere."""

from __future__ import annotations

import json

import pytest
from starlette.testclient import TestClient

from plugins.web.tests.conftest import EVER, KEY, Asking, token
from utilitysched.cli.entry import run as run_command
from utilitysched_web.application import application
from utilitysched_web.doors import Doors
from utilitysched_web.site import Site

JSON = {"format": "json"}


def root(site: Site) -> TestClient:
    app = application(site, Doors(KEY, requests=EVER, logins=EVER))
    brought = {"authorization": f"Bearer {token('root', 'operator')}"}
    return TestClient(app, "http://localhost", headers=brought, follow_redirects=False)


def test_the_run_is_compared_with_those_beside_it(asking: Asking) -> None:
    found = asking("root", "operator").get("/operators", params=JSON).json()

    assert found["runs"][0] == {"figure": "jobs", "recorded": "2,000"}


def test_the_ledger_has_what_the_command_says(
    site: Site, asking: Asking, capsys: pytest.CaptureFixture[str]
) -> None:
    found = asking("root", "operator").get("/operators/ledger", params=JSON).json()

    assert run_command(["ledger", "balance", site.ledger, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)["accounts"]
    shown = {row["account"]: row["balance_su"].replace(",", "") for row in found["accounts"]}
    assert {each["account"]: float(each["balance"]) for each in said} == {
        name: pytest.approx(float(text), abs=0.01) for name, text in shown.items()
    }
    assert {row["holds"] for row in found["checks"]} == {"yes"}
    assert found["lead"][0].endswith("All checks hold.")
    assert found["reconciliation"][0]["closing"] == "1,330.040000"
