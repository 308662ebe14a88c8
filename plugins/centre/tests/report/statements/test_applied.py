from __future__ import annotations

from plugins.centre.tests.report.invoices import bill
from utilitysched_centre.report.statements.statement import applied


def test_rules_in_words() -> None:
    assert applied(bill(2)) == ["failed jobs pay 0%", "1 SU is 0.5 EUR", "VAT (20%) on top"]
