"""Texts that could steer a terminal, or turn the order of letters."""

from __future__ import annotations

import io
import json

import pytest

from utilitysched.report.visible import VisibleStream, plain, visible, visible_json


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, spät\tand\n日本", "plain, spät\tand\n日本"),
        ("\x1b[2J\x07\r\x7f", "\\x1b[2J\\x07\\x0d\\x7f"),
        ("\x9b31m", "\\x9b31m"),
        ("evil\u202egpj.exe\u2066", "evil\\u202egpj.exe\\u2066"),
        ("zero\u200bwidth\u2028\ufeff", "zero\\u200bwidth\\u2028\\ufeff"),
        ("tag \U000e0041", "tag \\U000e0041"),
    ],
)
def test_letters_that_steer_are_escaped_and_others_stay(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert json.loads(visible_json(json.dumps(text, ensure_ascii=False))) == text


def test_a_visible_stream_writes_visible_text_and_is_else_the_stream() -> None:
    below = io.StringIO()
    stream = VisibleStream(below)

    print("a\x1bb", file=stream)
    stream.writelines(["c\r", "d"])

    assert below.getvalue() == "a\\x1bb\nc\\x0dd"
    assert plain(stream) is below  # type: ignore[arg-type]
    assert plain(below) is below
    assert not stream.isatty()
