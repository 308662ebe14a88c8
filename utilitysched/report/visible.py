"""Texts of files, fit for a terminal."""

_ESCAPED = {
    code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if chr(code) not in "\t\n"
}


def visible(text: str) -> str:
    r"""Write control characters, which could steer a terminal, as escapes.

    Examples
    --------
    >>> print(visible("red: \x1b[31m"))
    red: \x1b[31m
    """
    return text.translate(_ESCAPED)
