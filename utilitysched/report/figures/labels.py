"""Labels of schedulers, which may be long."""

import re

MOST = 34
"""Characters of a line that a column of a paper has room for beside a legend's mark."""

_AFTER_OPTIONS = re.compile(r"(?<=[:,])")


def folded(label: str, most: int = MOST) -> str:
    """Return a label in lines of at most `most` characters, broken between its options.

    Examples
    --------
    >>> print(folded("ga:generations=100,population=20", 24))
    ga:generations=100,
    population=20
    """
    lines = [""]
    for part in _AFTER_OPTIONS.split(label):
        if lines[-1] and len(lines[-1]) + len(part) > most:
            lines.append("")
        lines[-1] += part
    return "\n".join(lines)
