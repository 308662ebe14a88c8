"""Rules of a centre that make a charge an amount to pay, and the TOML file that states them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal

from pricing.states import STATE_NAMES
from swfx.base.document import DocumentError, DocumentTable, read_document
from swfx.base.document_values import (
    Annotation,
    NameOrNumber,
    after,
    listed,
    made,
    made_beside,
    one_of,
    whole,
)
from utilitysched_centre.rules.account_of import read_accounts
from utilitysched_centre.rules.tres import Combine, ResourceWeights, read_weights

SU = "SU"

Status = Literal["failed", "cancelled", "requeued"]

STATUSES: dict[int, Status] = {0: "failed", 4: "failed", 5: "cancelled", 2: "requeued"}
"""Names of SWF's statuses: 4 failed in its last part; 2 is a part that goes on later."""

DUE_DAYS = 30
"""Days in which an invoice is to be paid, unless a centre says otherwise."""

LARGEST = 10**12
"""Largest number in a file of rules: sums of such amounts stay readable."""

LONGEST = 64
"""Characters of a name in a file of rules."""

LONGEST_NOTE = 240
"""Characters at the foot of a statement."""

LONGEST_PREFIX = 6
"""Characters before numbers of invoices: payment references hold 21 in all (ISO 11649)."""

MOST_LINES = 5
"""Lines of an address, of a contact, and of where to pay."""


def _decimal(most: int) -> Annotation:
    """Annotation of a number from 0, kept as the decimal that is written in the file."""

    def schema(core: Any, _: object) -> Any:
        number = core.float_schema(strict=True, allow_inf_nan=False, ge=0, le=most)
        return core.no_info_after_validator_function(lambda value: Fraction(str(value)), number)

    return Annotation(schema)


def _line_of(longest: int) -> Callable[[str], str]:
    """Return what checks a text that has to fit on a line of a statement."""

    def line(text: str) -> str:
        text = text.strip()
        if not text.isprintable():
            raise DocumentError("has more than one line, or characters that cannot be printed")
        if len(text) > longest:
            raise DocumentError(f"has {len(text):,} characters", f"give up to {longest}")
        return text

    return line


def _prefix(text: str) -> str:
    if not re.fullmatch("[A-Za-z0-9]*", text):
        raise DocumentError(
            f"{text!r} does not fit into payment references", "use letters and digits"
        )
    return _line_of(LONGEST_PREFIX)(text)


def _few(lines: tuple[str, ...]) -> tuple[str, ...]:
    if len(lines) > MOST_LINES:
        raise DocumentError(f"has {len(lines)} lines", f"give up to {MOST_LINES}")
    return lines


def _date(value: object) -> date:
    if type(value) is not date:
        raise DocumentError("is no date", "write 2026-11-03, without quotation marks")
    return value


def _somebody(whom: JobSelection) -> JobSelection:
    if whom.names_nobody:
        known = ", ".join(each.name for each in fields(JobSelection))
        raise DocumentError("names nobody", f"name {known}, or leave it out")
    return whom


Amount = Annotated[Fraction, _decimal(LARGEST)]
Percent = Annotated[Fraction, _decimal(100)]
Line = Annotated[str, made(_line_of(LONGEST))]
Lines = Annotated[tuple[Line, ...], after(_few)]
Labels = Annotated[frozenset[NameOrNumber], listed]
Day = Annotated[date, Annotation(lambda core, _: core.no_info_plain_validator_function(_date))]


@dataclass(frozen=True)
class Quantity(DocumentTable):
    """How much a job is charged for, where its charge comes from a rate.

    Attributes
    ----------
    basis : {"use", "request"}
        Hours used, or reserved: those requested.
    minimum_minutes : Fraction
        Hours that are charged at least, in minutes.
    weights : ResourceWeights, optional
        What counts beside processors.
    combine : {"max", "sum"}
        The dominant resource counts, as with Slurm's ``MAX_TRES``, or all of them together.
    absent : frozenset of str
        Resources that a log need not tell of: they count as none then.
    """

    basis: Literal["use", "request"] = "use"
    minimum_minutes: Amount = Fraction(0)
    weights: Annotated[ResourceWeights | None, made(read_weights)] = None
    combine: Combine = "max"
    absent: Annotated[frozenset[Annotated[str, made(str.lower)]], listed] = frozenset()

    def __post_init__(self) -> None:
        if self.weights is None:
            for key in ("combine", "absent"):
                if getattr(self, key) != getattr(Quantity, key):
                    raise DocumentError(
                        "says nothing without weights", "give weights, too", at=(key,)
                    )
        elif strays := self.absent - set(self.weights.weights):
            raise DocumentError(
                f"{min(strays)} has no weight", "leave it out, or give it one", at=("absent",)
            )


@dataclass(frozen=True)
class IdleWake(DocumentTable):
    """A charge for processors that stand idle before a wide job.

    Attributes
    ----------
    width : int
        Processors from which on a job is wide.
    rate : Fraction
        SU per idle processor-hour.
    """

    width: Annotated[int, whole(1)]
    rate: Amount


@dataclass(frozen=True)
class JobSelection(DocumentTable):
    """Jobs by labels and payer; a job that is named by any of them is selected.

    Attributes
    ----------
    users, groups, queues, partitions, projects, qos : frozenset of int or str
        Numbers or names as in the log.
    accounts : frozenset of str
        Names of payers.
    """

    users: Labels = frozenset()
    groups: Labels = frozenset()
    queues: Labels = frozenset()
    accounts: Annotated[frozenset[Line], listed] = frozenset()
    partitions: Labels = frozenset()
    projects: Labels = frozenset()
    qos: Labels = frozenset()

    @property
    def names_nobody(self) -> bool:
        """Whether nothing is selected."""
        return not any(getattr(self, each.name) for each in fields(JobSelection))


@dataclass(frozen=True, kw_only=True)
class Discount(JobSelection):
    """Percent off the charges of selected jobs; of all jobs, if nobody is named.

    Attributes
    ----------
    name : str
        For the statement.
    percent : Fraction
        0 to 100.
    """

    name: Line
    percent: Percent


@dataclass(frozen=True)
class Allowance(DocumentTable):
    """Allowance: free amount per job or user.

    Attributes
    ----------
    monthly : Fraction
        SU free for each payer in each month.
    """

    monthly: Amount


@dataclass(frozen=True)
class Currency(DocumentTable):
    """Price of an SU.

    Attributes
    ----------
    code : str
        For instance EUR.
    rate : Fraction
        Currency per SU.
    decimals : int
        Of the minor unit: 2 for cents.
    """

    code: Line
    rate: Amount
    decimals: Annotated[int, whole(0, 6)] = 2


@dataclass(frozen=True)
class Tax(DocumentTable):
    """A tax on top of what is to be paid.

    Attributes
    ----------
    name : str
        For the statement.
    percent : Fraction
        0 or more.
    """

    name: Line
    percent: Amount


@dataclass(frozen=True)
class Accounts(DocumentTable):
    """Accounts that pay for users.

    Attributes
    ----------
    file : mapping of int or str to str
        Account by number or name of a user; a document names the CSV file that lists them.
    """

    file: Annotated[
        Mapping[int | str, str],
        made_beside(lambda text, folder: read_accounts(folder / _line_of(LONGEST)(text))),
    ]


@dataclass(frozen=True)
class Centre(DocumentTable):
    """Sender of invoices.

    Attributes
    ----------
    name : str
        Name of the centre.
    address : tuple of str
        Lines of the address.
    note : str
        Text at the foot, for instance how to pay; empty without.
    """

    name: Line
    address: Lines = ()
    note: Annotated[str, made(_line_of(LONGEST_NOTE))] = ""


@dataclass(frozen=True)
class InvoiceTerms(DocumentTable):
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

    prefix: Annotated[str, made(_prefix)] = ""
    issued: Day | None = None
    days: Annotated[int, whole(0, 366)] = DUE_DAYS
    contact: Lines = ()
    pay_to: Lines = ()
    tax_number: Line = ""
    recipients: dict[str, Lines] = field(default_factory=dict)

    def address_of(self, payer: str) -> tuple[str, ...]:
        """Return the address lines of a payer; an account ``user 7`` has those of its name.

        >>> InvoiceTerms(recipients={"user 7": ("2 Torus Street",)}).address_of("account user 7")
        ('2 Torus Street',)
        """
        return self.recipients.get(payer) or self.recipients.get(payer.removeprefix("account "), ())


@dataclass(frozen=True)
class Rules(DocumentTable):
    """All rules of a centre; none by default.

    Attributes
    ----------
    minimum_charge : Fraction
        SU a job pays at least.
    quantity : Quantity, optional
        None: as the mechanism charges.
    idle_wake : IdleWake, optional
        Added to the charge of wide jobs.
    status : mapping of str to Fraction
        Percent that ``failed``, ``cancelled`` and ``requeued`` jobs pay; 100 without.
    state : mapping of str to Fraction
        Percent that jobs which ended in a state of Slurm's pay, before `status`; without, 0 where
        the machine was at fault.
    exempt : JobSelection
        Jobs that cost nothing.
    discount : tuple of Discount
        One after the other, each off what is left.
    allowance : Allowance
        SU that cost nothing.
    currency : Currency, optional
        None: SU.
    tax : Tax, optional
        On top.
    accounts : Accounts
        Accounts that pay for users; other jobs are paid by that of the log, or by their user.
    centre : Centre, optional
        Head and foot of invoices.
    invoice : InvoiceTerms
        Other texts of invoices.
    """

    minimum_charge: Amount = Fraction(0)
    quantity: Quantity | None = None
    idle_wake: IdleWake | None = None
    status: dict[Status, Percent] = field(default_factory=dict)
    state: dict[Annotated[str, one_of(STATE_NAMES)], Percent] = field(default_factory=dict)
    exempt: Annotated[JobSelection, after(_somebody)] = JobSelection()
    discount: tuple[Discount, ...] = ()
    allowance: Allowance = Allowance(Fraction(0))
    currency: Currency | None = None
    tax: Tax | None = None
    accounts: Accounts = field(default_factory=lambda: Accounts({}))
    centre: Centre | None = None
    invoice: InvoiceTerms = field(default_factory=InvoiceTerms)

    @property
    def account_of_user(self) -> Mapping[int | str, str]:
        """Account that pays for a user, by number or name."""
        return self.accounts.file

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


def read_rules(file: Path) -> Rules:
    """Read rules.

    Parameters
    ----------
    file : Path
        TOML; docs/rules.md has its keys.

    Raises
    ------
    InputError
        The file, or the list of accounts that it names, cannot be read; a key is unknown, or a
        value cannot be used.
    """
    return read_document(Rules, file, "a file of rules")
