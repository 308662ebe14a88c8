from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from utilitysched_centre.accounts import (
    Account,
    ledger_name,
    mapped_names,
    payer_name,
    read_account,
    read_payer,
)


@pytest.mark.parametrize(
    ("account", "name"),
    [
        (Account("user", "7"), "user 7"),
        (Account("user", "-1"), "user unknown"),
        (Account("group", "3"), "group 3"),
        (Account("user", "ann"), "user ann"),
        (Account("user", "-bob"), "user -bob"),
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


ODD = (
    "ice: snow",
    "007",
    "\u0667",
    "a\u202eb",
    "\u200b",
    "",
    " ",
    "x" * 65,
    "a\udcffb",
    "e\u200b\u0301",
)


@pytest.mark.parametrize("name", ODD)
def test_names_that_no_account_can_have_are_mapped(name: str) -> None:
    mapped = ledger_name(name)

    assert re.fullmatch("[^:]{0,55}~[0-9a-f]{8}", mapped)
    assert read_account(f"user:{mapped}") == Account("user", mapped)
    assert read_payer(name) == Account("project", mapped)
    assert mapped_names(["physics", name]) == {name: mapped}


def test_mapped_names_are_recognisable_and_differ() -> None:
    assert [ledger_name(name)[:-8] for name in ODD[:4]] == ["ice snow~", "007~", "\u0667~", "ab~"]
    assert len({ledger_name(name) for name in (*ODD, "ice snow", "ab", "ab\u202e")}) == len(ODD) + 3


@given(st.text())
def test_any_name_has_one_that_a_ledger_can_hold(name: str) -> None:
    mapped = ledger_name(name)

    assert read_account(f"group:{mapped}").name == mapped == ledger_name(mapped)
    assert read_payer(payer_name(Account("user", mapped))).name in {mapped, "-1"}
