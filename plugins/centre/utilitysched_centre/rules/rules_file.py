"""Rules from a TOML file, every mistake refused with its line."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import cast

from pricing.states import STATE_NAMES
from swfx import InputError
from swfx.base.csv_columns import read_columns
from swfx.base.toml_values import Node, read_toml
from utilitysched_centre.rules.account_of import is_own_name
from utilitysched_centre.rules.rules import (
    CANCELLED,
    DUE_DAYS,
    FAILED,
    REQUEUED,
    Basis,
    Centre,
    Currency,
    Discount,
    IdleWake,
    InvoiceTerms,
    JobSelection,
    Quantity,
    Rules,
    Tax,
)
from utilitysched_centre.rules.selection import SELECTED
from utilitysched_centre.rules.tres import Combine, ResourceWeights, read_weights

SECTIONS = (
    "quantity",
    "idle_wake",
    "minimum_charge",
    "status",
    "state",
    "exempt",
    "discount",
    "allowance",
    "currency",
    "tax",
    "accounts",
    "centre",
    "invoice",
)

STATUS_NAMES = (FAILED, CANCELLED, REQUEUED)

ACCOUNT_COLUMNS = ("user", "account")

MOST_DECIMALS = 6

LARGEST = 10**12
"""Of the numbers in a file of rules: sums of what they make then stay readable."""

MOST_DIGITS = 18
"""Of the number of a user."""

MOST_LINES = 5
"""Of an address, and of whom to ask and where to pay."""

LONGEST_PREFIX = 6
"""Characters before numbers of invoices: payment references hold 21 in all (ISO 11649)."""

MOST_DAYS = 366
"""Until an invoice is due."""

LONGEST_NOTE = 240
"""Characters at the foot of a statement."""

LONGEST = 64
"""Characters of a name in a file of rules."""


def read_rules(file: Path) -> Rules:
    """Read rules.

    Parameters
    ----------
    file : Path
        TOML; docs/rules.md has its keys.

    Raises
    ------
    InputError
        The file, or the list of accounts that it names, cannot be read; a key is unknown, or a
        value cannot be used.
    """
    top = read_toml(file, "a file of rules").table(SECTIONS)
    least, status, state = map(top.get, ("minimum_charge", "status", "state"))
    return Rules(
        quantity=_quantity(top["quantity"]) if "quantity" in top else None,
        idle_wake=_idle_wake(top["idle_wake"]) if "idle_wake" in top else None,
        minimum_charge=_number(least) if least else Fraction(0),
        status=(_shares(status, STATUS_NAMES) if status else {})
        | (_shares(state, STATE_NAMES) if state else {}),
        exempt=_exempt(top["exempt"]) if "exempt" in top else JobSelection(),
        discounts=tuple(map(_discount, top["discount"].items())) if "discount" in top else (),
        allowance=_allowance(top["allowance"]) if "allowance" in top else Fraction(0),
        currency=_currency(top["currency"]) if "currency" in top else None,
        tax=_tax(top["tax"]) if "tax" in top else None,
        accounts=_accounts(top["accounts"]) if "accounts" in top else {},
        centre=_centre(top["centre"]) if "centre" in top else None,
        invoice=_invoice(top["invoice"]) if "invoice" in top else InvoiceTerms(),
    )


def _quantity(node: Node) -> Quantity:
    table = node.table(("basis", "minimum_minutes", "weights", "combine", "absent"))
    basis, least = table.get("basis"), table.get("minimum_minutes")
    if "weights" not in table:
        for key in ("combine", "absent"):
            if key in table:
                table[key].refuse("says nothing without weights", "give weights, too")
    return Quantity(
        cast("Basis", basis.choice(("use", "request"))) if basis else "use",
        _number(least) if least else Fraction(0),
        _weights(table) if "weights" in table else None,
    )


def _weights(table: Mapping[str, Node]) -> ResourceWeights:
    combine, absent = table.get("combine"), table.get("absent")
    how = cast("Combine", combine.choice(("max", "sum"))) if combine else "max"
    names = [name.text() for name in absent.items()] if absent else []
    return table["weights"].made(lambda text: read_weights(text, combine=how, absent=names))[1]


def _idle_wake(node: Node) -> IdleWake:
    table = _whole_table(node, ("width", "rate"))
    return IdleWake(table["width"].whole(1), _number(table["rate"]))


def _shares(node: Node, names: tuple[str, ...]) -> dict[str, Fraction]:
    table = node.table(names)
    return {name: _percent(value) for name, value in table.items()}


def _exempt(node: Node) -> JobSelection:
    chosen = _selection(node.table(_SELECTING))
    if chosen.names_nobody:
        node.refuse("names nobody", f"name {', '.join(_SELECTING)}, or leave it out")
    return chosen


_SELECTING = (*SELECTED, "accounts")


def _selection(table: Mapping[str, Node]) -> JobSelection:
    chosen = {
        name: frozenset(map(_label_or_number, table[name].items()))
        for name in SELECTED
        if name in table
    }
    accounts = table["accounts"].items() if "accounts" in table else []
    return JobSelection(accounts=frozenset(map(_label, accounts)), **chosen)


def _label_or_number(node: Node) -> int | str:
    return _label(node) if isinstance(node.value, str) else node.whole(0)


def _discount(node: Node) -> Discount:
    table = node.table(("name", "percent", *_SELECTING))
    _need(node, table, ("name", "percent"))
    return Discount(_label(table["name"]), _percent(table["percent"]), _selection(table))


def _allowance(node: Node) -> Fraction:
    return _number(_whole_table(node, ("monthly",))["monthly"])


def _currency(node: Node) -> Currency:
    table = node.table(("code", "rate", "decimals"))
    _need(node, table, ("code", "rate"))
    decimals = table["decimals"].whole(0) if "decimals" in table else 2
    if decimals > MOST_DECIMALS:
        table["decimals"].refuse(f"{decimals} is out of range", f"give 0 to {MOST_DECIMALS}")
    return Currency(_label(table["code"]), _number(table["rate"]), decimals)


def _tax(node: Node) -> Tax:
    table = _whole_table(node, ("name", "percent"))
    return Tax(_label(table["name"]), _number(table["percent"]))


def _centre(node: Node) -> Centre:
    table = node.table(("name", "address", "note"))
    _need(node, table, ("name",))
    note = _label(table["note"], longest=LONGEST_NOTE) if "note" in table else ""
    return Centre(_label(table["name"]), _lines(table.get("address")), note)


def _lines(node: Node | None) -> tuple[str, ...]:
    """Return the lines of an address or the like; none without."""
    if node is None:
        return ()
    if len(found := node.items()) > MOST_LINES:
        node.refuse(f"has {len(found)} lines", f"give up to {MOST_LINES}")
    return tuple(map(_label, found))


def _invoice(node: Node) -> InvoiceTerms:
    keys = ("prefix", "issued", "days", "contact", "pay_to", "tax_number", "recipients")
    table = node.table(keys)
    days = table["days"].whole(0) if "days" in table else DUE_DAYS
    if days > MOST_DAYS:
        table["days"].refuse(f"{days} is out of range", f"give 0 to {MOST_DAYS}")
    whom = table["recipients"].table(table["recipients"].value) if "recipients" in table else {}
    return InvoiceTerms(
        _prefix(table["prefix"]) if "prefix" in table else "",
        _date(table["issued"]) if "issued" in table else None,
        days,
        _lines(table.get("contact")),
        _lines(table.get("pay_to")),
        _label(table["tax_number"]) if "tax_number" in table else "",
        {name: _lines(lines) for name, lines in whom.items()},
    )


def _prefix(node: Node) -> str:
    text = _label(node, LONGEST_PREFIX)
    if not re.fullmatch("[A-Za-z0-9]*", text):
        node.refuse(f"{text!r} does not fit into payment references", "use letters and digits")
    return text


def _date(node: Node) -> date:
    """Return a date, which TOML writes without quotation marks."""
    if type(node.value) is not date:
        node.refuse("is no date", "write 2026-11-03, without quotation marks")
    return node.value


def _accounts(node: Node) -> dict[int | str, str]:
    name = _whole_table(node, ("file",))["file"]
    return read_accounts(node.file.parent / _label(name))


def read_accounts(file: Path) -> dict[int | str, str]:
    """Read which account pays for which user.

    Parameters
    ----------
    file : Path
        CSV with the columns ``user`` (number or name) and ``account`` (name).

    Raises
    ------
    InputError
        The file cannot be read, a user has no name or is named twice, or an account has no name.
    """
    table = read_columns(str(file), "give a CSV file of users and accounts")
    if tuple(table.cells) != ACCOUNT_COLUMNS:
        raise InputError("does not begin with the columns user,account", source=str(file), line=1)
    found: dict[int | str, str] = {}
    for user, name, line in zip(*table.cells.values(), table.line.tolist(), strict=True):
        _enter(user, name, found, str(file), line)
    return found


def _enter(text: str, name: str, found: dict[int | str, str], source: str, line: int) -> None:
    if not name.strip() or not text.strip():
        raise InputError("is not USER,ACCOUNT", source=source, line=line)
    number = text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS
    user = int(text) if number else text.strip()
    if not number and (text[:1] in "+-" or text[:1].isdigit() or len(text) > LONGEST):
        shown = text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
        problem = f"{shown!r} is no number, and no name of up to {LONGEST} characters"
        raise InputError(problem, source=source, line=line, field="user")
    if user in found:
        raise InputError(f"{user} is named twice", source=source, line=line, field="user")
    found[user] = _account_name(name.strip(), source, line)


def _account_name(name: str, source: str, line: int) -> str:
    if not name.isprintable() or len(name) > LONGEST:
        raise InputError(
            f"is no name of up to {LONGEST} characters", source=source, line=line, field="account"
        )
    if is_own_name(name):
        raise InputError(
            f"{name!r} is what those are called who pay for themselves",
            source=source,
            line=line,
            field="account",
            remedy="give another name",
        )
    return name


def _whole_table(node: Node, keys: Collection[str]) -> dict[str, Node]:
    table = node.table(keys)
    _need(node, table, keys)
    return table


def _need(node: Node, table: Mapping[str, Node], keys: Collection[str]) -> None:
    for key in keys:
        if key not in table:
            node.refuse(f"has no {key}", f"add {key} = ...")


def _percent(node: Node) -> Fraction:
    return _number(node, 100)


def _number(node: Node, most: int = LARGEST) -> Fraction:
    """Return the decimal as it is written, not the binary number nearest to it."""
    wanted = f"from 0 to {most:g}"
    return Fraction(str(node.number(lambda value: 0 <= value <= most, wanted)))


def _label(node: Node, longest: int = LONGEST) -> str:
    """Return a text that fits on a line of a statement."""
    text = node.text().strip()
    if not text.isprintable():
        node.refuse("has more than one line, or characters that cannot be printed")
    if len(text) > longest:
        node.refuse(f"has {len(text):,} characters", f"give up to {longest}")
    return text
