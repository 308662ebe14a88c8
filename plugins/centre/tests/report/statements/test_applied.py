from __future__ import annotations

from fractions import Fraction

from plugins.centre.tests.report.invoices import bill
from utilitysched_centre.report.statements.statement import applied
from utilitysched_centre.rules import Rules
from utilitysched_centre.rules.rules import Quantity


def test_rules_in_words() -> None:
    assert applied(bill(2)) == ["failed jobs pay 0%", "1 SU is 0.5 EUR", "VAT (20%) on top"]


def test_what_is_counted() -> None:
    counted = bill(2, Rules(quantity=Quantity(minimum_minutes=Fraction(15))))

    assert applied(counted) == ["by the processor-hour used, at least 15 minutes"]
