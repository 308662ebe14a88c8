"""Bills: what the jobs of a run owe, charged at once and once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection

from pricing.accounts import journal, moves
from pricing.accounts.claims import Claims, require_payable
from pricing.accounts.reconciliation import require_equal
from pricing.accounts.standing import standing
from pricing.accounts.transaction import Posted, Transaction


@contextmanager
def posting(ledger: Transaction, claims: Claims, memo: str) -> Iterator[Posted]:
    """Charge the jobs of a run when the block ends, if it does without an exception."""
    require_payable(claims)
    key, before = unused(ledger.connection, _key(claims))
    if before is not None:
        require_equal(ledger, claims, before)
        yield Posted(before, new=False, entries=len(claims.jobs))
        return
    references = [job.reference for job in claims.jobs]
    stands = standing(ledger.connection, ledger.chart, references)
    entries = [entry for job in claims.jobs for entry in moves.charge(ledger.chart, job, stands)]
    ledger.require_possible(entries)
    number, _ = journal.last(ledger.connection)
    yield Posted(number + 1, new=True, entries=len(entries))
    posted = ledger.store(ledger.heading("charge", key, memo or claims.mechanism), entries)
    require_equal(ledger, claims, posted.number)


def posted_as(connection: Connection, claims: Claims) -> int | None:
    """Return the number of the posting that charges these claims, if one does."""
    return unused(connection, _key(claims))[1]


def unused(connection: Connection, key: str) -> tuple[str, int | None]:
    """Return a key for what may have been posted and undone, or the posting that still counts."""
    candidate, times = key, 0
    while (found := journal.known(connection, candidate)) is not None:
        if journal.undone(connection, found.id) is None:
            return candidate, int(found.id)
        times += 1
        candidate = f"{key}:{times}"
    return candidate, None


def _key(claims: Claims) -> str:
    return f"charge:{claims.digest()}"
