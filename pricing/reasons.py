"""Why a job was charged, or not: one wording for bills and for what is made of them."""

from __future__ import annotations

UNSAID = "the mechanism asks nothing"
"""Where a mechanism charges nothing and does not say why."""

CUT = "cut to what it was worth"


def reason(charged: bool, *why: str) -> str:
    """Say whether a job was charged, and why.

    Parameters
    ----------
    charged : bool
        Whether it pays anything.
    *why : str
        Empty ones are left out.

    Examples
    --------
    >>> reason(True), reason(False, "it was in nobody's way")
    ('charged', "not charged: it was in nobody's way")
    """
    head = "charged" if charged else "not charged"
    said = ", ".join(text for text in why if text)
    return f"{head}: {said}" if said else head
