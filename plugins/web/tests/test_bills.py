"""Bills: each user's own, explained, and computed again."""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import swfx
from plugins.web.tests.conftest import EVER, KEY, Asking, Variant, token
from pricing.disclosure import losses_by_class
from pricing.evidence import losers, losses_of
from swfx import Header
from swfx.families.generators import attach_utilities
from swfx.header import named
from tests.utilitysched.small import named_workload, plain_workload
from utilitysched.cli.entry import run as run_command
from utilitysched_centre.accounts import Money, Terms, create
from utilitysched_web.application import application
from utilitysched_web.audit import AUDIT_FILE
from utilitysched_web.doors import Doors
from utilitysched_web.listed import ROWS
from utilitysched_web.site import Site
from utilitysched_web.tokens import Role

JSON = {"format": "json"}


def billed(site: Site) -> list[dict[str, str]]:
    with (site.run / "charges.csv").open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_a_users_bill_adds_up_to_the_charges_of_their_jobs(asking: Asking, site: Site) -> None:
    lines = [line for line in billed(site) if line["user"] == "7"]

    pages = [asking("7").get("/bills", params={**JSON, "page": each}).json() for each in (1, 2)]
    found, jobs = pages[0], [row for page in pages for row in page["jobs"]]

    assert [len(page["jobs"]) for page in pages] == [ROWS, len(lines) - ROWS]
    assert found["pages"] == {"jobs": {"page": 1, "pages": 2, "rows": len(lines)}}
    assert sum(row["charge"] for row in jobs) == pytest.approx(
        sum(float(line["charge"]) for line in lines)
    )
    assert {row["job_id"] for row in jobs} == {int(line["job_id"]) for line in lines}
    assert sum(month["jobs"] for month in found["months"]) == len(lines)


def test_a_budget_is_what_was_given_less_what_was_charged(asking: Asking) -> None:
    found = asking("7").get("/bills", params=JSON).json()
    charged = sum(month["charge"] for month in found["months"])

    with_reserve = float(found["budget"]["balance"]) + charged

    assert found["budget"]["account"] == "user:7"
    assert with_reserve == pytest.approx(1.25 * charged, abs=1.0)


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
    assert found["charge"]["reason"] == "charged: what it was worth at its requested end"
    assert found["lead"][0].startswith(
        "Job 100 of user 6, queue express, is charged 0.47 SU under first-price"
    )


def test_a_dispute_computes_again_and_is_written_down(asking: Asking, site: Site) -> None:
    found = asking("6").post("/bills/100/recompute", params=JSON)

    assert "identical to the last decimal" in found.json()["lead"][0]
    line = json.loads((site.state / AUDIT_FILE).read_text().splitlines()[-1])
    assert line["user"] == "6"
    assert (line["job"], line["verdict"]) == (100, "identical")


def test_a_bill_that_was_changed_is_found_out(site: Site, variant: Variant, tmp_path: Path) -> None:
    shutil.copytree(site.run.parent, tmp_path / "run")
    run = tmp_path / "run" / site.run.name
    text = (run / "charges.csv").read_text()
    line = next(line for line in text.splitlines() if line.startswith("100,"))
    charge = line.split(",")[13]
    (run / "charges.csv").write_text(text.replace(line, line.replace(charge, "99.5")))
    app = application(variant(run=run, state=tmp_path), Doors(KEY, None, requests=EVER))
    client = TestClient(app, "http://localhost")

    found = client.post(
        "/bills/100/recompute",
        params=JSON,
        headers={"authorization": f"Bearer {token('6', 'user')}"},
    ).json()

    assert "field charge says 99.5" in found["lead"][0]
    assert found["steps"]["written"] == charge


@pytest.fixture(scope="module")
def by_losses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A run whose charges are what others lost, and the job that cost others most."""
    folder = tmp_path_factory.mktemp("losses")
    log, runs = folder / "log.swfx", folder / "runs"
    swfx.write(attach_utilities(plain_workload(), seed=3), log)
    words = ["simulate", str(log), "-s", "value-density", "--out", str(runs), "--quiet"]
    assert run_command(words) == 0
    run = runs / "value-density"
    assert run_command(["bill", str(run), "--mechanism", "vcg", "--quiet"]) == 0
    create(str(folder / "ledger.db"), Terms(Money("SU", 6), "user", None))
    site = Site(run, folder, str(folder / "ledger.db"))
    with closing(site.books):
        yield site


def test_whom_a_job_cost_something_is_seen_but_not_who_others_are(by_losses: Site) -> None:
    charges, jobs = by_losses.rebill.charges, by_losses.results.workload
    lost = losses_of(charges)
    job = next(
        cause
        for cause, victim in zip(lost.cause.tolist(), lost.victim.tolist(), strict=True)
        if jobs.user[cause] != jobs.user[victim]
    )
    number, user = int(jobs.job_id[job]), by_losses.users.name(int(jobs.user[job]))
    app = application(by_losses, Doors(KEY, requests=EVER))

    def seen(name: str, role: Role) -> tuple[dict[str, Any], str]:
        brought = {"authorization": f"Bearer {token(name, role)}"}
        client = TestClient(app, "http://localhost", headers=brought)
        data = client.get(f"/bills/{number}", params=JSON).json()
        return data, client.get(f"/bills/{number}").text

    (mine, page), (all_of_it, _) = seen(user, "user"), seen("root", "operator")
    own = by_losses.jobs_of(user)
    classes = losses_by_class(jobs, losers(charges, job), own)

    assert [(row["class"], row["jobs"], row["loss"]) for row in mine["losers"]] == [
        (each.name, each.jobs, float(each.amount)) for each in classes
    ]
    assert set(re.findall(r"job (\d+)", page)) <= {str(jobs.job_id[each]) for each in own}
    assert all(row["job"].startswith("job ") for row in all_of_it["losers"])
    assert sum(row["loss"] for row in mine["losers"]) == pytest.approx(
        sum(row["loss"] for row in all_of_it["losers"])
    )
    specification = re.findall('<script type="application/json">(.*?)</script>', page)[-1]
    drawn = {each["data"]["name"]: each["data"] for each in json.loads(specification)["layer"]}
    shown = [row for side in ("loses_by", "losers") for row in mine.get(side, ())]
    assert [row["name"] for row in drawn["texts"]["values"]] == [row["class"] for row in shown]


def test_jobs_are_named_as_their_users_know_them(variant: Variant, tmp_path: Path) -> None:
    """Numbers stay in JSON and in addresses, which names lead to as well."""
    log, runs = tmp_path / "log.swfx", tmp_path / "runs"
    swfx.write(attach_utilities(named_workload(), seed=3), log)
    words = ["simulate", str(log), "-s", "saf", "--out", str(runs), "--quiet"]
    assert run_command(words) == 0
    assert run_command(["bill", str(runs / "saf"), "--mechanism", "vcg", "--quiet"]) == 0
    create(str(tmp_path / "ledger.db"), Terms(Money("SU", 6), "user", None))
    site = variant(run=runs / "saf", state=tmp_path, ledger=str(tmp_path / "ledger.db"))
    app = application(site, Doors(KEY, requests=EVER))
    brought = {"authorization": f"Bearer {token('root', 'operator')}"}
    client = TestClient(app, "http://localhost", headers=brought)

    job = client.get("/bills", params={**JSON, "user": "1"}).json()["jobs"][0]["job_id"]
    table = client.get("/bills", params={"user": "1"}).text
    name = re.search(rf'/bills/{job}">([0-9]+_[0-2])</a>', table)
    assert name
    by_number, by_name = (client.get(f"/bills/{each}").text for each in (job, name[1]))

    assert f"Job {name[1]} of user 1" in by_name
    assert by_name == by_number
    assert client.get("/bills/100_7").status_code == client.get("/bills/49").status_code == 404
    again = client.post(f"/bills/{name[1]}/recompute", params=JSON)
    assert again.status_code == 200
    assert again.json()["title"] == f"Job {name[1]}, computed again"


ODD = ("phys:ics", "\u202eecila", "x" * 80, "007", "a/b?c=d", "<b>bold</b>")
"""Names that no account of a ledger can have, or that mean something in addresses or pages."""


def odd_site(site: Site, variant: Variant, payer: str, folder: Path) -> Site:
    """The sample whose first users, or their projects, have odd names."""
    workload, kind = site.results.workload, "User" if payer == "user" else "Account"
    lines = [named(kind, number, name) for number, name in enumerate(ODD, start=1)]
    header = Header((*workload.header.lines, *lines))
    if payer != "user":
        workload = workload.replace(account=workload.user)
    ledger = str(folder / "books.db")
    create(ledger, Terms(Money("SU", 6), payer, None))
    shown = variant(state=folder, ledger=ledger)
    shown.__dict__["results"] = site.results._replace(workload=replace(workload, header=header))
    return shown


@pytest.mark.parametrize("payer", ["user", "project", "account"])
def test_an_odd_name_keeps_nobody_from_any_page(
    site: Site, variant: Variant, tmp_path: Path, payer: str
) -> None:
    shown = odd_site(site, variant, payer, tmp_path)
    app = application(shown, Doors(KEY, requests=EVER, logins=EVER))
    users = [shown.users.name(number) for number in (9, *range(1, len(ODD) + 1))]
    paths = ["/", "/bills", "/invoices"]

    for who, role in [*((user, "user") for user in users), ("root", "operator")]:
        brought = {"authorization": f"Bearer {token(who, role)}"}  # type: ignore[arg-type]
        client = TestClient(app, "http://localhost", headers=brought)
        more = ["/operators", "/operators/accounts", "/operators/ledger"]
        for path in [*paths, *(more if role == "operator" else [])]:
            assert client.get(path).status_code == 200, (who, path)
        if role == "user":
            assert client.get("/bills", params=JSON).json()["jobs"]
    links = re.findall(r'href="(/bills\?user=[^"]+)"', client.get("/bills").text)
    assert len(links) == 40
    assert {client.get(link.replace("&amp;", "&")).status_code for link in links} == {200}
    text = client.get("/operators/accounts").text
    assert "<b>bold</b>" not in text
    account = re.search(r'href="(/operators\?account=[^"]+)"', text)
    assert account
    assert client.get(account[1]).status_code == 200
