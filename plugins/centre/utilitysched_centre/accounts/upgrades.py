"""Versions of the schema: which one a database has, and how it gets the present one."""

from __future__ import annotations

from pathlib import Path

from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext, MigrationStep, RevisionStep
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from swfx import InputError
from utilitysched_centre.accounts.database import Database
from utilitysched_centre.accounts.schema import METADATA

VERSIONS = ScriptDirectory(str(Path(__file__).with_name("migrations")))

HEAD = str(VERSIONS.get_current_head())
"""Version that this program reads and writes."""

VERSION_TABLE = "ledger_version"


def version(connection: Connection) -> str | None:
    """Return the version of the schema; None where there is none."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    found = connection.scalar(text(f"SELECT version_num FROM {VERSION_TABLE}"))
    return None if found is None else str(found)


def require_head(connection: Connection, database: Database) -> None:
    """Refuse a database without ledger, or with one of another version.

    Raises
    ------
    InputError
        Says how to get on.
    """
    found = version(connection)
    if found is None:
        raise no_ledger(database)
    if found != HEAD:
        raise _other_version(found, database)


def no_ledger(database: Database) -> InputError:
    """Return the refusal of a database without a ledger."""
    return InputError(
        "there is no ledger",
        source=database.source,
        remedy=f"make one with: utilitysched ledger init {database.source}",
    )


def migrate(connection: Connection, to: str = HEAD) -> None:
    """Take all steps from the database's version up to another.

    Raises
    ------
    InputError
        The database has a table of ours without being a ledger.
    """
    found = version(connection)
    strange = set(inspect(connection).get_table_names()) & set(METADATA.tables)
    if found is None and strange:
        raise InputError(f"the database has a table {min(strange)!r} that is not a ledger's")
    context = MigrationContext.configure(
        connection, opts={"version_table": VERSION_TABLE, "fn": lambda *_: _steps(found, to)}
    )
    with Operations.context(context):
        context.run_migrations()


def _steps(found: str | None, to: str) -> list[MigrationStep]:
    path = list(VERSIONS.iterate_revisions(to, found or "base"))
    steps: list[MigrationStep] = [
        RevisionStep(VERSIONS.revision_map, script, is_upgrade=True) for script in reversed(path)
    ]
    return steps


def is_known(found: str) -> bool:
    """Return whether this program has the steps from that version on."""
    return found in {script.revision for script in VERSIONS.walk_revisions()}


def _other_version(found: str, database: Database) -> InputError:
    if is_known(found):
        return InputError(
            f"the ledger has version {found}, this program needs {HEAD}",
            source=database.source,
            remedy=f"copy it, then: utilitysched ledger upgrade {database.source}",
        )
    return newer(found, database)


def newer(found: str, database: Database) -> InputError:
    """Return the refusal of a ledger that a newer program has made."""
    return InputError(
        f"the ledger has version {found}, this program knows them up to {HEAD}",
        source=database.source,
        remedy="use a newer utilitysched",
    )
