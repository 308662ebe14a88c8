"""Decimals of exact numbers: as few as show an amount to the last digit."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from pricing.ledger import amount, plain

SHOWN_DECIMALS = 9
"""Decimals of rates and percentages: what is exact is a fraction."""

MOST_DECIMALS = 18
"""Decimals of factors that are multiplied."""

HOUR_DECIMALS = 4
"""Decimals of hours where these are enough."""


def in_decimals(exact: Fraction, decimals: int = SHOWN_DECIMALS) -> str:
    """Write a fraction as a decimal, rounded half to even, zeros at the end left out.

    Examples
    --------
    >>> in_decimals(Fraction(1, 8)), in_decimals(Fraction(100))
    ('0.125', '100')
    """
    return _in_decimals(*exact.as_integer_ratio(), decimals)


@lru_cache(maxsize=1 << 14)  # of a job the steps are often the same, and of like jobs, too
def _in_decimals(numerator: int, denominator: int, decimals: int) -> str:
    units, rest = divmod(numerator * 10**decimals, denominator)
    above_half = 2 * rest - denominator
    units += above_half > 0 or (above_half == 0 and units % 2)
    text = plain(amount(units, decimals))
    return text.rstrip("0").rstrip(".") if "." in text else text


def multiplied(quantity: Fraction, price: Fraction, decimals: int) -> Fraction:
    """Return a quantity with as few decimals as leave the rounded product with a price the same.

    Where none do, for the product lies halfway between two amounts, it may be the other one.

    Examples
    --------
    >>> float(multiplied(Fraction(86430, 3600), Fraction(2, 5), 2))
    24.0083
    """
    scale = 10**decimals
    product = round(quantity * price * scale)
    for off in (0, 1):
        for places in range(HOUR_DECIMALS, MOST_DECIMALS):
            shown = round(quantity, places)
            if abs(round(shown * price * scale) - product) <= off:
                return shown
    return round(quantity, MOST_DECIMALS)
