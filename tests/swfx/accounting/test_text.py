import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import InputError
from swfx.accounting.text import LogText, text_of


def test_a_byte_order_mark_and_ends_of_lines_are_left_out() -> None:
    assert list(LogText([b"\xef\xbb", b"\xbfa\r\nb\n"], "log")) == ["a", "b"]


@pytest.mark.parametrize("data", [b"", b" \n\t", b"\xef\xbb\xbf\n", b"\x1d\x1c\n"])
def test_nothing_is_refused(data: bytes) -> None:
    with pytest.raises(InputError, match="log: is empty; give a log"):
        text_of(data, "log")


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(InputError, match="log: is not text: byte 1 is 0"):
        text_of(b"a\0b", "log")
    with pytest.raises(InputError, match="log: is not text: byte 6 is 0"):
        list(LogText([b"abcd\n", b"e\0"], "log"))


@pytest.mark.parametrize("kind", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_called_by_its_name(kind: str) -> None:
    with pytest.raises(InputError, match="log: is text in UTF-16; save it as UTF-8"):
        text_of("\ufeffJobID|User\n".encode(kind), "log")


@given(st.text("ab\r\n\ufeff\u00e9", max_size=30), st.integers(1, 5))
def test_pieces_of_any_size_give_the_same_lines(said: str, size: int) -> None:
    data = f"x{said}".encode()
    pieces = [data[first : first + size] for first in range(0, len(data), size)]

    lines = list(LogText(pieces, "log"))

    assert lines == list(LogText([data], "log"))
    written = f"x{said}".removesuffix("\n").split("\n")
    assert lines == [line.removesuffix("\r") for line in written]
