from __future__ import annotations

import pytest

from swfx import InputError
from utilitysched_centre.accounts import Account, payer_name, read_payer


@pytest.mark.parametrize(
    ("account", "name"),
    [
        (Account("user", "7"), "user 7"),
        (Account("user", "-1"), "user unknown"),
        (Account("group", "3"), "group 3"),
        (Account("user", "ann"), "user ann"),
        (Account("project", "climate"), "climate"),
        (Account("project", "ice and snow"), "ice and snow"),
        (Account("account", "physics"), "account physics"),
        (Account("project", "user 7"), "project user 7"),
    ],
)
def test_names_go_there_and_back(account: Account, name: str) -> None:
    assert payer_name(account) == name
    assert read_payer(name) == account


def test_accounts_and_projects_are_called_alike() -> None:
    account = Account("account", "physics")

    assert payer_name(account, "account") == payer_name(Account("project", "physics")) == "physics"
    assert read_payer("physics", "account") == account
    assert payer_name(Account("project", "physics"), "account") == "project physics"


def test_a_name_that_no_account_can_have() -> None:
    for name in ("ice: snow", "007", "user 007", "user \u0667"):
        with pytest.raises(InputError, match=f"a ledger can have no account {name!r}; give it a n"):
            read_payer(name)
