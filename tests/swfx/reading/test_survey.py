import pytest

from swfx import Header, InputError
from swfx.reading.survey import has_job_line, survey

LINE = b"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18"


def test_the_header_ends_at_the_first_job_line():
    found = survey(b"; A: 1\n  ;B: 2\r\n" + LINE + b"\n;\n;C: 3\n" + LINE)
    assert found.header.lines == (" A: 1", "B: 2")
    assert found.line.tolist() == [3, 6]
    assert (found.lines, found.comment_lines) == (6, 4)
    assert (found.stray, found.first_stray) == (2, 4)


@pytest.mark.parametrize(
    ("text", "found"),
    [(b"", False), (b" \n;1\n\t\r\r\n", False), (b";\n \t;\n", False), (b";\n \rx", True)],
)
def test_whether_there_is_a_job_line(text, found):
    assert has_job_line(text) is found


def test_announcements_below_the_first_job_line_are_not_looked_at():
    assert survey(LINE + b"\n; SWFX: 9\n").header == Header()
    with pytest.raises(InputError, match="unknown version"):
        survey(b"; SWFX: 9\n" + LINE)
