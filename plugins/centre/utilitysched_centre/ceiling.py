"""Claims of a ledger on the payers of a run at most, before there is a bill."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from pricing.ceilings import ceilings
from utilitysched.runs.stored import read_run
from utilitysched_centre.accounts import Claims, Money, at_most, at_most_invoiced, read_month
from utilitysched_centre.accounts.claims import require_counted
from utilitysched_centre.rules import most, read_rules
from utilitysched_centre.rules.rules import SU


class Ceiling(NamedTuple):
    """What jobs can be charged at most.

    Attributes
    ----------
    mechanism : str
        Name and options.
    cap : bool
        Charge no job more than it turned out to be worth.
    rules : Path, optional
        What the centre makes of the charges.
    """

    mechanism: str
    cap: bool = False
    rules: Path | None = None


def claims_at_most(
    directory: Path, ceiling: Ceiling, money: Money, *, month: str | None = None
) -> Claims:
    """Return what the jobs of a run can come to cost.

    Parameters
    ----------
    directory : Path
        Of one run.
    ceiling : Ceiling
        By what they are charged.
    money : Money
        What the ledger counts in.
    month : str, optional
        To which all entries belong, YYYY-MM; default: that of each job.

    Raises
    ------
    InputError
        There is no run; the mechanism has no limit; the ledger counts in something else.
    """
    when = read_month(month) if month else None
    jobs = read_run(directory).workload
    if ceiling.rules:
        rules = read_rules(ceiling.rules)
        highest = most(jobs, ceiling.mechanism, rules, cap=ceiling.cap, finest=money.decimals)
        return at_most_invoiced(jobs, highest, money, month=when)
    require_counted(SU, 0, money)
    return at_most(jobs, ceilings(jobs, ceiling.mechanism, cap=ceiling.cap), money, month=when)
