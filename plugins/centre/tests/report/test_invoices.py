from __future__ import annotations

import re

import pytest

from plugins.centre.tests.report.invoices import bill
from utilitysched_centre.report.invoice import print_invoice


def test_the_terminal_shows_reasons_and_the_total(capsys: pytest.CaptureFixture[str]) -> None:
    print_invoice(bill(11), "account")

    shown = capsys.readouterr().out
    assert re.search(r"<lab> +10 +8 +10\.00 +4\.00 +0\.80 +4\.80", shown)
    assert "3  not charged: failed" in shown
    assert "The lines add up to 4.80 EUR." in shown
