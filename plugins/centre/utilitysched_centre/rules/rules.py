"""Rules of a centre that make a charge an amount to pay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import Literal

from utilitysched_centre.rules.tres import ResourceWeights

Basis = Literal["use", "request"]

SU = "SU"

FAILED, CANCELLED, REQUEUED = "failed", "cancelled", "requeued"

STATUSES = {0: FAILED, 4: FAILED, 5: CANCELLED, 2: REQUEUED}
"""What SWF's status says of a job: 4 failed in its last part; 2 is a part that goes on later."""


@dataclass(frozen=True)
class Quantity:
    """How much a job is charged for, where its charge comes from a rate.

    Attributes
    ----------
    basis : {"use", "request"}
        Hours used, or reserved: those requested.
    minimum_minutes : Fraction
        Hours that are charged at least, in minutes.
    weights : ResourceWeights, optional
        What counts beside processors.
    """

    basis: Basis = "use"
    minimum_minutes: Fraction = Fraction(0)
    weights: ResourceWeights | None = None


@dataclass(frozen=True)
class IdleWake:
    """A charge for processors that stand idle before a wide job.

    Attributes
    ----------
    width : int
        Processors from which on a job is wide.
    rate : Fraction
        SU per idle processor-hour.
    """

    width: int
    rate: Fraction


@dataclass(frozen=True)
class JobSelection:
    """Jobs by labels and payer; whoever is named in any of them.

    Attributes
    ----------
    users, groups, queues, partitions, projects, qos : frozenset of int or str
        Numbers or names as in the log.
    accounts : frozenset of str
        Names of payers.
    """

    users: frozenset[int | str] = frozenset()
    groups: frozenset[int | str] = frozenset()
    queues: frozenset[int | str] = frozenset()
    accounts: frozenset[str] = frozenset()
    partitions: frozenset[int | str] = frozenset()
    projects: frozenset[int | str] = frozenset()
    qos: frozenset[int | str] = frozenset()

    @property
    def names_nobody(self) -> bool:
        """Whether nothing is selected."""
        return not any(vars(self).values())


@dataclass(frozen=True)
class Discount:
    """Percent off.

    Attributes
    ----------
    name : str
        For the statement.
    percent : Fraction
        0 to 100.
    whom : JobSelection
        Everybody, if it names nobody.
    """

    name: str
    percent: Fraction
    whom: JobSelection = field(default_factory=JobSelection)


@dataclass(frozen=True)
class Currency:
    """What an SU costs.

    Attributes
    ----------
    code : str
        For instance EUR.
    rate : Fraction
        Currency per SU.
    decimals : int
        Of the minor unit: 2 for cents.
    """

    code: str
    rate: Fraction
    decimals: int


@dataclass(frozen=True)
class Tax:
    """A tax on top of what is to be paid.

    Attributes
    ----------
    name : str
        For the statement.
    percent : Fraction
        0 or more.
    """

    name: str
    percent: Fraction


@dataclass(frozen=True)
class Centre:
    """Who sends invoices.

    Attributes
    ----------
    name : str
        Of the centre.
    address : tuple of str
        Its lines.
    note : str
        What stands at the foot, for instance how to pay; empty without.
    """

    name: str
    address: tuple[str, ...] = ()
    note: str = ""


DUE_DAYS = 30
"""Days in which an invoice is to be paid, unless a centre says otherwise."""


@dataclass(frozen=True)
class InvoiceTerms:
    """What stands on invoices beside what is to be paid.

    Attributes
    ----------
    prefix : str
        Before the period in their numbers, letters and digits.
    issued : date, optional
        Date of issue; default: the day after the last one of the period.
    days : int
        From the date of issue until payment is due.
    contact : tuple of str
        Whom to ask.
    pay_to : tuple of str
        Where to pay.
    tax_number : str
        Of the centre.
    recipients : mapping of str to tuple of str
        Address lines of payers by name; others have their name alone.
    """

    prefix: str = ""
    issued: date | None = None
    days: int = DUE_DAYS
    contact: tuple[str, ...] = ()
    pay_to: tuple[str, ...] = ()
    tax_number: str = ""
    recipients: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def address_of(self, payer: str) -> tuple[str, ...]:
        """Return the address lines of a payer; an account ``user 7`` has those of its name.

        >>> InvoiceTerms(recipients={"user 7": ("2 Torus Street",)}).address_of("account user 7")
        ('2 Torus Street',)
        """
        return self.recipients.get(payer) or self.recipients.get(payer.removeprefix("account "), ())


@dataclass(frozen=True)
class Rules:
    """All rules of a centre; none by default.

    Attributes
    ----------
    quantity : Quantity, optional
        None: as the mechanism charges.
    idle_wake : IdleWake, optional
        Added to the charge of wide jobs.
    minimum_charge : Fraction
        SU a job pays at least.
    status : mapping of str to Fraction
        Percent that ``failed``, ``cancelled`` and ``requeued`` jobs pay, or jobs that ended in a
        state, which counts more than the status; 100 without, 0 where the machine was at fault.
    exempt : JobSelection
        Who pays nothing.
    discounts : tuple of Discount
        One after the other, each off what is left.
    allowance : Fraction
        SU free for each payer in each month.
    currency : Currency, optional
        None: SU.
    tax : Tax, optional
        On top.
    accounts : mapping of int or str to str
        Account that pays for a user, by number or name; for others that of the log, or themselves.
    centre : Centre, optional
        Head and foot of invoices.
    invoice : InvoiceTerms
        What else stands on them.
    """

    quantity: Quantity | None = None
    idle_wake: IdleWake | None = None
    minimum_charge: Fraction = Fraction(0)
    status: Mapping[str, Fraction] = field(default_factory=dict)
    exempt: JobSelection = field(default_factory=JobSelection)
    discounts: tuple[Discount, ...] = ()
    allowance: Fraction = Fraction(0)
    currency: Currency | None = None
    tax: Tax | None = None
    accounts: Mapping[int | str, str] = field(default_factory=dict)
    centre: Centre | None = None
    invoice: InvoiceTerms = field(default_factory=InvoiceTerms)

    @property
    def code(self) -> str:
        """Code of the currency; SU without one."""
        return self.currency.code if self.currency else SU

    @property
    def tax_share(self) -> Fraction:
        """Tax on 1 of what is to be paid."""
        return self.tax.percent / 100 if self.tax else Fraction(0)

    def unit(self, decimals: int) -> tuple[int, Fraction]:
        """Return the decimals of the minor unit, and how many such units an SU is.

        Parameters
        ----------
        decimals : int
            Those of the unit where there is no currency.
        """
        decimals = self.currency.decimals if self.currency else decimals
        return decimals, (self.currency.rate if self.currency else 1) * Fraction(10) ** decimals
