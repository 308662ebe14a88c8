"""Names of accounts."""

from __future__ import annotations

import pytest

from pricing.accounts import Account, read_account
from swfx import InputError


def test_kind_and_name() -> None:
    assert read_account("user:-1") == Account("user", "-1")
    assert str(Account("project", "climate")) == "project:climate"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("7", "'7' is not KIND:NAME; write for instance user:7"),
        ("user:", "'user:' is not KIND:NAME"),
        ("user:a b", "is not KIND:NAME"),
        ("user:a:b", "is not KIND:NAME"),
        ("user:" + "x" * 65, "is not KIND:NAME"),
        ("usr:7", "no accounts of kind 'usr'; did you mean 'user'? known: group, project, user"),
        ("centre:income", "no accounts of kind 'centre'"),
    ],
)
def test_what_is_no_account_is_refused(text: str, said: str) -> None:
    with pytest.raises(InputError, match="field account: ") as refusal:
        read_account(text)

    assert said in str(refusal.value)
