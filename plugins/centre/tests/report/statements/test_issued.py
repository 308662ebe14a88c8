"""Issued documents: JSON that says all, and refuses whatever does not add up."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from swfx import InputError
from utilitysched_centre.report.statements.issued import (
    CREDIT_NOTE,
    INVOICE,
    CreditLine,
    EvidenceFile,
    InvoiceLine,
    IssuedDocument,
    UsedResource,
    content_of,
    document_text,
    read_document_file,
)

ISSUED = IssuedDocument(
    number="HPC-2026-10-0001",
    kind=INVOICE,
    month="2026-10",
    period="2026-10-01 to 2026-10-31 (Europe/Berlin)",
    begins="2026-09-30T22:00:00Z",
    ends="2026-10-31T23:00:00Z",
    recipient="physics",
    account="project:physics",
    address=("2 Torus Street",),
    issuer=("High Performance Centre",),
    issued="2026-11-02",
    due="2026-12-02",
    currency="EUR",
    decimals=2,
    lines=(
        InvoiceLine("use", "CPU", 3, Fraction(768), "core-hours", Fraction("0.02"), 1536),
        InvoiceLine("rule", "Discount night", 1, None, "", None, -36),
    ),
    credits=(CreditLine("103_1 (run 2)", 114, 22, "Knoten müde"),),
    net=1386,
    tax=263,
    usage=(UsedResource("cpu", Fraction(768)),),
    evidence=(EvidenceFile("HPC-2026-10-0001.csv", "ab" * 32),),
)


def test_a_document_comes_back_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "1.json"
    path.write_text(document_text(ISSUED), "utf-8")

    assert read_document_file(path) == ISSUED
    assert json.loads(path.read_text("utf-8"))["amount"] == "16.49"
    assert len(content_of(path)) == 64


def test_a_credit_note_gives_back_what_its_lines_say() -> None:
    note = ISSUED.credit_note("HPC-2026-10-0002", "2026-12-01", ISSUED.credits, cancels=False)

    assert (note.kind, note.corrects, note.amount) == (CREDIT_NOTE, ISSUED.number, 136)
    assert (note.lines, note.due, note.evidence) == ((), "", ())


@pytest.mark.parametrize(
    ("written", "instead", "problem"),
    [
        ('"net": "15.36"', '"net": "NaN"', "'NaN' is no amount"),
        ('"net": "15.36"', '"net": 15.36', "15.36 is no amount"),
        ('"net": "15.36"', '"net": "15.360"', ""),
        ('"net": "15.36"', '"net": "15.365"', "15.365 has more than 2 decimals"),
        ('"net": "15.36"', '"net": "15.37"', "field net: is not the sum of the lines"),
        ('"amount": "16.49"', '"amount": "999999.00"', "field amount: is not the sum of net and"),
        ('"number"', '"nummer"', "field nummer: is not a known key; did you mean 'number'"),
        ('"jobs": 3', '"jobbs": 3', "lines[0]: jobs is missing; add jobs"),
        ('"kind": "invoice"', '"kind": "bill"', "'bill' is not known"),
        ('"decimals": 2', '"decimals": true', "is no issued document"),
        ('"decimals": 2', '"decimals": 2,', "is not JSON"),
    ],
)
def test_a_document_that_does_not_add_up_is_refused(
    written: str, instead: str, problem: str, tmp_path: Path
) -> None:
    path = tmp_path / "1.json"
    text = document_text(ISSUED)
    assert written in text
    path.write_text(text.replace(written, instead), "utf-8")

    if not problem:
        assert read_document_file(path) == ISSUED
        return
    with pytest.raises(InputError) as error:
        read_document_file(path)
    assert problem in str(error.value)


def test_lines_that_do_not_add_up_are_no_document() -> None:
    with pytest.raises(InputError, match="is not the sum of the lines"):
        replace(ISSUED, net=1)
