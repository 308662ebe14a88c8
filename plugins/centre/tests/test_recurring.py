"""Recurring lines, shared costs, and use split at the end of a month."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from plugins.centre.tests.test_billing_run import (
    FIRST,
    LATE,
    NOVEMBER,
    OCTOBER,
    SECOND,
    Centre,
    live,
)
from swfx import InputError
from utilitysched_centre.accounts import CREDIT_NOTE, INVOICE
from utilitysched_centre.billing_config import read_config
from utilitysched_centre.month_bill import BilledMonth
from utilitysched_centre.report.billing_run import account_lines

STORAGE = """
[[recurring]]
name = "Storage"
account = "{}"
quantity = 2.5
unit = "TB"
unit_price = 3.33
"""
RULES = '[tax]\nname = "VAT"\npercent = 19\n'


@pytest.fixture
def centre(tmp_path: Path) -> Centre:
    return Centre(tmp_path)


def configured(centre: Centre, text: str) -> None:
    with centre.config.open("a", encoding="utf-8") as file:
        file.write(text)


def taxed(centre: Centre) -> None:
    (centre.folder / "rules.toml").write_text(RULES, "utf-8")
    configured(centre, 'rules = "rules.toml"\n')


def sums(billed: BilledMonth) -> dict[str, tuple[int, int]]:
    return {one.account.name: (one.net, one.tax) for one in billed.issued}


def contents(billed: BilledMonth, number: str) -> dict[str, Any]:
    path = billed.directory / "invoices" / f"{number}.json"
    return dict(json.loads(path.read_text("utf-8")))


def test_a_recurring_line_is_taxed_and_invoiced(centre: Centre) -> None:
    """Also to an account without jobs; the tax of an account is rounded once."""
    centre.listing(OCTOBER, *FIRST, *SECOND)
    taxed(centre)
    configured(centre, STORAGE.format("physics") + STORAGE.format("chemistry"))

    billed = centre.run()

    # 2.5 x 3.33 = 8.325, half to even: 8.32; physics (8.00 + 8.32) x 0.19 = 3.1008
    assert sums(billed) == {"biology": (300, 57), "chemistry": (832, 158), "physics": (1632, 310)}
    [line] = contents(billed, "2026-10-0002")["lines"]
    assert (line["kind"], line["text"], line["net"]) == ("recurring", "Storage", "8.32")
    assert (line["quantity"], line["unit"], line["unit_price"]) == ("2.5", "TB", "3.33")
    assert centre.run().issued == ()
    assert centre.balances()["project:chemistry"] == -990
    for one in account_lines(billed):
        assert one.to_pay == one.charged + one.further


def test_a_line_is_charged_from_its_first_month_to_its_last(centre: Centre) -> None:
    centre.listing(OCTOBER, *FIRST)
    centre.listing(NOVEMBER, *FIRST)
    configured(centre, STORAGE.format("physics") + 'since = "2026-11"\nuntil = "2026-11"\n')
    assert sums(centre.run()) == {"physics": (800, 0)}
    assert sums(centre.run(NOVEMBER)) == {"physics": (1632, 0)}


def test_a_line_that_is_corrected_replaces_the_invoice_of_its_account(centre: Centre) -> None:
    centre.listing(OCTOBER, *FIRST, *SECOND)
    configured(centre, STORAGE.format("physics"))
    centre.run()
    text = centre.config.read_text("utf-8")
    centre.config.write_text(text.replace("2.5", "1"), "utf-8")
    assert [(one.kind, one.amount) for one in centre.run().issued] == [
        (CREDIT_NOTE, 1632),
        (INVOICE, 1133),
    ]


@pytest.mark.parametrize("by", ["processor-hours", "charge"])
def test_a_cost_is_shared_to_the_last_cent(centre: Centre, by: str) -> None:
    centre.listing(OCTOBER, *FIRST, *SECOND)  # 8 and 3 processor-hours, and SU
    configured(centre, f'[[shared]]\nname = "Power"\namount = 100\nby = "{by}"\n')

    billed = centre.run()

    assert sums(billed) == {"biology": (300 + 2727, 0), "physics": (800 + 7273, 0)}
    line = contents(billed, "2026-10-0001")["lines"][-1]
    assert (line["kind"], line["net"], line["unit"]) == ("shared", "27.27", "%")
    assert Decimal(line["quantity"]) * Decimal(line["unit_price"]) == Decimal("27.27")


def test_idle_time_is_shared(centre: Centre) -> None:
    """64 processors for 31 days, less 11 processor-hours; also of jobs that end in November."""
    centre.listing(OCTOBER, *FIRST, *SECOND)
    centre.listing(
        NOVEMBER,
        "9|9|ann|physics|2026-10-31T20:00:00|2026-10-31T20:00:00|2026-11-01T04:00:00|COMPLETED|2",
    )
    configured(centre, '[[shared]]\nname = "Idle time"\nrate = 0.001\n')

    billed = centre.run()

    idle = Fraction(64 * 31 * 24 - 11 - 8) / 1000  # 47.597
    assert sum(one.further for one in account_lines(billed)) == round(idle * 100) == 4760
    assert sums(billed) == {"biology": (300 + 1298, 0), "physics": (800 + 3462, 0)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[recurring]]\nname = 'x'\naccount = 'a'\nunit = 'TB'", "add unit_price, such as 12.50"),
        (STORAGE.format("a") + "since = '2026-10'\nuntil = '2026-09'", "until: is before 2026-10"),
        (STORAGE.format("a") + "since = 'May'", "'May' is no month"),
        ("[[shared]]\nname = 'x'", "needs amount or rate; give one of them"),
        ("[[shared]]\nname = 'x'\nrate = 1\namount = 1", "needs amount or rate"),
        ("[[shared]]\nname = 'x'\nrate = 1\nby = 'jobs'", "'jobs' is not known"),
        ("split = 'year-end'", "'year-end' is not known"),
    ],
)
def test_what_cannot_be_used(centre: Centre, text: str, message: str) -> None:
    configured(centre, text)
    with pytest.raises(InputError, match=message):
        read_config(centre.config)


def test_a_cost_that_nobody_has_a_share_of(centre: Centre) -> None:
    centre.listing(OCTOBER, *(row.replace("03:00:00", "01:00:00") for row in FIRST))
    configured(centre, "[[shared]]\nname = 'Power'\namount = 1\n")
    with pytest.raises(InputError, match="no account has processor-hours to share 'Power' by"):
        centre.run()
    assert not (centre.folder / "billing").exists()


OVER = "7|7|ann|physics|2026-10-31T20:00:00|2026-10-31T21:40:00|2026-11-01T01:00:00|COMPLETED|3"
"""10 processor-hours: 7 in October, 3 in November."""


def test_use_is_split_at_the_end_of_the_month(centre: Centre) -> None:
    centre.listing(OCTOBER, *FIRST, OVER)
    configured(centre, 'split = "month-end"\n')

    assert sums(centre.run()) == {"physics": (800 + 700, 0)}
    assert sums(centre.run(NOVEMBER)) == {"physics": (300, 0)}
    assert centre.balances() == {"project:physics": -1800}
    assert (centre.run().issued, centre.run(NOVEMBER).issued) == ((), ())


def test_a_job_that_ended_after_its_month_was_billed_is_announced(centre: Centre) -> None:
    centre.listing(OCTOBER, *FIRST)
    configured(centre, 'split = "month-end"\n')
    centre.run()
    centre.listing(NOVEMBER, OVER)
    said: list[str] = []

    billed = centre.run(NOVEMBER, echo=said.append)

    assert sums(billed) == {"physics": (300, 0)}
    [line] = [line for line in said if "ran over the end" in line]
    assert line.startswith("1 job ran over the end of 2026-10 and had not ended when it was billed")
    assert [one.amount for one in centre.run().issued] == [800, 1500]
    said.clear()
    centre.run(NOVEMBER, echo=said.append)
    assert not [line for line in said if "ran over the end" in line]


@pytest.mark.parametrize(
    ("mechanism", "rules", "message"),
    [
        ("first-price:reading=end", "", "first-price.* charges by no rate per hour"),
        ("single-price", "[quantity]\nbasis = 'request'\n", "hours requested are charged"),
    ],
)
def test_only_rates_are_split(centre: Centre, mechanism: str, rules: str, message: str) -> None:
    text = centre.config.read_text("utf-8").replace("single-price:rate=1", mechanism)
    curves = 'utilities = "curves:file=own.toml"\n' if "first" in mechanism else ""
    own = "default = 'a'\n[curves.a]\npoints = '0:7,9d:7'\nper = 'job'\n"
    (centre.folder / "own.toml").write_text(own, "utf-8")
    (centre.folder / "rules.toml").write_text(rules, "utf-8")
    text += f'{curves}rules = "rules.toml"\nsplit = "month-end"\n'
    centre.config.write_text(text, "utf-8")
    centre.listing(OCTOBER, *FIRST, *LATE)
    with pytest.raises(InputError, match=message):
        centre.run()
    assert live(centre) == []
