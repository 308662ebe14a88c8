"""Invoices: shown to who pays them, and no file but those of their numbers."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from plugins.centre.tests.accounts.issued import MONTH, credit, invoices
from plugins.web.tests.conftest import EVER, KEY, Variant, token
from utilitysched_centre.accounts import Money, Terms, create
from utilitysched_centre.payment import open_book
from utilitysched_web.application import application
from utilitysched_web.doors import Doors
from utilitysched_web.site import Site
from utilitysched_web.tokens import Role

JSON = {"format": "json"}
FIRST, SECOND, NOTE = (f"HPC-{MONTH}-000{i}" for i in (1, 2, 3))


@pytest.fixture
def billed(variant: Variant, tmp_path: Path) -> Site:
    """A centre that has sent users 7 and 8 an invoice each, and given 7 something back."""
    ledger, folder = str(tmp_path / "books.db"), tmp_path / "billing"
    create(ledger, Terms(Money("EUR", 2), "user", None))
    with open_book(ledger) as book:
        seven, _ = invoices(book, 300, 400, 500)
        credit(book, seven, 3, 200)
    files = folder / MONTH / "invoices"
    files.mkdir(parents=True)
    for name in (f"{FIRST}.html", f"{FIRST}.csv", f"{FIRST}.json", f"{SECOND}.html"):
        (files / name).write_text(f"<style></style>{name}")
    (folder / "secret.html").write_text("secret")
    return variant(ledger=ledger, invoices=folder)


def asked(site: Site, user: str, role: Role = "user") -> TestClient:
    app = application(site, Doors(KEY, requests=EVER))
    brought = {"authorization": f"Bearer {token(user, role)}"}
    return TestClient(app, "http://localhost", headers=brought)


def numbers(site: Site, user: str, role: Role = "user", path: str = "/invoices") -> list[str]:
    found = asked(site, user, role).get(path, params=JSON).json()
    return [row["number"] for row in found.get("invoices", ())]


def test_each_sees_the_documents_of_the_account_that_pays(billed: Site) -> None:
    assert numbers(billed, "7") == [NOTE, FIRST]
    assert numbers(billed, "8") == [SECOND]
    assert numbers(billed, "9") == []
    assert numbers(billed, "root", "operator") == [NOTE, SECOND, FIRST]
    assert numbers(billed, "7", path="/bills") == [NOTE, FIRST]
    row = asked(billed, "7").get("/invoices", params=JSON).json()["invoices"]
    assert [each["amount"] for each in row] == ["-2.00", "8.00"]
    assert [each["open"] for each in row] == ["", "6.00"]


def test_files_are_sent_by_known_numbers_to_who_pays(billed: Site) -> None:
    mine, others = asked(billed, "7"), asked(billed, "8")
    page = mine.get(f"/invoices/{FIRST}.html")

    assert page.text == f"<style></style>{FIRST}.html"
    assert "sandbox" in page.headers["content-security-policy"]
    assert "script" not in page.headers["content-security-policy"]
    assert mine.get(f"/invoices/{FIRST}.csv").headers["content-type"] == "text/csv; charset=utf-8"
    assert f'<a href="/invoices/{FIRST}.html">' in mine.get("/bills").text
    assert asked(billed, "root", "operator").get(f"/invoices/{FIRST}.json").status_code == 200
    index = mine.get("/invoices/index.html", follow_redirects=False)
    assert (index.status_code, index.headers["location"]) == (303, "/invoices")
    for client, name in (
        (others, f"{FIRST}.html"),
        (mine, f"{SECOND}.html"),
        (mine, f"{NOTE}.html"),  # known, and not there
        (mine, "secret.html"),
        (mine, "..%2f..%2fsecret.html"),
        (mine, f"..%2finvoices%2f{FIRST}.html"),
    ):
        assert client.get(f"/invoices/{name}").status_code == 404


def test_operators_read_credit_notes_with_jobs_and_reasons(billed: Site) -> None:
    client = asked(billed, "root", "operator")
    (found,) = client.get("/operators/disputes", params=JSON).json()["credits"]

    assert found == {
        "number": NOTE,
        "account": "user 7",
        "corrects": FIRST,
        "amount": "2.00",
        "jobs": "3",
        "reason": "node failure",
    }
    overview = client.get("/operators").text
    assert "10.00 EUR open on 2 invoices, all of it overdue, for " in overview
    assert "; 2.00 EUR given back by 1 credit note." in overview


def test_without_a_folder_there_are_numbers_and_no_files(billed: Site, variant: Variant) -> None:
    shown = variant(ledger=billed.ledger)

    assert numbers(shown, "7") == [NOTE, FIRST]
    assert asked(shown, "7").get(f"/invoices/{FIRST}.html").status_code == 404


def test_amounts_have_commas_for_people_and_none_in_csv(variant: Variant, tmp_path: Path) -> None:
    ledger = str(tmp_path / "books.db")
    create(ledger, Terms(Money("EUR", 2), "user", None))
    with open_book(ledger) as book:
        invoices(book, 123_456, 400, 500)
    mine = asked(variant(ledger=ledger), "7")

    assert "1,239.56" in mine.get("/invoices").text
    row = mine.get("/invoices", params=JSON).json()["invoices"][0]
    assert (row["amount"], row["open"]) == ("1239.56", "1239.56")
    assert "It is rounded by itself" in mine.get("/bills").text


def test_the_page_of_a_charge_says_what_was_given_back(
    billed: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    workload = billed.results.workload
    row = int(billed.jobs_of("7")[0])
    address = f"/bills/{workload.job_names.name(int(workload.job_id[row]))}"
    mine = asked(billed, "7")
    assert "given_back" not in mine.get(address, params=JSON).json()

    monkeypatch.setattr("utilitysched_web.pages.bills.job_references", lambda _: ["job-3"])
    (found,) = mine.get(address, params=JSON).json()["given_back"]
    assert found == {"document": NOTE, "amount": "2.00", "reason": "node failure"}
