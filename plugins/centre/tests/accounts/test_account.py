"""Names of accounts."""

from __future__ import annotations

import pytest

from swfx import InputError
from utilitysched_centre.accounts import Account, read_account


def test_kind_and_name() -> None:
    assert read_account("user:-1") == Account("user", "-1")
    assert str(Account("project", "climate")) == "project:climate"


@pytest.mark.parametrize("name", ["physics", "high energy", "x7", "7a", "\u0394\u03b7", "-1"])
def test_labels_name_accounts(name: str) -> None:
    assert read_account(f"account:{name}") == Account("account", name)


def test_one_name_however_it_is_typed() -> None:
    assert read_account("project:Ame\u0301lie") == read_account("project:Am\u00e9lie")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("7", "'7' is not KIND:NAME; write for instance user:7"),
        ("user:", "'user:' is not KIND:NAME"),
        ("user: a", "is not KIND:NAME"),
        ("user:a ", "is not KIND:NAME"),
        ("user:a\u200bb", "holds characters that cannot be seen; type it anew"),
        ("user:a\u202eb", "holds characters that cannot be seen"),
        ("user:a\nb", "holds characters that cannot be seen"),
        ("user:007", "'user:007' is not how a number is written; write user:7, if that is who"),
        ("user:\u0667", "is not how a number is written; write user:7, if that is who is meant"),
        ("user:\uff17", "is not how a number is written; write user:7"),
        ("user:+7", "is not how a number is written; write user:7"),
        ("user:1_0", "is not how a number is written; write user:10"),
        ("group:-0", "is not how a number is written; write group:0"),
        ("project:\u0661\u0662", "is not how a number is written; write project:12"),
        ("user:a:b", "is not KIND:NAME"),
        ("user:" + "x" * 65, "is not KIND:NAME"),
        (
            "usr:7",
            "no accounts of kind 'usr'; did you mean 'user'? known: account, group, project",
        ),
        ("centre:income", "no accounts of kind 'centre'"),
    ],
)
def test_what_is_no_account_is_refused(text: str, said: str) -> None:
    with pytest.raises(InputError, match="field account: ") as refusal:
        read_account(text)

    assert said in str(refusal.value)
