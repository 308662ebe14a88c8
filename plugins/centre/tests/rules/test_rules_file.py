from __future__ import annotations

from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest

from swfx import InputError
from utilitysched_centre.rules.rules import (
    Accounts,
    Allowance,
    Centre,
    Currency,
    Discount,
    IdleWake,
    InvoiceTerms,
    JobSelection,
    Rules,
    Tax,
    read_rules,
)

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
    assert rules.quantity.combine == "sum"
    assert rules == Rules(
        quantity=rules.quantity,
        idle_wake=IdleWake(64, Fraction(1, 2)),
        minimum_charge=Fraction(1, 10),
        status={"failed": Fraction(0), "cancelled": Fraction(50), "requeued": Fraction(25, 2)},
        exempt=JobSelection(users=frozenset({1, 2}), accounts=frozenset({"staff"})),
        discount=(
            Discount(name="night", percent=Fraction(20), queues=frozenset({4})),
            Discount(name="pioneers", percent=Fraction(5), groups=frozenset({3})),
        ),
        allowance=Allowance(Fraction(100)),
        currency=Currency("EUR", Fraction(3, 100), 3),
        tax=Tax("VAT", Fraction(19)),
        accounts=Accounts({7: "physics", 8: "ice, and snow"}),
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
        ("[quantity]\ncombine = 'sum'", ":2: field quantity.combine: says nothing without weights"),
        ("[quantity]\nabsent = ['x']", ":2: field quantity.absent: says nothing without weights"),
        (
            "[quantity]\nabsent = ['GRES/gpu']\nweights = 'CPU=1'",
            ":2: field quantity.absent: gres/gpu has no weight",
        ),
        ("[quantity]\nweights = 'CPU'", ":2: field quantity.weights: 'CPU' is not RESOURCE=WEIGHT"),
        ("[idle_wake]\nwidth = 4", ":1: field idle_wake: rate is missing; add rate"),
        ("[idle_wake]\nrate = 1\nwidth = 0", ":3: field idle_wake.width: 0 is out of range"),
        ("[status]\ncompleted = 3", ":2: field status.completed: is not a known key"),
        ("[status]\n\nfailed = 101", ":3: field status.failed: 101 is out of range; give at most"),
        ("[state]\nNODEFAIL = 0", ":2: field state.NODEFAIL: 'NODEFAIL' is not known; did you"),
        ("[exempt]", ":1: field exempt: names nobody"),
        ("[exempt]\nusers = [1.5]", ":2: field exempt.users[0]: is neither a name nor a number"),
        ('[exempt]\naccounts = ["\\u001b"]', ":2: field exempt.accounts[0]: has more than one"),
        ("[[discount]]\npercent = 3", ":1: field discount[0]: name is missing"),
        ("[[discount]]\nname = 'a'\npercent = -1", ":3: field discount[0].percent: -1 is out of"),
        ("[allowance]", ":1: field allowance: monthly is missing"),
        ("[currency]\ncode='EUR'\nrate=1\ndecimals=7", ":4: field currency.decimals: 7 is out of"),
        ("[tax]\nname = 'VAT'\npercent = nan", ":3: field tax.percent: nan"),
        (f"minimum_charge = 1{'0' * 400}", ":1: field minimum_charge: a number of hundreds of"),
        ("minimum_charge = 1e13", ":1: field minimum_charge: 10000000000000 is out of range; give"),
        ('[tax]\nname = "a\\nb"\npercent = 1', ":2: field tax.name: has more than one line"),
        (
            "[invoice]\nprefix = 'HPC-'",
            ":2: field invoice.prefix: 'HPC-' does not fit into payment references; use letters",
        ),
        (
            "[invoice]\nissued = '2026-11-03'",
            ":2: field invoice.issued: is no date; write 2026-11-03, without quotation marks",
        ),
        ("[invoice]\ndays = 400", ":2: field invoice.days: 400 is out of range; give at most 366"),
        (
            f"[centre]\nname = '{'a' * 65}'",
            ":2: field centre.name: has 65 characters; give up to 64",
        ),
        (
            "[centre]\nname = 'a'\naddress = ['a', 'b', 'c', 'd', 'e', 'f']",
            ":3: field centre.address: has 6 lines",
        ),
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
        ("user,account\n1,\n", "accounts.csv:2: field account: is no name of up to 64"),
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
    assert rules.account_of_user == {7: "physics"}
