"""Making ledgers."""

from __future__ import annotations

from pathlib import Path

from swfx import InputError
from utilitysched_centre.accounts import journal, periods
from utilitysched_centre.accounts.chart import Chart
from utilitysched_centre.accounts.database import Database
from utilitysched_centre.accounts.journal import Heading
from utilitysched_centre.accounts.schema import make_tables, version
from utilitysched_centre.accounts.terms import Terms, require_usable, write_terms


def create(location: str | Path, terms: Terms | None = None, *, key: bytes | None = None) -> None:
    """Make a ledger.

    Parameters
    ----------
    location : str or Path
        File that does not exist, or ``postgresql://USER@HOST/DATABASE``.
    terms : Terms, optional
        What it counts in, who pays, and how late.
    key : bytes, optional
        That seals are made with from the first on; whoever writes needs it.

    Raises
    ------
    InputError
        There is one, it cannot be made, or the terms are of no use.
    """
    terms = terms or Terms()
    require_usable(terms)
    database = Database(location)
    try:
        with database.writing() as connection:
            if version(connection) is not None:
                raise InputError("there is a ledger already", source=database.source)
            make_tables(connection)
            now = periods.instant(periods.now())
            chart = Chart(connection, terms.payer, terms.credit_limit, now)
            write_terms(chart, terms, now, key)
            chart.open_centre()
            journal.post(connection, Heading("open", "open", "", now), [], key)
    finally:
        database.close()
