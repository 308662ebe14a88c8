"""Text of a log, whatever bytes it holds."""

from __future__ import annotations

from swfx.errors import InputError, placed
from swfx.header import ENCODING
from swfx.text import check_text

__all__ = ["lines_of", "text_of"]

_BYTE_ORDER_MARK = "\ufeff"


def text_of(data: bytes, name: str) -> str:
    """Decode a log; bytes that are not UTF-8 survive being written to a header.

    Raises
    ------
    InputError
        If there is nothing, or it is not text.
    """
    text = data.decode(*ENCODING).removeprefix(_BYTE_ORDER_MARK)
    if not text.strip():
        raise InputError("is empty", source=name, remedy="give a log")
    try:
        check_text(data, "give the log as text")
    except InputError as error:
        raise placed(error, name) from None
    return text


def lines_of(data: bytes, name: str) -> list[str]:
    r"""Lines of a log, without their ends; line n is at position n - 1.

    Raises
    ------
    InputError
        As `text_of`.

    Examples
    --------
    >>> lines_of(b"a\r\nb\n", "log")
    ['a', 'b']
    """
    lines = text_of(data, name).split("\n")
    if not lines[-1]:
        lines.pop()
    return [line.removesuffix("\r") for line in lines]
