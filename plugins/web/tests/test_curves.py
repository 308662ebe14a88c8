"""Curves in a browser: every text is read back by what it is for, and names stay what they are."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from starlette.testclient import TestClient

from plugins.web.tests.conftest import Asking, token
from swfx import Header, InputError, UtilityFunction
from swfx.families.utilities.curve_rules import CurveRules
from swfx.families.utilities.points import points_text, read_points, tuples_text
from swfx.reading.lines import parse_tuples
from tests.scale import many
from tests.strategies import utility_functions
from utilitysched_slurm.comments import MOST as LETTERS
from utilitysched_slurm.comments import read_bid
from utilitysched_web.curves import CurveStore, curve_file, drawn_curve, texts_of
from utilitysched_web.doors import COOKIE
from utilitysched_web.site import Site

BERLIN = ZoneInfo("Europe/Berlin")
NOON = datetime(2026, 3, 28, 12, tzinfo=BERLIN).timestamp()
"""The day before clocks go forward."""


def told(text: str) -> UtilityFunction | None:
    return read_bid(text, NOON, BERLIN).said.utility


@settings(max_examples=many(60), deadline=None)
@given(utility_functions())
def test_points_and_tuples_are_read_back(curve: UtilityFunction) -> None:
    times, values = parse_tuples(tuples_text(curve))

    assert read_points(points_text(curve)) == curve
    assert UtilityFunction(times, values) == curve


@pytest.mark.parametrize("text", ["0:100,4h:100,1d:0", "0:1.5,90:0.25", "0:1e9,366d:0"])
def test_every_text_is_read_by_what_it_is_for(text: str, tmp_path: Path) -> None:
    curve = drawn_curve(text)
    file = tmp_path / "curves.toml"

    found = texts_of(curve, "night-1", NOON, BERLIN)
    file.write_text(found.toml, "utf-8")
    stated = CurveRules(str(file)).stated

    assert told(found.points) == curve
    assert found.by_clock == ""
    assert UtilityFunction(*parse_tuples(found.tuples)) == curve
    assert stated.curves["night-1"].table[0] == curve
    assert [rule.named_by for rule in stated.rules] == ["comment"]


@pytest.mark.parametrize(
    ("text", "comment"),
    [
        ("0:40,6h:40", "deadline=18:00,value=40"),
        ("0:40,21599:40", "deadline=18:00,value=40"),
        ("0:2.5,18h:2.5", "deadline=07:00,value=2.5"),  # an hour is missing
        ("0:40,1d:40", ""),
        ("0:40,6h:30", ""),
    ],
)
def test_a_deadline_is_said_by_the_clock(text: str, comment: str) -> None:
    found = texts_of(drawn_curve(text), "mine", NOON, BERLIN).by_clock

    assert found == comment
    if found:
        curve = told(found)
        assert curve is not None
        assert curve.deadline == pytest.approx(drawn_curve(text).deadline, abs=60)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("0:1,1h:2", "values must not increase"),
        ("0:1", "two or more points"),
        ("0:1e10,1h:0", "worth more than"),
        ("0:1,367d:0", "longer than a year"),
        ("0:200," + ",".join(f"{t}.125:0.0625" for t in range(1, 90)), f"longer than {LETTERS}"),
    ],
)
def test_what_no_comment_could_bid_is_refused(text: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        drawn_curve(text)


def test_a_saved_curve_stays_what_it_is(tmp_path: Path) -> None:
    store = CurveStore(tmp_path / "curves.db", most=3)
    night, day, week = map(drawn_curve, ("0:8,12h:0", "0:9,12h:0", "0:9,7d:0"))

    names = [store.save("ann", "night", each) for each in (night, day, night, day, week)]
    others = store.save("bob", "night", day)

    assert names == ["night", "night-2", "night", "night-2", "night-3"]
    assert others == "night"
    with pytest.raises(InputError, match="3 curves are saved already"):
        store.save("ann", "more", day)
    assert store.delete("ann", "night-2")
    assert not store.delete("ann", "night-2")
    assert {each.name: each.points for each in store.curves_of("ann")} == {
        "night": "0:8,12h:0",
        "night-3": "0:9,7d:0",
    }
    assert [each.points for each in store.curves_of("bob")] == ["0:9,12h:0"]


@pytest.mark.parametrize("name", ["", "two words", "a" * 41, '"]', "a,b", "../x"])
def test_names_are_what_comments_and_files_can_have(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no name of a curve"):
        CurveStore(tmp_path / "curves.db").save("ann", name, drawn_curve("0:8,12h:0"))


def test_curves_are_saved_loaded_and_deleted_by_their_user_alone(asking: Asking) -> None:
    ann, bob = asking("1"), asking("2")
    json = {"accept": "application/json"}

    kept = ann.post("/curves", data={"curve": "0:8, 43200:0", "name": "nächte"}, headers=json)
    page = ann.get("/curves", params={"name": "nächte"})
    data = ann.get("/curves", params={"name": "nächte"}, headers=json).json()
    file = ann.get("/curves/file")

    assert kept.json()["curve"] == {"name": "nächte"}
    assert 'value="0:8,12h:0"' in page.text
    assert data["curve"]["tuples"] == "(0,8) (43200,0)"
    assert [each["name"] for each in data["saved"]] == ["nächte"]
    assert file.text == curve_file({"nächte": read_points("0:8,12h:0")})
    assert bob.get("/curves", headers=json).json()["saved"] == []
    assert bob.get("/curves", params={"name": "nächte"}).status_code == 404
    assert bob.get("/curves/file").status_code == 404
    assert bob.post("/curves/delete", data={"name": "nächte"}).status_code == 404
    gone = ann.post("/curves/delete", data={"name": "nächte"})
    assert (gone.status_code, gone.headers["location"]) == (303, "/curves")
    assert ann.get("/curves", headers=json).json()["saved"] == []


def test_the_curve_of_a_job_is_its_users_to_draw_on(asking: Asking, site: Site) -> None:
    workload = site.results.workload
    place = int(site.jobs_of("1")[0])
    job = int(workload.job_id[place])
    whose = {"params": {"job": job}, "headers": {"accept": "application/json"}}

    found = asking("1").get("/curves", **whose).json()["curve"]["points"]

    assert read_points(found) == workload.utility[place]
    assert asking("7", "operator").get("/curves", **whose).json()["curve"]["points"] == found
    assert asking("2").get("/curves", **whose).status_code == 404


@pytest.mark.parametrize(("name", "known"), [("Asia/Tokyo", True), ("Foo/Bar", False)])
def test_the_clock_is_the_centres_if_the_log_says_which(
    name: str, known: bool, asking: Asking, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    header = Header((f" TimeZoneString: {name}",))
    workload = site.results.workload.replace(header=header)
    monkeypatch.setitem(site.__dict__, "results", site.results._replace(workload=workload))

    page = asking("1").get("/curves", params={"curve": "0:8,2h:8"}).text

    assert (f'zone="{name}"' in page) == known
    assert ("By the clock" in page) == known


def test_what_is_drawn_is_shown_as_texts_while_one_draws(asking: Asking) -> None:
    client = asking("1")

    part = client.get("/curves/texts", params={"curve": "0:8,12h:0", "name": "half way th"})
    wrong = client.get("/curves/texts", params={"curve": "0:8,12h:9"})
    long = client.get("/curves/texts", params={"curve": "0:8," * 2000})

    assert "0:8,12h:0" in part.text
    assert "[curves.&#34;mine&#34;]" in part.text
    assert "<html" not in part.text
    assert (wrong.status_code, long.status_code) == (400, 422)
    assert "values must not increase" in wrong.text


def test_a_browser_saves_with_the_token_of_the_page_only(asking: Asking) -> None:
    client: TestClient = asking()
    client.post("/login", data={"token": token("1", "user", once=True)})
    assert COOKIE in client.cookies
    form = {"curve": "0:8,12h:0", "name": "night"}
    page = client.get("/curves").text
    csrf = page.split('name="csrf" value="')[1].split('"')[0]

    strange = client.post("/curves", data=form)
    ours = client.post("/curves", data=form | {"csrf": csrf})

    assert (strange.status_code, ours.status_code) == (403, 303)
    assert ours.headers["location"] == "/curves?name=night"
    assert client.post("/curves/delete", data={"name": "night", "csrf": csrf}).status_code == 303
