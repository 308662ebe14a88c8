from __future__ import annotations

from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest

from swfx import InputError
from utilitysched_centre.rules.rules import (
    Centre,
    Currency,
    Discount,
    IdleWake,
    InvoiceTerms,
    JobSelection,
    Rules,
    Tax,
)
from utilitysched_centre.rules.rules_file import read_rules

WHOLE = """\
minimum_charge = 0.1
[quantity]
basis = "request"
minimum_minutes = 15
weights = "CPU=1.0,Mem=0.25G,GRES/gpu=2.0"
combine = "sum"
absent = ["GRES/gpu"]
[idle_wake]
width = 64
rate = 0.5
[status]
failed = 0
cancelled = 50
requeued = 12.5
[exempt]
users = [1, 2]
accounts = ["staff"]
[[discount]]
name = "night"
percent = 20
queues = [4]
[[discount]]
name = "pioneers"
percent = 5
groups = [3]
[allowance]
monthly = 100
[currency]
code = "EUR"
rate = 0.03
decimals = 3
[tax]
name = "VAT"
percent = 19
[accounts]
file = "accounts.csv"
[centre]
name = "Computing Centre"
address = ["1 Lattice Road", "Anytown"]
note = "Within 30 days, please."
[invoice]
prefix = "HPC"
issued = 2026-11-03
days = 14
contact = ["Ms Lovelace"]
pay_to = ["IBAN 1"]
tax_number = "DE1"
[invoice.recipients]
physics = ["2 Torus Street", "Anytown"]
"""


def test_every_rule(tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text(WHOLE, "utf-8")
    (tmp_path / "accounts.csv").write_text('user,account\n7,physics\n8,"ice, and snow"\n', "utf-8")

    rules = read_rules(tmp_path / "rules.toml")

    assert rules.quantity
    assert rules.quantity.weights
    assert rules.quantity.basis == "request"
    assert rules.quantity.minimum_minutes == Fraction(15)
    assert rules.quantity.weights.weights["cpu"] == Fraction(1)
    assert rules.quantity.weights.combine == "sum"
    assert rules == Rules(
        quantity=rules.quantity,
        idle_wake=IdleWake(64, Fraction(1, 2)),
        minimum_charge=Fraction(1, 10),
        status={"failed": Fraction(0), "cancelled": Fraction(50), "requeued": Fraction(25, 2)},
        exempt=JobSelection(users=frozenset({1, 2}), accounts=frozenset({"staff"})),
        discounts=(
            Discount("night", Fraction(20), JobSelection(queues=frozenset({4}))),
            Discount("pioneers", Fraction(5), JobSelection(groups=frozenset({3}))),
        ),
        allowance=Fraction(100),
        currency=Currency("EUR", Fraction(3, 100), 3),
        tax=Tax("VAT", Fraction(19)),
        accounts={7: "physics", 8: "ice, and snow"},
        centre=Centre("Computing Centre", ("1 Lattice Road", "Anytown"), "Within 30 days, please."),
        invoice=InvoiceTerms(
            "HPC",
            date(2026, 11, 3),
            14,
            ("Ms Lovelace",),
            ("IBAN 1",),
            "DE1",
            {"physics": ("2 Torus Street", "Anytown")},
        ),
    )


def test_an_empty_file_has_no_rules(tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text("", "utf-8")

    assert read_rules(tmp_path / "rules.toml") == Rules()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = 1", ":1: field a: is not a known key"),
        ("[quantity]\nbasis = 'used'", ":2: field quantity.basis: 'used' is not known"),
        (
            "[quantity]\nminimum_minutes = -1",
            ":2: field quantity.minimum_minutes: -1 is not from 0 to",
        ),
        ("[quantity]\ncombine = 'max'", ":2: field quantity.combine: says nothing without weights"),
        ("[quantity]\nabsent = ['x']", ":2: field quantity.absent: says nothing without weights"),
        ("[idle_wake]\nwidth = 4", ":1: field idle_wake: has no rate; add rate = ..."),
        ("[idle_wake]\nrate = 1\nwidth = 0", ":3: field idle_wake.width: 0 is out of range"),
        ("[status]\ncompleted = 3", ":2: field status.completed: is not a known key"),
        ("[status]\n\nfailed = 101", ":3: field status.failed: 101 is not from 0 to 100"),
        ("[exempt]", ":1: field exempt: names nobody"),
        ("[exempt]\nusers = [1.5]", ":2: field exempt.users[0]: is a number, not a whole number"),
        ("[[discount]]\npercent = 3", ":1: field discount[0]: has no name"),
        ("[allowance]", ":1: field allowance: has no monthly"),
        ("[currency]\ncode = 'EUR'", ":1: field currency: has no rate"),
        ("[currency]\ncode='EUR'\nrate=1\ndecimals=7", ":4: field currency.decimals: 7 is out of"),
        ("[tax]\nname = 'VAT'\npercent = nan", ":3: field tax.percent: nan is not from 0 to 1e+12"),
        (f"minimum_charge = 1{'0' * 400}", ":1: field minimum_charge: inf is not from 0 to 1e+12"),
        (f"minimum_charge = 1{'0' * 5000}", "rules.toml: has a value that is too large to be read"),
        (f"users = {'[' * 5000}", "rules.toml: has a value that is too large to be read"),
        ("[quantity]\nweights = 'CPU=1e9'", ":2: field quantity.weights: 'CPU=1e9' is not"),
        ("[quantity]\nweights = 'CPU=\u0663'", ":2: field quantity.weights: 'CPU=\u0663' is not"),
        (f"[quantity]\nweights = 'CPU={'9' * 5000}'", "is not RESOURCE=WEIGHT"),
        ('[tax]\nname = "a\\nb"\npercent = 1', ":2: field tax.name: has more than one line"),
        (
            "[invoice]\nprefix = 'HPC-'",
            ":2: field invoice.prefix: 'HPC-' does not fit into payment references; use letters",
        ),
        (
            "[invoice]\nissued = '2026-11-03'",
            ":2: field invoice.issued: is no date; write 2026-11-03, without quotation marks",
        ),
        ("[invoice]\ndays = 400", ":2: field invoice.days: 400 is out of range; give 0 to 366"),
        ("[centre]\nnote = 'a'", ":1: field centre: has no name; add name = ..."),
        (
            f"[centre]\nname = '{'a' * 65}'",
            ":2: field centre.name: has 65 characters; give up to 64",
        ),
        (
            "[centre]\nname = 'a'\naddress = ['a', 'b', 'c', 'd', 'e', 'f']",
            ":3: field centre.address: has 6 lines",
        ),
        ('[exempt]\naccounts = ["\\u001b"]', ":2: field exempt.accounts[0]: has more than one"),
        ('[accounts]\nfile = "a\\u0000b"', ":2: field accounts.file: has more than one line"),
        ("[accounts]\nfile = 'gone.csv'", "gone.csv: cannot be read: no such file"),
    ],
)
def test_rules_that_cannot_be_used(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "rules.toml").write_text(text, "utf-8")

    with pytest.raises(InputError) as error:
        read_rules(tmp_path / "rules.toml")

    assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("user;account\n", "accounts.csv:1: does not begin with the columns user,account"),
        ("user,account\n1\n", "accounts.csv:2: 1 cells for 2 columns; separate cells by commas"),
        ("user,account\n1,\n", "accounts.csv:2: is not USER,ACCOUNT"),
        ("user,account\n-1,a\n", "accounts.csv:2: field user: '-1' is no number, and no name"),
        (f"user,account\n{'9' * 5000},a\n", "999...' is no number"),
        ("user,account\n1,user 2\n", "accounts.csv:2: field account: 'user 2' is what those are"),
        ("user,account\n1,\x1b\n", "accounts.csv:2: field account: is no name of up to 64"),
        ("user,account\n1,a\n1,b\n", "accounts.csv:3: field user: 1 is named twice"),
    ],
)
def test_accounts_that_cannot_be_used(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "rules.toml").write_text("[accounts]\nfile = 'accounts.csv'", "utf-8")
    (tmp_path / "accounts.csv").write_text(text, "utf-8")

    with pytest.raises(InputError) as error:
        read_rules(tmp_path / "rules.toml")

    assert message in str(error.value)


def test_the_documented_file_is_read(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "rules.md").read_text("utf-8")
    (tmp_path / "rules.toml").write_text(page.split("```toml\n")[1].split("```")[0], "utf-8")
    (tmp_path / "accounts.csv").write_text("user,account\n7,physics\n", "utf-8")

    rules = read_rules(tmp_path / "rules.toml")

    assert rules.quantity
    assert rules.idle_wake == IdleWake(64, Fraction(1, 2))
    assert rules.accounts == {7: "physics"}
