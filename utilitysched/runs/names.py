"""Directory names of scheduler labels."""

import re

_SEPARATORS = str.maketrans({":": "-", ",": "-", "=": "_"})
_UNSAFE = re.compile(r"[^A-Za-z0-9._+-]")


def directory_name(label: str) -> str:
    """Return a scheduler label as a file name that needs no quotes in a shell.

    Examples
    --------
    >>> directory_name("saf:threshold=200000,backfill=spf")
    'saf-threshold_200000-backfill_spf'
    """
    return _UNSAFE.sub("_", label.translate(_SEPARATORS)).lstrip(".") or "_"
