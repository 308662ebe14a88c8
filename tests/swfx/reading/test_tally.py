import numpy as np

from swfx.reading.report import rule_code
from swfx.reading.scan import scan
from swfx.reading.survey import survey
from swfx.reading.tally import Tally

LINE = b"1 0 -1 9 1 -1 -1 1 9 -1 1 1 1 -1 1 -1 -1 -1"


def test_parts_add_up():
    tally = Tally()
    first = survey(b"; A: 1\n" + LINE + b" 7\n\n")
    second = survey(b"; B: 2\n" + LINE + b" 7 8 9\n" + LINE, 3, first.header)
    for found in (first, second):
        tally.survey(found)
        tally.scan(scan(found, tuples=False, keep_going=True), extra_fields=True)
    report = tally.report("log", tally.notes())
    assert (report.lines, report.comment_lines, report.file_job_lines) == (6, 2, 3)
    assert report.job_lines == 3
    assert report.notes == (
        "1 comment lines below the first job line, from line 4 on, are left out of the header",
        (
            "2 lines have fields after the 18th, up to field 21: ignored,"
            " as no line '; SWFX: 1.0' says what they are"
        ),
    )


def test_listed_lines_are_in_order_and_their_rules_with_them():
    tally = Tally()
    run, submit = rule_code("negative-run"), rule_code("negative-submit")
    tally.listed(np.array([3, 2]), np.array([run, submit], np.int8))
    tally.listed(np.array([9]), np.array([run], np.int8))
    report = tally.report("log", ())
    assert report.line.tolist() == [2, 3, 9]
    assert report.lines_of("negative-run").tolist() == [3, 9]
    assert tally.report("log", ()).line.tolist() == [2, 3, 9]
