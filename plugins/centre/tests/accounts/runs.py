"""Claims that the tests of ledgers share."""

from __future__ import annotations

from utilitysched_centre.accounts import Account, Claim, Claims

SEVEN, EIGHT = Account("user", "7"), Account("user", "8")


def claims(
    *units: int, mechanism: str = "first-price:reading=end", month: str = "2000-04"
) -> Claims:
    """Jobs 1, 2, ... in minor units; the odd ones are user 7's, the even ones user 8's."""
    return Claims(
        mechanism,
        [
            Claim(f"job-{job}", job, 7 if job % 2 else 8, 1, month, money)
            for job, money in enumerate(units, start=1)
        ],
    )
