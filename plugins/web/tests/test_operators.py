"""Pages for operators: what they have equals what the library says elsewhere."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from starlette.testclient import TestClient

from plugins.centre.tests.accounts.runs import claims
from plugins.web.tests.conftest import EVER, KEY, Asking, Variant, token
from utilitysched.cli.entry import run as run_command
from utilitysched.market.audit.summary import ALL, MeasureRow
from utilitysched.report.audit import BEST_LIE
from utilitysched_centre.accounts import Account, Money, Terms, create
from utilitysched_centre.payment import open_book
from utilitysched_web.application import application
from utilitysched_web.budgets import Spenders
from utilitysched_web.doors import Doors
from utilitysched_web.pages.operators import OPERATOR_PAGES
from utilitysched_web.site import CHECKED_FOR, Site
from utilitysched_web.trends import DAY

JSON = {"format": "json"}


def operator(site: Site) -> TestClient:
    app = application(site, Doors(KEY, requests=EVER, logins=EVER))
    brought = {"authorization": f"Bearer {token('root', 'operator')}"}
    return TestClient(app, "http://localhost", headers=brought, follow_redirects=False)


def test_the_overview_adds_up(asking: Asking, site: Site) -> None:
    client = asking("root", "operator")
    for by in ("day", "week", "month"):
        found = client.get("/operators", params={**JSON, "by": by}).json()
        assert sum(row["jobs"] for row in found["periods"]) == len(site.results.workload)
        assert found["revenue"]["values"] == [
            pytest.approx(row["charge"], abs=1e-6) for row in reversed(found["periods"])
        ]
    assert sum(found["revenue"]["values"]) == pytest.approx(np.nansum(site.bill.charge))
    assert client.get("/operators", params={"by": "year"}).status_code == 422
    assert len(found["largest"]) == len(found["runs_out"]) == 10


def test_an_account_has_its_own_overview(asking: Asking, site: Site) -> None:
    client = asking("root", "operator")
    found = client.get("/operators", params={**JSON, "account": "user 7", "by": "month"}).json()

    own = site.bill.charge[site.jobs_of("7")]
    assert sum(found["revenue"]["values"]) == pytest.approx(np.nansum(own))
    (row,) = (each for each in Spenders.of(site).spending() if each.account == "user 7")
    assert found["lead"][2].startswith(f"{row.left:,.2f} SU left; 0.00 used, not charged yet")
    assert client.get("/operators", params={"account": "nobody"}).status_code == 404


def test_a_budget_lasts_until_it_is_spent_at_this_rate(variant: Variant, tmp_path: Path) -> None:
    ledger = str(tmp_path / "books.db")
    create(ledger, Terms(Money("SU", 6), "user", 0))
    with open_book(ledger) as book:
        book.endow_all({Account("user", "7"): 40, Account("user", "1"): 4_000_000}, month="2026-01")
        book.set_limit(Account("user", "7"), 10)
    shown = variant(ledger=ledger)
    rows = {row.account: row for row in Spenders.of(shown).spending()}
    end = shown.results.schedule.end
    rate = np.nansum(shown.bill.charge[shown.jobs_of("7")]) / (np.ptp(end) / DAY)

    assert rows["user 7"].left == 50.0
    assert rows["user 7"].days == pytest.approx(50 / rate)
    assert rows["user 2"].left is None
    found = operator(shown).get("/operators", params=JSON).json()
    assert [row["account"] for row in found["runs_out"]] == ["user 7"]
    clock = shown.past.snapshot.clock
    assert clock is not None
    date = clock.date(end.max() + 50 / rate * DAY).date()
    assert found["lead"][2] == f"1 budget runs out within 30 days at this rate: user 7 ({date})."


@pytest.mark.parametrize(("month", "charged"), [("2025-12", False), ("2026-02", True)])
def test_what_is_not_charged_yet_is_not_left(
    variant: Variant, tmp_path: Path, month: str, charged: bool
) -> None:
    ledger = str(tmp_path / "books.db")
    create(ledger, Terms(Money("SU", 2), "user", 0))
    with open_book(ledger) as book:
        book.endow_all(dict.fromkeys((Account("user", "7"), Account("user", "8")), 10_000))
        book.post(claims(100, 100, month=month))
    shown = variant(ledger=ledger)
    (row,) = (row for row in Spenders.of(shown).spending() if row.account == "user 7")
    used = float(np.nansum(shown.bill.charge[shown.jobs_of("7")]))  # in January and February 2026

    assert (row.left, row.pending) == (9_999.0, pytest.approx(0.0 if charged else used))
    assert row.days == pytest.approx((9_999 - row.pending) / row.rate)


def test_a_ledger_in_money_says_how_long_budgets_last_by_its_latest_month(
    variant: Variant, tmp_path: Path
) -> None:
    ledger = str(tmp_path / "books.db")
    create(ledger, Terms(Money("EUR", 2), "user", None))
    with open_book(ledger) as book:
        book.endow(Account("user", "7"), 10)
        book.post(claims(300, 100))
        book.refund("job-1", 1, month="2000-05")  # a month without charges says nothing of a rate
    shown = variant(ledger=ledger)
    (row,) = (row for row in Spenders.of(shown).spending() if row.account == "user 7")

    assert (row.left, row.rate) == (8.0, 0.1)  # 3 EUR in the 30 days of April
    lasted = np.ptp(shown.results.schedule.end) / DAY  # of the log, which the ledger knows not of
    assert row.pending == pytest.approx(0.1 * lasted)
    assert row.days == pytest.approx(80 - lasted)
    (owing,) = (row for row in Spenders.of(shown).spending() if row.account == "user 8")
    assert (owing.left, owing.days) == (-1.0, None)
    found = operator(shown).get("/operators", params=JSON).json()
    assert found["income"] == {
        "unit": "EUR",
        "labels": ["2000-04", "2000-05"],
        "values": [4.0, -1.0],
    }


def test_the_run_is_compared_with_those_beside_it(asking: Asking) -> None:
    found = asking("root", "operator").get("/operators/runs", params=JSON).json()

    assert found["runs"][0] == {"figure": "jobs", "recorded": "2,000"}
    assert found["audits"] == []


def test_verdicts_of_audits_beside_the_run_are_shown(variant: Variant, tmp_path: Path) -> None:
    shown = variant(state=tmp_path)
    row = MeasureRow("vcg", BEST_LIE, ALL, 30, 2.0, 1.0, 3.0, 0.1, 0.5)
    (tmp_path / "audit").mkdir()
    document = {
        "scheduler": "ga",
        "summary": [row._asdict(), row._replace(measure="placebo")._asdict()],
    }
    (tmp_path / "audit" / "audit.json").write_text(json.dumps(document))

    (found,) = operator(shown).get("/operators/runs", params=JSON).json()["audits"]
    assert (found["scheduler"], found["jobs"]) == ("ga", 30)
    assert found["verdict"].startswith("vcg: misreporting pays, 2.00 SU a job")


@pytest.mark.parametrize("text", ["", "{", "[]", '{"scheduler": "ga", "summary": [{}]}'])
def test_an_audit_that_cannot_be_read_is_named(variant: Variant, tmp_path: Path, text: str) -> None:
    shown = variant(state=tmp_path)
    (tmp_path / "monday").mkdir()
    (tmp_path / "monday" / "audit.json").write_text(text)

    (found,) = operator(shown).get("/operators/runs", params=JSON).json()["audits"]
    assert found["scheduler"] == "monday"
    assert found["verdict"] == "audit.json cannot be read; audit again"


def test_disputes_are_listed_with_their_verdicts(asking: Asking) -> None:
    assert asking("6").post("/bills/100/recompute").status_code == 200
    client = asking("root", "operator")
    found = client.get("/operators/disputes", params=JSON).json()

    latest = found["recomputed"][0]
    assert (latest["user"], latest["job"], latest["verdict"]) == ("6", 100, "identical")
    assert "all are identical to the bill." in found["lead"][0]
    assert '<a href="/bills/100">100</a>' in client.get("/operators/disputes").text


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
    assert [row["month"] for row in found["income"]] == ["2026-01", "2026-02"]


def test_a_ledger_is_checked_again_when_it_grows_or_time_passes(
    variant: Variant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger, now = str(tmp_path / "books.db"), [1_000.0]
    create(ledger, Terms(Money("SU", 2), "user", 0))
    shown = variant(ledger=ledger)
    monkeypatch.setattr("utilitysched_web.site.time.time", lambda: now[0])

    first = shown.verdict()
    now[0] += CHECKED_FOR
    assert shown.verdict() is first
    with open_book(ledger) as book:
        book.endow(Account("user", "7"), 10)
    assert shown.verdict().at == now[0]
    now[0] += CHECKED_FOR + 1
    assert shown.verdict().at == now[0]


@pytest.mark.parametrize("page", [each.path for each in OPERATOR_PAGES])
def test_no_page_names_a_folder_of_the_server(asking: Asking, site: Site, page: str) -> None:
    answer = asking("root", "operator").get(page)

    assert answer.status_code == 200
    assert str(site.state) not in answer.text
    assert str(site.run) not in answer.text
    assert re.search(f'<a href="{page}" aria-current="page">', answer.text)


def test_a_refusal_names_no_folder_either(site: Site, variant: Variant, tmp_path: Path) -> None:
    shutil.copytree(site.run.parent, tmp_path / "run")
    run = tmp_path / "run" / site.run.name
    (run / "charges.csv").unlink()
    unbilled = operator(variant(run=run)).get("/bills")
    missing = operator(variant(ledger=str(tmp_path / "none.db"))).get("/operators/ledger")

    assert (unbilled.status_code, missing.status_code) == (400, 400)
    assert "recorded: has no bill; run: utilitysched bill RUN" in unbilled.text
    assert str(tmp_path) not in unbilled.text + missing.text
