"""Pages for operators: what they have equals what the library says elsewhere."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from plugins.web.tests.conftest import EVER, KEY, Asking, token
from tests.utilitysched.experiments.small import small_file
from utilitysched.cli.entry import run as run_command
from utilitysched.experiments.work import complete, open_work
from utilitysched.workers.local import SerialExecutor
from utilitysched_web.application import application
from utilitysched_web.doors import Doors
from utilitysched_web.site import Site

JSON = {"format": "json"}
TINY = """\
name = "tiny"
[[workload]]
source = "model:lublin,jobs=40,procs=64,seed=3"
jobs = ["0:20", "20:40"]
[utilities]
seeds = [1]
[schedulers]
names = ["easy", "fcfs"]
[report]
metrics = ["wait_mean"]
"""


def root(site: Site) -> TestClient:
    app = application(site, Doors(KEY, requests=EVER, logins=EVER))
    brought = {"authorization": f"Bearer {token('root', 'operator')}"}
    return TestClient(app, "http://localhost", headers=brought, follow_redirects=False)


def test_the_run_is_compared_with_those_beside_it(asking: Asking) -> None:
    found = asking("root", "operator").get("/operators", params=JSON).json()

    assert found["runs"][0] == {"figure": "jobs", "recorded": "2,000"}


def test_a_report_runs_its_own_scripts_in_a_sandbox(asking: Asking) -> None:
    answer = asking("root", "operator").get("/operators/report")
    policy = answer.headers["content-security-policy"]

    assert policy.startswith("sandbox allow-scripts allow-downloads; default-src 'none'")
    assert policy.count("'sha256-") == answer.text.count("<script>")
    assert "'unsafe-inline'" not in policy.partition("style-src")[0]
    assert "allow-same-origin" not in policy


def test_an_experiment_is_seen_while_it_runs(site: Site, tmp_path: Path) -> None:
    file = small_file(tmp_path, TINY)
    seen = root(replace(site, experiments=(file,)))

    before = seen.get("/operators/experiments", params=JSON).json()["experiments"][0]
    empty = seen.get("/operators/experiments/1", params=JSON)
    complete(open_work(file, None, lambda _: None), SerialExecutor())
    after = seen.get("/operators/experiments", params=JSON).json()["experiments"][0]
    found = seen.get("/operators/experiments/1")

    assert (before["finished"], before["wanted"]) == (0, 4)
    assert (after["finished"], after["share"]) == (4, 1)
    assert empty.status_code == 400
    assert "holds no result" in empty.json()["lead"][0]
    assert found.status_code == 200
    assert "fcfs" in found.text
    assert seen.get("/operators/experiments/2").status_code == 404


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
    assert found["reconciliation"][0]["closing"] == "2,039.040454"


def test_an_audit_is_shown_as_it_was_written(site: Site, tmp_path: Path) -> None:
    row = {
        "mechanism": "vcg",
        "measure": "best lie",
        "congestion": "all",
        "jobs": 4,
        "gain": 0.5,
        "low": None,
        "high": None,
        "share": 0.02,
        "lying": 0.25,
    }
    document = {"summary": [row], "scheduler": "easy", "jobs": 4}
    (tmp_path / "audit.json").write_text(json.dumps(document))
    seen = root(replace(site, audits=(tmp_path,)))

    assert seen.get("/operators/audits", params=JSON).json()["audit_1"] == [row]
    (tmp_path / "audit.json").write_text("{")
    refused = seen.get("/operators/audits", params=JSON)
    assert refused.status_code == 400
    assert "holds no audit" in refused.json()["lead"][0]
