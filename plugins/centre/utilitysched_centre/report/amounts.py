"""Amounts of a ledger in a column: with one number of decimals, the fewest that show them all."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from pricing.ledger import amount
from swfx.base.numbers import CENTS


def aligned(amounts: Sequence[int | None], decimals: int, sign: str = "") -> list[str]:
    """Write minor units of a ledger with so many decimals; nothing for None.

    All have one number of decimals, the fewest that show them all.

    Examples
    --------
    >>> aligned([1500000, None, -250], 6)
    ['1.50000', '', '-0.00025']
    """
    exact = [None if units is None else amount(units, decimals) for units in amounts]
    needed = max((_decimals(money) for money in exact if money is not None), default=0)
    shown = max(needed, min(decimals, CENTS))
    return ["" if money is None else f"{money:{sign},.{shown}f}" for money in exact]


def _decimals(money: Decimal) -> int:
    return max(-int(money.normalize().as_tuple().exponent), 0)
