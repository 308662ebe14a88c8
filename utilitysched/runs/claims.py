"""What a ledger charges by the bill of a run."""

from pathlib import Path

import numpy as np

from pricing.accounts import Claims, Money
from pricing.accounts.claims import claims_of, in_units
from pricing.ledger import Ledger
from utilitysched.runs.charges_csv import CHARGES_FILE, bill_rows, billed_positions
from utilitysched.runs.stored import read_run


def read_claims(directory: Path, money: Money, *, month: str | None = None) -> Claims:
    """Read the bill in a run's directory as what a ledger charges.

    They are the claims that `pricing.accounts.charged` makes of the same bill.

    Parameters
    ----------
    directory : Path
        Of one run, with its charges.csv.
    money : Money
        What the ledger counts in.
    month : str, optional
        To which all entries belong; default: that of each line.

    Raises
    ------
    InputError
        There is no run, or no bill of it.
    """
    run = read_run(directory)
    path = directory / CHARGES_FILE
    rows = bill_rows(path)
    jobs = run.workload[billed_positions(rows, run.workload, run.start, path)]
    decimals = max((-int(row.charge.as_tuple().exponent) for row in rows), default=0)
    units = np.array([int(row.charge.scaleb(decimals)) for row in rows], dtype=np.int64)
    when = np.array([month or row.month for row in rows], dtype=np.str_)
    mechanism = rows[0].mechanism if rows else ""
    return Claims(mechanism, claims_of(jobs, when, in_units(Ledger(units, decimals), money)))
