"""Payers and rate of lost work and restart overhead: options of every mechanism."""

from __future__ import annotations

from typing import NamedTuple

from pricing.rates import read_rate
from pricing.waste import Waste
from swfx import InputError
from swfx.base.options import as_choice

CENTRE, PREEMPTOR, PREEMPTED = "centre", "bumper", "bumped"

PAYERS = (CENTRE, PREEMPTOR, PREEMPTED)

LOST_RATE = 1.0
"""SU per processor-hour where nothing else is said: LEE's single price."""


class WasteRule(NamedTuple):
    """What a mechanism says of lost work and restart overhead.

    Attributes
    ----------
    payer : {"centre", "bumper", "bumped"}
        Who pays for it: nobody but the centre, the job for whose sake another was preempted, or the
        job that was stopped itself.
    rate : float or None
        SU per processor-hour; None for the rate by which the job that was stopped is charged.
    """

    payer: str = CENTRE
    rate: float | None = LOST_RATE

    @classmethod
    def of(cls, mechanism: object) -> WasteRule:
        """Return that of a mechanism; the centre pays if it says nothing."""
        rate = getattr(mechanism, "lost_rate", LOST_RATE)
        return cls(getattr(mechanism, "lost", CENTRE), rate)

    @property
    def by_the_hour(self) -> bool:
        """Whether what a job itself loses costs as much as what it does."""
        return self.rate is None

    @property
    def is_usual(self) -> bool:
        """Whether charges are those of all hours used, or of none: what was lost need not be known.

        That is the default of every mechanism.
        """
        return self.payer == (PREEMPTED if self.by_the_hour else CENTRE)

    @property
    def is_bounded(self) -> bool:
        """Whether nothing is added to what the mechanism asks but hours at its own rate."""
        return self.payer == CENTRE or self.is_usual

    def require_known(self, label: str, used: object, waste: Waste | None) -> None:
        """Refuse charges of stopped jobs for which something is not given.

        Raises
        ------
        InputError
            What was lost is not known and matters to the mechanism of this label, or jobs were
            stopped and for how long they held their processors is not known.
        """
        if waste is None and used is not None and not self.is_usual:
            raise InputError(
                f"{label} asks what was lost where jobs were stopped",
                field="waste",
                remedy="give it beside what was used, or leave the option lost out",
            )
        if waste is not None and len(waste) and used is None:
            raise InputError(
                "is not given, and jobs were stopped",
                field="used",
                remedy="give for how long each held its processors",
            )


def read_payer(text: str) -> str:
    """Read who pays, one of `PAYERS`.

    Raises
    ------
    InputError
        It is none of them.
    """
    return as_choice(text, PAYERS, "price mechanism", "lost")


def read_lost_rate(text: str) -> float:
    """Read SU per processor-hour, 0 or more.

    Raises
    ------
    InputError
        It is not.
    """
    return read_rate(text, "lost_rate")
