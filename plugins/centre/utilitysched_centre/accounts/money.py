"""Money as whole numbers of a minor unit."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import NamedTuple

from pricing.ledger import MOST_UNITS, amount
from swfx import InputError


class Money(NamedTuple):
    """What a ledger counts in.

    Attributes
    ----------
    unit : str
        For instance ``SU``.
    decimals : int
        Of the minor unit: 6 is a millionth.
    """

    unit: str
    decimals: int

    def units(self, text: str | int | Decimal) -> int:
        """Read an amount, as whole minor units.

        Raises
        ------
        InputError
            If it is no number, has more decimals than the ledger, or more digits than 64 bits hold.

        Examples
        --------
        >>> Money("SU", 2).units("12.5")
        1250
        """
        try:
            value = Decimal(text)
        except InvalidOperation:
            value = Decimal("NaN")
        if not value.is_finite():
            raise InputError(f"{text!r} is not a number", field="amount")
        if value and value.adjusted() + self.decimals > 18:
            raise InputError(
                f"{text} is over the {self.plain(MOST_UNITS)} that a ledger holds", field="amount"
            )
        # Decimal's own arithmetic rounds to 28 digits
        is_tiny = value and value.adjusted() + self.decimals < 0
        whole = Fraction(value) * 10**self.decimals if not is_tiny else Fraction(1, 2)
        if whole.denominator != 1:
            raise InputError(
                f"{text} has more decimals than this ledger, which has {self.decimals}",
                field="amount",
                remedy=f"round it to {self.plain(1)} {self.unit}",
            )
        return within(whole.numerator, self)

    def plain(self, units: int) -> str:
        """Write an amount with all its decimals.

        Examples
        --------
        >>> Money("SU", 2).plain(1250)
        '12.50'
        """
        return f"{amount(units, self.decimals):f}"

    def text(self, units: int) -> str:
        """Write an amount for people, without zeros behind the second decimal.

        Examples
        --------
        >>> Money("SU", 6).text(1234567125000)
        '1,234,567.125 SU'
        """
        return f"{self.short(units)} {self.unit}"

    def short(self, units: int) -> str:
        """Write an amount as `text` does, without the unit.

        Examples
        --------
        >>> Money("SU", 6).short(-1234567125000)
        '-1,234,567.125'
        """
        whole, point, decimals = f"{amount(units, self.decimals):,f}".partition(".")
        return f"{whole}{point}{decimals[:2]}{decimals[2:].rstrip('0')}"


def within(units: int, money: Money) -> int:
    """Return `units` if 64 bits hold them.

    Raises
    ------
    InputError
        If not.
    """
    if abs(units) > MOST_UNITS:
        raise InputError(
            f"{money.plain(units)} is over the {money.plain(MOST_UNITS)} that a ledger holds",
            field="amount",
        )
    return units
