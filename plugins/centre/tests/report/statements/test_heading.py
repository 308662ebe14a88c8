"""Numbers, dates and references of invoices: the same whenever they are made."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from plugins.centre.tests.report.invoices import bill
from pricing.basis import Basis
from utilitysched_centre.report.statements.heading import (
    InvoiceHeading,
    Registered,
    days_of,
    payment_reference,
)
from utilitysched_centre.report.statements.statement import begun
from utilitysched_centre.rules import Rules
from utilitysched_centre.rules.rules import (
    InvoiceTerms,
)


def test_a_number_is_month_and_place() -> None:
    found = InvoiceHeading.of(bill(4), 7)

    assert found.number == "2000-04-0007"
    assert found.period == "2000-04-01 (UTC)"
    assert (found.issued, found.due) == (date(2000, 4, 2), date(2000, 5, 2))


def test_days_are_those_of_the_log_s_zone() -> None:
    made = bill(4)
    jobs = made.charges.workload
    ahead = jobs.replace(header=jobs.header.with_value("TimeZoneString", "Pacific/Kiritimati"))
    charges = replace(made.charges, outcome=replace(made.charges.outcome, workload=ahead))
    end = float(charges.outcome.end.max()) + (ahead.header.unix_start_time or 0)

    found = InvoiceHeading.of(replace(made, charges=charges), 1)

    last = datetime.fromtimestamp(end, ZoneInfo("Pacific/Kiritimati"))
    assert found.last == last.date()
    assert found.period.endswith("(Pacific/Kiritimati)")
    start = float(charges.outcome.start[0]) + (ahead.header.unix_start_time or 0)
    began = datetime.fromtimestamp(start, ZoneInfo("Pacific/Kiritimati"))
    assert begun(replace(made, charges=charges), 0) == f"{began:%Y-%m-%d %H:%M}"


def test_a_centre_says_prefix_date_and_term() -> None:
    terms = InvoiceTerms("HPC", date(2000, 4, 9), 14)

    found = InvoiceHeading.of(bill(4, Rules(invoice=terms)), 1)

    assert found.number == "HPC-2000-04-0001"
    assert (found.issued, found.due) == (date(2000, 4, 9), date(2000, 4, 23))


def test_what_was_issued_keeps_number_and_date() -> None:
    known = Registered("HPC-2000-04-0031", date(2000, 6, 1), "2000-04")

    found = InvoiceHeading.of(bill(4, Rules(invoice=InvoiceTerms("HPC"))), 1, known)

    assert (found.number, found.issued) == ("HPC-2000-04-0031", date(2000, 6, 1))
    assert found.period == "2000-04-01 to 2000-04-30 (UTC)"
    assert days_of("2024-02")[1] == date(2024, 2, 29)
    assert days_of("2026-12")[1] == date(2026, 12, 31)


def test_a_simulation_has_another_number() -> None:
    made = bill(4)
    simulated = replace(made, charges=replace(made.charges, basis=Basis("easy")))

    assert InvoiceHeading.of(simulated, 1).number == "SIM-2000-04-0001"


def test_without_calendar_there_are_no_dates() -> None:
    made = bill(4)
    jobs = made.charges.workload
    unknown = replace(
        made.charges.outcome, workload=jobs.replace(header=jobs.header.without("UnixStartTime"))
    )

    found = InvoiceHeading.of(replace(made, charges=replace(made.charges, outcome=unknown)), 1)

    assert found == ("0001", None, None, None, None, "UTC")
    assert found.period == "not dated: the log has no calendar"


@pytest.mark.parametrize(
    ("number", "reference"),
    [
        ("539007547034", "RF18 5390 0754 7034"),  # the standard's own example
        ("2000-04-0001", None),
        ("SIM-HPCabc-2000-04-000001", None),
    ],
)
def test_references_have_their_check_digits(number: str, reference: str | None) -> None:
    found = payment_reference(number)
    text = found.replace(" ", "")
    digits = "".join(str(int(each, 36)) for each in text[4:] + text[:4])

    assert int(digits) % 97 == 1
    assert len(text) <= 25
    assert reference in {None, found}
