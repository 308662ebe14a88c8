"""Readers of parts of an experiment file that several sections share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeVar

from pricing import make_mechanism
from swfx.base.options import nearest
from swfx.base.toml_values import Node
from utilitysched import make_scheduler
from utilitysched.experiments.specification import Candidate

Made = TypeVar("Made")

Readers = Mapping[str, Callable[[Node], Any]]
"""Of the keys of a table, in the order in which they are read."""


def table(node: Node, known: Collection[str], *required: str) -> dict[str, Node]:
    """Return the members of a table by key; refuse one without a key that is required."""
    parts = node.table(known)
    for name in required:
        if name not in parts:
            node.refuse(f"{name} is missing", "docs/experiments.md has every key")
    return parts


def read(node: Node, readers: Readers, *required: str) -> dict[str, Any]:
    """Return the values of a table that are given, each by its reader."""
    return values(table(node, readers, *required), readers)


def values(parts: Mapping[str, Node], readers: Readers) -> dict[str, Any]:
    """Return the values of those members of a table that have readers."""
    return {name: reader(parts[name]) for name, reader in readers.items() if name in parts}


def once(node: Node, make: Callable[[Node], Made]) -> tuple[Made, ...]:
    """Make one or more things; none may come twice, since that would run or count it twice."""
    found: list[Made] = []
    for each in node.one_or_more():
        made = make(each)
        if made in found:
            each.refuse("is named twice", "once will do")
        found.append(made)
    return tuple(found)


def some(node: Node, known: Collection[str]) -> tuple[str, ...]:
    """Read known texts; an empty list is none of them."""
    return () if node.value == [] else once(node, lambda each: each.choice(known))


def seeds(node: Node) -> tuple[int, ...]:
    """Read one seed or more."""
    return once(node, lambda each: each.whole(0))


def numbers(node: Node, known: Collection[str]) -> dict[str, float]:
    """Read a table of finite numbers under known names."""
    return {
        name: value.number(lambda _: True, "finite") for name, value in node.table(known).items()
    }


def one_of(node: Node, label: str, labels: Collection[str], kind: str) -> str:
    """Return a label that has to be among others, which are called `kind` together."""
    if label not in labels:
        node.refuse(f"{label!r} is not among the {kind}", nearest(label, labels))
    return label


def mechanism_label(node: Node) -> str:
    """Return the canonical text of a mechanism."""
    return node.made(make_mechanism)[1].label


def candidate(node: Node) -> Candidate:
    """Make a scheduler of its text.

    Raises
    ------
    InputError
        There is none of that name, or an option cannot be used.
    """
    _, made = node.made(make_scheduler)
    return Candidate(made.label, made.stochastic, preempts=made.preempts)


def candidate_label(node: Node, labels: Collection[str]) -> str:
    """Return the label of a candidate that is named by it, or by another text of the scheduler."""
    text = node.text()
    return text if text in labels else one_of(node, candidate(node).label, labels, "schedulers")
