from __future__ import annotations

from swfx.accounting.listing import Listing
from swfx.accounting.record_error import TOO_FEW_FIELDS, RecordError
from swfx.reading.report import RULES, Rule

STEP = Rule("step", "folded", "a step of a job")


def test_a_report_lists_lines_in_order_and_once() -> None:
    listing = Listing("log", lines=9, records=5, comment_lines=4)
    listing.add(8, STEP)
    listing.refuse(3, RecordError(TOO_FEW_FIELDS, "1 of 2"))
    listing.add(8, STEP)
    listing.note("a note")

    report = listing.report(kept=3)

    assert report.line.tolist() == [3, 8]
    assert report.counts() == {"too-few-fields": 1, "step": 1}
    assert (report.dropped, report.folded, report.repaired) == (1, 1, 0)
    assert report.rules == (*RULES, STEP)
    assert report.notes == ("a note",)
    assert report.lines_accounted()
    assert not listing.report(kept=4).lines_accounted()
