"""The page of quotes: its figures are those of the library, and it keeps what it said."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from fastapi import Request
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from plugins.web.tests.conftest import KEY, Asking, Variant, token
from swfx import Header
from swfx.accounting.annotations import said_by_user
from swfx.header import named
from utilitysched_centre.accounts import Account, Money, Terms, create
from utilitysched_centre.payment import open_book
from utilitysched_web.application import application
from utilitysched_web.doors import Doors, Proxy
from utilitysched_web.moments import QuoteForm, SiteMoment
from utilitysched_web.quote_store import DAY, ExhaustedError, QuestionCount
from utilitysched_web.quoting import STEPS, thread_desk
from utilitysched_web.site import Site
from utilitysched_web.tokens import Role

ASKED = {"processors": 8, "requested": "2h", "curve": "0:5,4h:5,8h:0"}


def bearer(user: str, role: Role = "user") -> dict[str, str]:
    return {"authorization": f"Bearer {token(user, role)}"}


FEW = tuple(step._replace(samples=step.samples // 5) for step in STEPS)


@pytest.fixture(autouse=True)
def few_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("utilitysched_web.quoting", "utilitysched_web.pages.quotes"):
        monkeypatch.setattr(f"{module}.STEPS", FEW)


def test_the_moment_is_the_last_busy_one(site: Site) -> None:
    run, moment = site.moment.run, site.moment
    submit = run.workload.submit
    waiting = np.array([np.sum((submit <= at) & (run.start >= at)) for at in submit])

    busy = waiting >= np.quantile(waiting, 0.9)
    assert moment.at == submit[busy].max()
    assert len(moment.snapshot.queued) >= np.quantile(waiting, 0.9)
    assert SiteMoment(run, moment.at).text == moment.text


def test_quotes_rank_by_what_the_bill_charges(site: Site) -> None:
    """Nobody is known to decide about the log's own schedule: the market's own scheduler would."""
    assert site.bill.mechanism == "first-price"
    assert site.moment.scheduler == "ga"
    assert site.rules.scheduler == "ga:duration=requested"


def test_what_is_asked_is_what_is_quoted(asking: Asking, site: Site) -> None:
    page = asking("3").get("/quote", params={**ASKED, "format": "json"}).json()
    question = site.moment.question(QuoteForm(8, "2h", "0:5,4h:5,8h:0"), 3)
    made = asyncio.run(thread_desk(site.rules).quote(question, FEW[1]))

    now, later = page["offers"][0], page["offers"][1:]
    assert {key: made.answer["now"][key] for key in now if key != "case"} == {
        key: now[key] for key in now if key != "case"
    }
    assert {each["case"] for each in later} >= {"submitted at 20:00", "submitted at 08:00"}
    (kept,) = [each for each in site.quotes.quotes_of("3") if each.made == made]
    assert page["rests"]["number"] == kept.number
    assert page["rests"]["digest"] == kept.digest
    assert page["mine"][0]["number"] == kept.number


def test_a_stream_gets_better_and_keeps_one_number(asking: Asking) -> None:
    answer = asking("4").get("/quote/stream", params={**ASKED, "page": "one"})
    events = [json.loads(each.removeprefix("data: ")) for each in answer.text.split("\n\n") if each]

    assert answer.headers["content-type"].startswith("text/event-stream")
    assert [event["samples"] for event in events] == [1, 6, 20]
    assert [event["last"] for event in events] == [False, False, True]
    assert "none yet" in events[0]["html"]
    mine = asking("4").get("/quote", params={"format": "json"}).json()["mine"]
    assert [each["samples"] for each in mine if each["processors"] == 8] == [20]


@pytest.mark.parametrize(
    ("wrong", "field", "said"),
    [
        ({"processors": 10**6}, "processors", "1000000 is not from 1 to 256"),
        ({"processors": 0}, "processors", "0 is not from 1 to 256"),
        ({"curve": "0:1,1h:2"}, "curve", "values must not increase"),
        ({"curve": "curves:file=/etc/passwd"}, "curve", "is no curve"),
        ({"requested": "soon"}, "request", "soon"),
        ({"requested": "0"}, "request", "not above 0"),
        ({"curve": "0:1e10,1h:0"}, "curve", "worth more than"),
    ],
)
def test_what_cannot_be_asked_is_refused_at_its_field(
    asking: Asking, wrong: dict[str, object], field: str, said: str
) -> None:
    answer = asking("3").get("/quote", params={**ASKED, **wrong})
    stream = asking("3").get("/quote/stream", params={**ASKED, **wrong, "page": "wrong"})

    assert answer.status_code == 422
    assert said in answer.text.partition(f'id="refused-{field}"')[2].partition("</p>")[0]
    assert said in json.loads(stream.text.removeprefix("data: "))["html"]


def test_a_past_job_stands_beside_its_charge_for_its_user_alone(asking: Asking, site: Site) -> None:
    row = int(site.moment.ended()[-1])
    job, user = int(site.moment.run.workload.job_id[row]), int(site.moment.run.workload.user[row])
    path = f"/quote/job/{job}"

    became = asking(str(user)).get(path, params={"format": "json"}).json()["became"]
    assert became["charged"] == pytest.approx(site.bill.charge[row])
    assert became["quoted"] >= 0
    assert asking(str(user + 1)).get(path).status_code == 404
    assert asking("operator", "operator").get(path).status_code == 200
    assert asking(str(user)).get("/quote/job/999999").status_code == 404


def test_quotes_of_others_are_not_seen(asking: Asking, site: Site) -> None:
    asking("5").get("/quote", params={**ASKED, "format": "json"})

    mine = asking("6").get("/quote", params={"format": "json"}).json()["mine"]
    others = {each.number for each in site.quotes.quotes_of("5")}
    assert others
    assert not others & {each["number"] for each in mine}


def test_a_quote_stands_beside_the_charge_of_the_job_whose_comment_names_it(
    asking: Asking, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = int(site.moment.ended()[-1])
    job, user = (int(getattr(site.results.workload, name)[row]) for name in ("job_id", "user"))
    made = asking(str(user)).get("/quote", params={**ASKED, "format": "json"}).json()
    command = shlex.split(made["rests"]["submit"])
    comment = said_by_user(command[-1].removeprefix("--comment="))
    header = Header((*site.results.workload.header.lines, named("Comment", 1, comment)))
    numbers = np.where(np.arange(len(site.results.workload)) == row, 1, -1)
    labelled = replace(site.results.workload.replace(comment=numbers), header=header)
    monkeypatch.setitem(site.__dict__, "results", site.results._replace(workload=labelled))

    charge = asking(str(user)).get(f"/bills/{job}", params={"format": "json"}).json()["charge"]
    assert command[:3] == ["sbatch", "--ntasks=8", "--time=120"]
    assert comment == f"quote {made['rests']['number']}"
    assert charge["quoted"] == made["offers"][0]["charge"]["mean"]
    assert site.quoted(row - 1) is None
    site.quotes.keep("another", site.quotes.quotes_of(str(user))[0].made, made["rests"]["number"])
    assert site.quoted(row) is None  # whose it is not, it says nothing of


def test_no_job_is_quoted_that_the_account_could_not_submit(
    asking: Asking, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    longest = site.moment.longest
    beyond = {**ASKED, "requested": str(longest + 1)}
    assert asking("3").get("/quote", params=ASKED | {"requested": str(longest)}).status_code == 200
    assert "the longest request here" in asking("3").get("/quote", params=beyond).text

    monkeypatch.setattr(Site, "budget_of", lambda _, user: 5.0 if user else None)
    dearer = {**ASKED, "curve": "0:5.01,4h:5,8h:0"}
    assert asking("3").get("/quote", params=ASKED).status_code == 200
    refused = asking("3").get("/quote", params=dearer)
    assert refused.status_code == 422
    assert "5.01 SU is more than the account can pay: 5.00 SU" in refused.text
    assert asking("root", "operator").get("/quote", params=dearer).status_code == 200
    (kept,) = site.quotes.quotes_of("3", 1)
    assert kept.made.task["budget"] == 5.0


def test_saved_curves_and_what_is_left_are_at_hand(asking: Asking, site: Site) -> None:
    client = asking("7")
    client.post("/curves", data={"curve": "0:40,4h:20", "name": "at-hand"})
    page = client.get("/quote", params=ASKED).text
    data = client.get("/quote", params={**ASKED, "format": "json"}).json()
    balance = site.balance_of("7")

    assert '<option value="0:40,4h:20">at-hand</option>' in page
    assert balance is not None
    left = balance[1].text(balance[0].available)
    assert f"Left in my account: <strong>{left}</strong>" in page
    assert float(data["budget"]["balance"]) == pytest.approx(float(left.split()[0]), abs=0.01)
    kept = client.get("/quote/kept", params={"format": "json"}).json()["mine"]
    assert [each["number"] for each in kept] == [each.number for each in site.quotes.quotes_of("7")]


def test_an_account_can_pay_what_it_has_and_its_credit(
    site: Site, variant: Variant, tmp_path: Path
) -> None:
    ledger = str(tmp_path / "books.db")
    create(ledger, Terms(Money("SU", 6), "user", 7_500_000))
    with open_book(ledger) as book:
        book.endow_all({Account("user", "3"): 20}, month="2026-01", memo="")
    shown = variant(ledger=ledger)

    assert shown.budget_of("3") == 27.5
    assert [shown.budget_of(None), site.budget_of("3")] == [None, None]


def test_what_was_asked_already_counts_once(variant: Variant) -> None:
    few = variant(quotes_per_day=2)
    for subject in "abab":
        few.count_question("counted", subject)

    with pytest.raises(ExhaustedError, match=r"for 2 jobs within a day; ask again in 2[34] h"):
        few.count_question("counted", "c")
    few.count_question("another", "c")
    few.count_question(None, "c")


def test_who_has_asked_enough_is_told_when_to_come_back(variant: Variant, doors: Doors) -> None:
    app = application(variant(quotes_per_day=1), doors)
    client = TestClient(app, "http://localhost", headers=bearer("9"))
    streamed = client.get("/quote/stream", params={**ASKED, "page": "one"})
    again = client.get("/quote", params=ASKED)
    other = {**ASKED, "processors": 9}
    refused, events = (
        client.get(path, params=other | {"page": "one"}) for path in ("/quote", "/quote/stream")
    )

    assert [streamed.status_code, again.status_code, refused.status_code] == [200, 200, 429]
    for text in (refused.text, json.loads(events.text.removeprefix("data: "))["html"]):
        assert re.search("you were quoted for 1 job within a day; ask again in 2[34]", text)
    operator = TestClient(app, "http://localhost", headers=bearer("9", "operator"))
    assert operator.get("/quote", params=other).status_code == 200


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["ada", "bob"]),
            st.integers(0, 4),
            st.floats(0, 40_000),
            st.booleans(),
        ),
        max_size=25,
    )
)
def test_questions_are_counted_by_user_whatever_they_bring_and_through_restarts(
    asked: list[tuple[str, int, float, bool]],
) -> None:
    with TemporaryDirectory() as folder:
        now, log = 0.0, list[tuple[str, int, float]]()
        doors = [Doors(KEY, Proxy("testclient", "X-User")) for _ in range(2)]
        for number, (user, subject, after, by_proxy) in enumerate(asked):
            now += after
            headers = {"X-User": user} if by_proxy else bearer(user)
            request = Request(
                {
                    "type": "http",
                    "headers": [(k.lower().encode(), v.encode()) for k, v in headers.items()],
                    "client": ("testclient" if by_proxy else f"10.0.0.{number}", number),
                }
            )
            who = doors[number % 2].identity(request)
            assert who is not None
            # each is a new object, as after a restart
            count = QuestionCount(Path(folder) / "questions.db", 3, lambda at=now: at)
            recent = {each for one, each, at in log if one == user and at > now - DAY}
            if subject in recent or len(recent) < 3:
                count.add(who.user, str(subject))
                log += [(user, subject, now)] * (subject not in recent)
            else:
                with pytest.raises(ExhaustedError):
                    count.add(who.user, str(subject))
