"""Which entries are refused for want of funds, on balances given by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from utilitysched_centre.accounts import Account, Money, OverdraftError
from utilitysched_centre.accounts.journal import Entry
from utilitysched_centre.accounts.overdraft import require_funds

AVAILABLE, HELD, INCOME, FREE = 1, 2, 3, 4
PAYER = Account("user", "7")


def entry(debit: int, credit: int, units: int) -> Entry:
    return Entry("charge", debit, credit, units, "2000-06", "a", 1)


def post(balance: int, limit: int | None, *rows: Entry) -> None:
    sums: Any = SimpleNamespace(balance={AVAILABLE: balance, HELD: 30}.__getitem__)
    parts = SimpleNamespace(available=AVAILABLE, held=HELD)
    chart: Any = SimpleNamespace(
        limits={AVAILABLE: limit, HELD: 0, INCOME: None, FREE: None},
        accounts={AVAILABLE: PAYER, HELD: PAYER},
        find=lambda _: parts,
    )
    require_funds(sums, chart, Money("SU", 2), rows)


def test_an_account_is_spent_to_its_limit_and_no_further() -> None:
    post(100, 50, entry(AVAILABLE, INCOME, 150))
    post(100, None, entry(AVAILABLE, INCOME, 10**9))

    with pytest.raises(OverdraftError) as refused:
        post(100, 50, entry(AVAILABLE, INCOME, 151))

    assert str(refused.value) == (
        "user:7 has 1.00 SU (0.30 SU held besides, credit limit 0.50 SU) and needs 1.51 SU: "
        "0.01 SU missing; endow the account, or raise its limit: utilitysched ledger endow, limit"
    )


def test_what_takes_nothing_is_not_refused_where_a_limit_was_passed() -> None:
    both = entry(AVAILABLE, INCOME, 20), entry(FREE, AVAILABLE, 20)

    post(-80, 50, *both)
    post(-80, 50, entry(FREE, AVAILABLE, 20))
    with pytest.raises(OverdraftError, match=r"has -0.80 SU .* needs 0.01 SU: 0.31 SU missing"):
        post(-80, 50, *both, entry(AVAILABLE, INCOME, 1))
