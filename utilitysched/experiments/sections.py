"""What the sections of an experiment file have in common."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeVar

from swfx.base.options import nearest
from swfx.base.toml_values import Node

Made = TypeVar("Made")


def once(node: Node, make: Callable[[Node], Made]) -> tuple[Made, ...]:
    """Make one or more things; none may come twice, since that would run or count it twice."""
    found: list[Made] = []
    for each in node.one_or_more():
        made = make(each)
        if made in found:
            each.refuse("is named twice", "once will do")
        found.append(made)
    return tuple(found)


def require(node: Node, parts: dict[str, Node], *names: str) -> None:
    """Refuse a table without one of these keys."""
    for name in names:
        if name not in parts:
            node.refuse(f"{name} is missing", "docs/experiments.md has every key")


def seeds(node: Node) -> tuple[int, ...]:
    """Read one seed or more."""
    return once(node, lambda each: each.whole(0))


def numbers(node: Node, known: Collection[str]) -> dict[str, float]:
    """Read a table of finite numbers under known names."""
    values = node.table(known)
    return {name: value.number(lambda _: True, "finite") for name, value in values.items()}


def one_of(node: Node, label: str, labels: Collection[str], kind: str) -> str:
    """Return a label that has to be among others, which are called `kind` together."""
    if label not in labels:
        node.refuse(f"{label!r} is not among the {kind}", nearest(label, labels))
    return label
