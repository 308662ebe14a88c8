import pytest

from swfx import InputError
from swfx.survey import survey

LINE = b"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18"


def test_comments_may_stand_anywhere():
    found = survey(b"; A: 1\n" + LINE + b"\n  ;B: 2\r\n" + LINE + b"\n;")
    assert found.header.lines == (" A: 1", "B: 2", "")
    assert found.line.tolist() == [2, 4]
    assert found.lines == 5


def test_selected_lines_are_positions_of_job_lines():
    found = survey(b";x\n" + b"\n".join([LINE] * 5))
    assert found.selected(slice(1, 3)).line.tolist() == [3, 4]
    assert found.selected(slice(3, None)).line.tolist() == [5, 6]
    assert found.selected(None) is found


def test_no_text_is_refused():
    with pytest.raises(InputError, match="is empty"):
        survey(b"")
