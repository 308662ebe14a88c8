from __future__ import annotations

import pytest

from swfx.base.document_json import line_of

TEXT = '{\n "a": [1,\n  {"b":\n 2}],\n\n "c": []}'


@pytest.mark.parametrize(
    ("path", "line"),
    [((), 1), (("a",), 2), (("a", 1), 3), (("a", 1, "b"), 4), (("c",), 6), (("a", 7), 2)],
)
def test_lines_of_values(path: tuple[str | int, ...], line: int) -> None:
    assert line_of(TEXT, path) == line
