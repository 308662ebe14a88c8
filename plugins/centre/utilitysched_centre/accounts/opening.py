"""Making ledgers, and bringing them up to date."""

from __future__ import annotations

from pathlib import Path

from swfx import InputError
from utilitysched_centre.accounts import journal, periods
from utilitysched_centre.accounts.chart import Chart
from utilitysched_centre.accounts.database import Database
from utilitysched_centre.accounts.journal import Heading
from utilitysched_centre.accounts.terms import Terms, require_usable, write_terms
from utilitysched_centre.accounts.upgrades import HEAD, is_known, migrate, newer, no_ledger, version


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
            migrate(connection)
            now = periods.instant(periods.now())
            chart = Chart(connection, terms.payer, terms.credit_limit, now)
            write_terms(chart, terms, now, key)
            chart.open_centre()
            journal.post(connection, Heading("open", "open", "", now), [], key)
    finally:
        database.close()


def upgrade(location: str | Path) -> tuple[str, str]:
    """Bring a ledger's schema to the version that this program needs.

    Returns
    -------
    str, str
        The version that it had, and the one that it has.

    Raises
    ------
    InputError
        There is no ledger, or a newer program has made it.
    """
    database = Database(location)
    try:
        if database.is_missing_file:
            raise no_ledger(database)
        with database.writing() as connection:
            found = version(connection)
            if found is None:
                raise no_ledger(database)
            if not is_known(found):
                raise newer(found, database)
            migrate(connection)
            if journal.laid_down(connection, journal.next_number(connection)):
                now = periods.instant(periods.now())  # seal what earlier versions did not
                heading = Heading("upgrade", f"upgrade:{found}", "", now)
                journal.post(connection, heading, [], None)
        return found, HEAD
    finally:
        database.close()
