"""Invoices as PDF, read back as text."""

from __future__ import annotations

import base64
import re
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

from plugins.centre.tests.report.invoices import bill
from swfx import InputError
from utilitysched_centre.report.statements import Statements, pdf, write_pdfs


def streams(data: bytes) -> list[bytes]:
    """Return the streams of a PDF by ReportLab, unpacked."""
    found = re.findall(rb"/ASCII85Decode /FlateDecode.*?stream\r?\n(.*?)endstream", data, re.DOTALL)
    return [zlib.decompress(base64.a85decode(b"<~" + each.strip(), adobe=True)) for each in found]


def test_each_invoice_is_one_page_and_the_same_bytes_again(tmp_path: Path) -> None:
    made = bill(60)
    centre = made.rules.centre
    assert centre is not None
    greek = replace(made, rules=replace(made.rules, centre=replace(centre, name="Κέντρο")))
    shares: list[float] = []

    first = write_pdfs(Statements(greek), tmp_path / "a", shares.append)
    second = write_pdfs(Statements(greek), tmp_path / "b")

    assert [path.name for path in first] == ["0001-lab.pdf"]
    assert shares == [1.0]
    data = first[0].read_bytes()
    assert data == second[0].read_bytes()
    assert re.findall(rb"/Count (\d+)", data) == [b"1"]
    assert b"DejaVuSans" in data
    assert any(b"BT" in each for each in streams(data))


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "find_spec", lambda _: None)

    with pytest.raises(InputError, match=r"need reportlab, .*; pip install 'utilitysched\[pdf\]'"):
        pdf.require_reportlab()
