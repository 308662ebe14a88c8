"""The form of mechanisms: their declared options, refused at the field, and what they charge."""

from __future__ import annotations

import re

import numpy as np
import pytest

from plugins.web.tests.conftest import Asking
from pricing.registry import MECHANISMS
from utilitysched_web.site import Site

JSON = {"format": "json"}
PATH = "/operators/mechanisms"


@pytest.mark.parametrize("name", MECHANISMS.names())
def test_each_declared_option_is_a_field(asking: Asking, name: str) -> None:
    page = asking("root", "operator").get(PATH, params={"mechanism": name}).text
    fields = MECHANISMS.members()[name].option_fields()

    assert re.findall(r'name="option\.(\w+)"', page) == [field.name for field in fields]
    for field in fields:
        if field.bounds is not None:
            low = f'name="option.{field.name}" type="number" step="[^"]+" min="{field.bounds[0]:g}"'
            assert re.search(low, page)
        for choice in field.choices:
            assert f">{choice}</option>" in page


@pytest.mark.parametrize(
    ("name", "option", "text", "said"),
    [
        ("single-price", "rate", "-1", "&#39;-1&#39; is negative; give 0 or more"),
        ("multi-queue", "other", "-1", "&#39;-1&#39; is negative; give 0 or more"),
        ("vcg", "fair", "2", "2 is out of bounds; give 0 to 1"),
        ("vcg", "searches", "0", "0 is below 1; give 1 or more"),
        ("vcg", "settle", "never", "never"),
    ],
)
def test_what_is_out_of_range_is_refused_at_the_field(
    asking: Asking, name: str, option: str, text: str, said: str
) -> None:
    params = {"mechanism": name, f"option.{option}": text, "charge": "true"}
    client = asking("root", "operator")
    answer, data = (client.get(PATH, params=params | more) for more in ({}, JSON))

    assert answer.status_code == data.status_code == 422
    field = answer.text.partition(f'id="option.{option}"')[2].partition("</div>")[0]
    assert 'aria-invalid="true"' in field
    assert said in re.sub(r".*role=.alert.>", "", field.partition("</strong>")[0], flags=re.S)
    assert f"{option}: " in data.json()["lead"][-1]


def test_another_mechanism_charges_what_it_says(asking: Asking, site: Site) -> None:
    client = asking("root", "operator")
    params = {**JSON, "mechanism": "single-price", "option.rate": "0.5", "charge": "true"}
    found = client.get(PATH, params=params).json()

    run = site.results
    hours = run.workload.size * run.schedule.running_time / 3600
    would = {row["account"]: row["would_be"] for row in found["beside"]}
    own = site.jobs_of("7")
    assert would["user 7"] == pytest.approx((0.5 * hours[own]).sum(), abs=0.005 * len(own))
    charged = {row["account"]: row["charge"] for row in found["beside"]}
    assert charged["user 7"] == pytest.approx(np.nansum(site.bill.charge[own]))
    assert not (site.run / "replays.jsonl").exists()


def test_what_takes_long_or_is_unknown_is_refused(asking: Asking) -> None:
    client = asking("root", "operator")
    replays = {"mechanism": "vcg", "option.method": "replay", "charge": "true"}

    refused = client.get(PATH, params=replays)
    assert refused.status_code == 422
    assert "vcg:method=replay replays the log for each job, which takes long" in refused.text
    assert client.get(PATH, params={"mechanism": "gift"}).status_code == 404
    unknown = {"mechanism": "vcg", "option.wealth": "1"}
    assert client.get(PATH, params=unknown).status_code == 422
