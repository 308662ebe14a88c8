"""Issued documents: contents of invoices and credit notes, as the JSON files that seal them."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pricing.ledger import amount, plain
from swfx import InputError
from swfx.base.document import DocumentError, DocumentTable, check_document
from swfx.base.document_values import Flag, whole
from swfx.base.errors import failed
from utilitysched_centre.rules.decimals import in_decimals
from utilitysched_centre.rules.lines import InvoiceLine

INVOICE: Literal["invoice"] = "invoice"
CREDIT_NOTE: Literal["credit note"] = "credit note"

MOST_DECIMALS = 9
EXACT_DECIMALS = 18
"""Decimals of amounts at most, and of quantities and unit prices."""

AMOUNTS = ("net", "tax", "amount")
"""Keys of amounts."""

_MONEY = re.compile(r"-?[0-9]{1,20}(?:\.[0-9]{1,9})?")


class CreditLine(NamedTuple):
    """A credit for a job, tax apart.

    Attributes
    ----------
    job : str
        Name of the job, as Slurm prints it; empty where the credit is for all jobs.
    net, tax : int
        Given back, in minor units, 0 or more.
    reason : str
        Reason of the credit.
    """

    job: str
    net: int
    tax: int
    reason: str

    @property
    def text(self) -> str:
        """Job and reason."""
        return f"job {self.job}: {self.reason}" if self.job else self.reason


class UsedResource(NamedTuple):
    """Hours of a resource, as Slurm's ``sreport`` counts them: ``cpu``, ``mem``, ``gres/gpu``."""

    resource: str
    hours: Fraction


class EvidenceFile(NamedTuple):
    """File of a document beside its JSON, and the SHA-256 of the file in hexadecimal."""

    name: str
    digest: str


class Additions(NamedTuple):
    """Parts of an invoice that are about none of its jobs' charges.

    Attributes
    ----------
    lines : tuple of InvoiceLine
        Recurring and shared lines.
    tax : int
        Tax on these lines, in minor units.
    credits : tuple of CreditLine
        Credits that are known when the invoice is issued.
    """

    lines: tuple[InvoiceLine, ...] = ()
    tax: int = 0
    credits: tuple[CreditLine, ...] = ()


@dataclass(frozen=True)
class IssuedDocument(DocumentTable):
    """Contents of an invoice or a credit note; amounts are whole minor units of the currency.

    Attributes
    ----------
    number : str
        Number of the document.
    kind : {"invoice", "credit note"}
        Kind of the document.
    month : str
        ``YYYY-MM`` of the use; empty where the log has no calendar.
    period : str
        Days of the use, in words.
    begins, ends : str
        First moment of the period, and the first moment after it, in UTC (ISO 8601); empty where
        the log has no calendar.
    recipient, account : str
        Name of the payer in the listing, and account of the ledger.
    address : tuple of str
        Lines of the payer's address.
    issuer : tuple of str
        Name of the centre and lines of its address.
    issued, due : str
        ``YYYY-MM-DD``; a credit note is never due.
    currency : str
        Code of the currency; ``SU`` without one.
    decimals : int
        Decimals of the minor unit.
    lines : tuple of InvoiceLine
        Charges, before credits; none on a credit note.
    credits : tuple of CreditLine
        Credits for jobs: taken off an invoice, given back by a credit note.
    net, tax : int
        Amounts of the document; of a credit note, the amounts given back.
    tax_name : str
        Name of the tax, with its percentage; empty where there is none.
    corrects : str
        Invoice that a credit note corrects.
    cancels : bool
        Whether a credit note gives back all that was left of the invoice.
    jobs : int
        Jobs of the invoice.
    usage : tuple of UsedResource
        Hours of each resource.
    about : str
        Sentences on the price.
    rules : tuple of str
        Rules of the centre, in words.
    basis : str
        Source of schedule and utility functions.
    warnings : tuple of str
        Sentences that come before everything else.
    contact, pay_to : tuple of str
        Address for questions, and bank account.
    note : str
        Text at the foot.
    evidence : tuple of EvidenceFile
        Files beside the document.
    """

    number: str
    kind: Literal["invoice", "credit note"]
    month: str
    period: str
    begins: str
    ends: str
    recipient: str
    account: str
    address: tuple[str, ...]
    issuer: tuple[str, ...]
    issued: str
    due: str
    currency: str
    decimals: Annotated[int, whole(0, MOST_DECIMALS)]
    lines: tuple[InvoiceLine, ...]
    credits: tuple[CreditLine, ...]
    net: int
    tax: int
    tax_name: str = ""
    corrects: str = ""
    cancels: Flag = False
    jobs: int = 0
    usage: tuple[UsedResource, ...] = ()
    about: str = ""
    rules: tuple[str, ...] = ()
    basis: str = ""
    warnings: tuple[str, ...] = ()
    contact: tuple[str, ...] = ()
    pay_to: tuple[str, ...] = ()
    note: str = ""
    evidence: tuple[EvidenceFile, ...] = ()

    def __post_init__(self) -> None:
        credited, taxed = (
            sum(getattr(each, name) for each in self.credits) for name in AMOUNTS[:2]
        )
        charged = sum(line.net for line in self.lines)
        wrong = (
            self.net != charged - credited
            if self.kind == INVOICE
            else (self.net, self.tax) != (credited, taxed)
        )
        if wrong:
            raise DocumentError("is not the sum of the lines", at=("net",))

    @property
    def amount(self) -> int:
        """Amount of the document, tax included."""
        return self.net + self.tax

    @property
    def sign(self) -> int:
        """1 of an invoice, -1 of a credit note."""
        return 1 if self.kind == INVOICE else -1

    def money(self, units: int) -> str:
        """Return an amount for people, without the currency."""
        return f"{amount(units, self.decimals):,f}"

    def credit_note(
        self, number: str, issued: str, given: Sequence[CreditLine], *, cancels: bool
    ) -> IssuedDocument:
        """Return a credit note that corrects this invoice.

        Parameters
        ----------
        number : str
            Number of the credit note.
        issued : str
            Date of issue, ``YYYY-MM-DD``.
        given : sequence of CreditLine
            Amounts given back.
        cancels : bool
            Whether nothing is left of the invoice.
        """
        return replace(
            self,
            number=number,
            kind=CREDIT_NOTE,
            issued=issued,
            due="",
            lines=(),
            credits=tuple(given),
            net=sum(each.net for each in given),
            tax=sum(each.tax for each in given),
            corrects=self.number,
            cancels=cancels,
            jobs=0,
            usage=(),
            about="",
            rules=(),
            evidence=(),
        )


def document_text(issued: IssuedDocument) -> str:
    """Return the canonical JSON of a document: keys in order, amounts as exact decimals."""
    value = _plain_values(asdict(issued)) | {"amount": issued.amount}

    def written(units: int) -> str:
        return plain(amount(units, issued.decimals))

    value = _with_amounts(value, written)
    return json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def read_document_file(path: Path) -> IssuedDocument:
    """Read an issued document.

    Raises
    ------
    InputError
        The file cannot be read, is no issued document, or its lines do not add up.
    """
    source = str(path)
    try:
        value = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise failed("cannot be read", error, path, "give the JSON file of a document") from error
    except (ValueError, RecursionError) as error:
        raise InputError("is not JSON", source=source) from error
    decimals = value.pop("decimals", None) if isinstance(value, dict) else None
    if type(decimals) is not int or not 0 <= decimals <= MOST_DECIMALS:
        raise InputError("is no issued document", source=source)
    value = _with_amounts(value, lambda text: _units(text, decimals, source))
    total = value.pop("amount", None)
    issued = check_document(IssuedDocument, value | {"decimals": decimals}, source)
    if total != issued.amount:
        raise InputError("is not the sum of net and tax", source=source, field="amount")
    return issued


def content_of(path: Path) -> str:
    """Return the SHA-256 (hexadecimal) of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _plain_values(value: Any) -> Any:
    """Return a value with tuples as lists, named ones as dictionaries, fractions as decimals."""
    if isinstance(value, Fraction):
        return in_decimals(value, EXACT_DECIMALS)
    if isinstance(value, dict):
        return {key: _plain_values(each) for key, each in value.items()}
    if hasattr(value, "_asdict"):
        return _plain_values(value._asdict())
    return [_plain_values(each) for each in value] if isinstance(value, tuple) else value


def _with_amounts(value: Any, convert: Callable[[Any], Any]) -> Any:
    """Return JSON-able contents with every amount converted."""
    if isinstance(value, list):
        return [_with_amounts(each, convert) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        key: convert(each) if key in AMOUNTS else _with_amounts(each, convert)
        for key, each in value.items()
    }


def _units(text: object, decimals: int, source: str) -> int:
    """Return the minor units of an exact decimal."""
    if not isinstance(text, str) or not _MONEY.fullmatch(text):
        raise InputError(f"{text!r} is no amount", source=source)
    units = Decimal(text).scaleb(decimals)
    if units != int(units):
        raise InputError(f"{text} has more than {decimals} decimals", source=source)
    return int(units)
