"""Adjustments: parts of what single jobs cost that a centre gives back, and why.

A file of adjustments has a table ``[[adjust]]`` for each. The next billing run of the month gives
the amount back: on the invoice itself if that is new, else by a credit note.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Annotated, ClassVar, NamedTuple

from pricing.ledger import amount as in_currency
from pricing.ledger import in_units, plain
from swfx import InputError
from swfx.base.atomic import write_whole
from swfx.base.document import DocumentError, DocumentTable, read_document
from swfx.base.document_values import TextOrNumber, made
from utilitysched_centre.accounts import read_month
from utilitysched_centre.rules.decimals import in_decimals
from utilitysched_centre.rules.invoice import rounded
from utilitysched_centre.rules.rules import Amount, Line, Percent

ADJUSTMENTS_FILE = "adjustments.toml"

DIGITS = 20
"""Hexadecimal, of digests."""

KIND = "a file of adjustments"

_NAME = re.compile(r"(?P<job>.*?)(?P<task>_\d+)?(?P<part>\+\d+)?(?P<run> \(run \d+\))?")
"""Name of a job: its number, which task or part of it, and which run."""


@dataclass(frozen=True)
class Adjustment(DocumentTable):
    """Part of what a job cost that is given back.

    Attributes
    ----------
    job : str
        Name of the job, as Slurm prints it: ``102_1``, of a whole array ``102``; of one run of it,
        ``102_1 (run 2)``.
    reason : str
        Reason, as it stands on the credit note.
    account : str
        Account on the invoice, which tells jobs of the same name apart.
    month : str
        ``YYYY-MM`` of the invoice; default: any in which the job is billed.
    percent : Fraction, optional
        Percent of what the job cost, and of the tax on it.
    amount : Fraction, optional
        In the currency of the invoice, tax included; with a month, lest a job that ran in two has
        it twice.
    """

    EXAMPLES: ClassVar[dict[str, str]] = {
        "job": 'add job, such as "102_1"',
        "reason": 'add reason, such as "slow node"',
    }

    job: TextOrNumber
    reason: Line
    account: Line = ""
    month: Annotated[str, made(read_month)] = ""
    percent: Percent | None = None
    amount: Amount | None = None

    def __post_init__(self) -> None:
        if not self.reason:
            raise DocumentError("is empty", "say why", at=("reason",))
        given = [name for name in ("percent", "amount") if getattr(self, name) is not None]
        if len(given) != 1:
            problem = "has both percent and amount" if given else "has neither percent nor amount"
            raise DocumentError(problem, "give one of them", at=("job",))
        if not getattr(self, given[0]):
            raise DocumentError("gives nothing back", "give more than 0", at=tuple(given))
        if self.amount and not self.month:
            raise DocumentError("has no month", "add the month of the invoice", at=("amount",))


@dataclass(frozen=True)
class Adjustments(DocumentTable):
    """A file of adjustments.

    Attributes
    ----------
    adjust : tuple of Adjustment
        In the order of the file.
    """

    adjust: tuple[Adjustment, ...] = ()


class BilledJob(NamedTuple):
    """A job of a month's bill, or one part of a heterogeneous job.

    Attributes
    ----------
    name : str
        As Slurm prints it.
    account : str
        Account on the invoice.
    reference : str
        Of the job in the ledger.
    net, tax : int
        Minor units of the bill.
    """

    name: str
    account: str
    reference: str
    net: int
    tax: int

    @property
    def cost(self) -> int:
        """Amount of the job, tax included."""
        return self.net + self.tax


class ExactCredit(NamedTuple):
    """Exact amount that one adjustment gives back of one job.

    Attributes
    ----------
    key : str
        Of the adjustment.
    job : BilledJob
        The job.
    net, tax : Fraction
        Minor units of the bill.
    reason : str
        Reason.
    """

    key: str
    job: BilledJob
    net: Fraction
    tax: Fraction
    reason: str


class MonthAdjustments(NamedTuple):
    """Adjustments of a month.

    Attributes
    ----------
    credits : tuple of ExactCredit
        In the order of the file.
    elsewhere : tuple of Adjustment
        Those of other months, or of jobs that the month does not have.
    """

    credits: tuple[ExactCredit, ...] = ()
    elsewhere: tuple[Adjustment, ...] = ()

    def of(self, account: str) -> list[ExactCredit]:
        """Return the credits of an account."""
        return [each for each in self.credits if each.job.account == account]


class AdjustedMonth(NamedTuple):
    """A month's jobs as adjustments name them.

    Attributes
    ----------
    month : str
        ``YYYY-MM``.
    jobs : sequence of BilledJob
        All jobs of the bill.
    decimals : int
        Of the minor unit.
    """

    month: str
    jobs: Sequence[BilledJob]
    decimals: int

    def read(self, file: Path) -> MonthAdjustments:
        """Return the adjustments of the month; none where there is no file.

        Raises
        ------
        InputError
            The file cannot be used: the message has the line. A job named with the month is not
            there, or is one of several; or more is given back than a job cost.
        """
        if not file.exists():
            return MonthAdjustments()
        return read_document(Adjustments, file, KIND, self.resolved)

    def resolved(self, document: Adjustments) -> MonthAdjustments:
        """Return what adjustments give back of the month's jobs.

        Raises
        ------
        DocumentError
            As by `read`.
        """
        left = {job.reference: Fraction(job.cost) for job in self.jobs}
        seen, by_name = Counter[tuple[str, ...]](), self._by_name
        found: list[ExactCredit] = []
        elsewhere = []
        for place, one in enumerate(document.adjust):
            try:
                mine = self._named(one, by_name)
                given = list(self._credits(one, mine, seen)) if mine else []
                self._take(given, mine, left)
            except DocumentError as fault:
                steps = ("adjust", place, *fault.at)
                raise DocumentError(fault.message, fault.remedy, at=steps) from None
            found += given
            elsewhere += [] if given else [one]
        return MonthAdjustments(tuple(found), tuple(elsewhere))

    def _take(
        self, given: Sequence[ExactCredit], mine: Sequence[BilledJob], left: dict[str, Fraction]
    ) -> None:
        """Take credits off what is left of a job's cost."""
        before = round(sum((left[job.reference] for job in mine), Fraction(0)))
        for credit in given:
            left[credit.job.reference] -= credit.net + credit.tax
            if left[credit.job.reference] < 0:
                cost, rest = (
                    plain(in_currency(units, self.decimals))
                    for units in (sum(job.cost for job in mine), before)
                )
                problem = f"more is given back of {credit.job.name} than the {cost} that it cost"
                if rest != cost:
                    problem += f", of which {rest} are left"
                raise DocumentError(problem, "lower it, or leave it out", at=("job",))

    @property
    def _by_name(self) -> Mapping[str, list[BilledJob]]:
        by_name: dict[str, list[BilledJob]] = {}
        for job in self.jobs:
            for name in {job.name, *_shorter(job.name)}:
                by_name.setdefault(name, []).append(job)
        return by_name

    def _unknown(self, one: Adjustment, named: Sequence[BilledJob]) -> DocumentError:
        if named:
            accounts = " or ".join(sorted({job.account for job in named}))
            return DocumentError(
                f"{one.job} is no job of {one.account}", f"name {accounts}", at=("account",)
            )
        return DocumentError(
            f"no job {one.job} is billed in {self.month}",
            "name it as Slurm prints it, such as 102_1; look at month",
            at=("job",),
        )

    def _named(self, one: Adjustment, by_name: Mapping[str, list[BilledJob]]) -> list[BilledJob]:
        """Return the parts of the job that an adjustment names; none where it may be elsewhere."""
        if one.month not in ("", self.month):
            return []
        named = by_name.get(one.job, [])
        mine = [job for job in named if one.account in ("", job.account)]
        if not mine and (one.month or named):
            raise self._unknown(one, named)
        if mine:
            _require_one(one, mine)
        return mine

    def _credits(
        self, one: Adjustment, mine: Sequence[BilledJob], seen: Counter[tuple[str, ...]]
    ) -> Iterator[ExactCredit]:
        """Yield what an adjustment gives back of each part of a job."""
        cost = sum(job.cost for job in mine)
        if cost <= 0:
            raise DocumentError(f"{one.job} cost nothing", "leave it out", at=("job",))
        said = self.month, mine[0].reference, str(one.percent), str(one.amount), one.reason
        key = digest_of([*said, seen[said]])
        seen[said] += 1
        units = self._units(one.amount)
        share = (one.percent or 0) / Fraction(100) if units is None else Fraction(units, cost)
        for job in mine:
            if not job.cost:
                continue
            yield ExactCredit(key, job, job.net * share, job.tax * share, one.reason)

    def _units(self, amount: Fraction | None) -> int | None:
        """Return an amount in minor units; None if there is none."""
        units = (amount or Fraction(0)) * 10**self.decimals
        if units.denominator != 1:
            problem = f"has more than {self.decimals} decimals"
            raise DocumentError(problem, "round it to the currency", at=("amount",))
        return None if amount is None else int(units)


def digest_of(content: object) -> str:
    """Return a short digest of what JSON can say."""
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:DIGITS]


def _shorter(name: str) -> Iterator[str]:
    """Yield a name without the part of the job, without the run, too, and that of the array.

    >>> [*_shorter("102+1 (run 2)")], [*_shorter("103_7")]
    (['102 (run 2)', '102', '102'], ['103_7', '103_7', '103'])
    """
    found = _NAME.fullmatch(name)
    assert found  # any text is a name
    task = f"{found['job']}{found['task'] or ''}"
    yield f"{task}{found['run'] or ''}"
    yield task
    yield found["job"]


def _require_one(one: Adjustment, mine: Sequence[BilledJob]) -> None:
    """Refuse a name that is that of several runs or jobs."""
    runs = dict.fromkeys(next(_shorter(job.name)) for job in mine)
    is_array = not any(one.job in [*_shorter(job.name)][:2] for job in mine)
    if len(runs) > 1 and not is_array:
        choices = ", ".join(f'"{name}"' for name in runs)
        raise DocumentError(f"{one.job} ran more than once", f"name {choices}", at=("job",))
    accounts = sorted({job.account for job in mine})
    if len(accounts) > 1:
        problem = f"{one.job} is a job of several accounts"
        raise DocumentError(problem, f"name account, too: {', '.join(accounts)}", at=("job",))
    if len({job.name for job in mine}) < len(mine):
        problem = f"{one.job} is the name of {len(mine)} jobs of {accounts[0]}"
        raise DocumentError(problem, "refund it by utilitysched ledger refund", at=("job",))


def rounded_credits(
    pending: Sequence[ExactCredit], left: Mapping[str, tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return net and tax of each credit; what an adjustment gives back is rounded once.

    Its net sum is, too, and its tax is the rest; what rounding takes from the parts of a job is
    spread over them, largest remainder first. So a document gives back what was announced.

    Parameters
    ----------
    pending : sequence of ExactCredit
        Credits, those of an adjustment one after the other.
    left : mapping of str to (int, int)
        Net and tax that are left of each job, by reference: no credit is above them.
    """
    units, remaining = [], dict(left)
    for _, group in groupby(pending, key=lambda credit: credit.key):
        mine = list(group)
        nets, exact = rounded([one.net for one in mine]).tolist(), [one.tax for one in mine]
        whole = round(sum((one.net + one.tax for one in mine), Fraction(0)))
        taxes = in_units(exact, 0, whole - sum(nets)).tolist()
        for credit, net, tax in zip(mine, nets, taxes, strict=True):
            most_net, most_tax = remaining[credit.job.reference]
            amount = min(net + tax, most_net + most_tax)
            given = min(max(net, amount - most_tax), most_net)
            remaining[credit.job.reference] = most_net - given, most_tax - (amount - given)
            units.append((given, amount - given))
    return units


def append_adjustment(file: Path, one: Adjustment, month: AdjustedMonth) -> bool:
    """Write an adjustment at the end of a file; return False if the file has it already.

    Parameters
    ----------
    file : Path
        File of adjustments, made if need be.
    one : Adjustment
        The adjustment.
    month : AdjustedMonth
        Jobs of the month that it is about.

    Raises
    ------
    InputError
        As by `AdjustedMonth.read`; the file is as it was then.
    """
    month.read(file)  # what is there already has to be right
    before = read_document(Adjustments, file, KIND).adjust if file.exists() else ()
    if one in before:
        return False
    try:
        month.resolved(Adjustments((*before, one)))
    except DocumentError as fault:
        raise InputError(fault.message, field=str(fault.at[-1]), remedy=fault.remedy) from None
    text = file.read_text("utf-8") if file.exists() else ""
    break_ = "\n" if text and not text.endswith("\n") else ""
    write_whole(file, f"{text}{break_}{_table(one)}")
    return True


def _table(one: Adjustment) -> str:
    """Return an adjustment as a table of TOML, whose texts are written as those of JSON."""
    texts = {"job": one.job, "account": one.account, "month": one.month, "reason": one.reason}
    numbers = {"percent": one.percent, "amount": one.amount}
    lines = [
        f"{key} = {json.dumps(text, ensure_ascii=False)}" for key, text in texts.items() if text
    ]
    lines += [f"{key} = {in_decimals(each)}" for key, each in numbers.items() if each is not None]
    return "\n".join(["[[adjust]]", *lines]) + "\n"
