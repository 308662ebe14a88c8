from __future__ import annotations

import pytest

from pricing.accounts import Account, payer_name, read_payer
from swfx import InputError


@pytest.mark.parametrize(
    ("account", "name"),
    [
        (Account("user", "7"), "user 7"),
        (Account("user", "-1"), "user unknown"),
        (Account("group", "3"), "group 3"),
        (Account("user", "ann"), "user ann"),
        (Account("project", "climate"), "climate"),
    ],
)
def test_names_go_there_and_back(account: Account, name: str) -> None:
    assert payer_name(account) == name
    assert read_payer(name) == account


def test_a_name_that_no_account_can_have() -> None:
    with pytest.raises(InputError, match="a ledger can have no account 'ice and snow'; give it a"):
        read_payer("ice and snow")
