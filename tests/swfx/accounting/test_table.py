from __future__ import annotations

import pytest

from swfx import InputError
from swfx.accounting.record_error import RecordError
from swfx.accounting.table import Columns, Row, read_csv
from swfx.accounting.text import LogText


def test_a_record_is_on_the_line_where_it_begins() -> None:
    text = LogText([b'job,name\n1,"a\nb"\n\n2,"c,d"\r\n'], "log")

    _, rows = read_csv(text.raw(), ",", "log")
    assert list(rows) == [
        Row(2, ["1", "a\nb"]),
        Row(5, ["2", "c,d"]),
    ]
    assert text.lines == 5


@pytest.mark.parametrize(
    ("cells", "rule"), [(["1"], "too-few-fields"), (["1", "2", "3"], "too-many-fields")]
)
def test_the_number_of_cells_is_checked(cells: list[str], rule: str) -> None:
    with pytest.raises(RecordError) as error:
        Columns(["a", "b"]).check(cells)

    assert error.value.rule.name == rule


def test_a_missing_column() -> None:
    with pytest.raises(InputError) as error:
        Columns(["submitted", "user"]).require(["submit"], "log")

    assert str(error.value) == (
        "log:1: has no column 'submit'; did you mean 'submitted'? known: submitted, user"
    )
