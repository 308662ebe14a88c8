"""The section ``[prices]`` of an experiment file."""

from __future__ import annotations

from collections.abc import Collection

import utilitysched
from pricing import make_mechanism
from swfx.base.toml_values import Node
from utilitysched.experiments.figure_names import BILLS
from utilitysched.experiments.sections import numbers, once, one_of, require
from utilitysched.experiments.specification import Prices, PublishedBill


def read_prices(node: Node, schedulers: Collection[str]) -> Prices:
    """Read which bills are wanted.

    Parameters
    ----------
    node : Node
        The section.
    schedulers : collection of str
        Labels of those whose schedules are charged.

    Raises
    ------
    InputError
        Whatever is wrong in it.
    """
    parts = node.table(Prices._fields)
    require(node, parts, "mechanisms")
    mechanisms = once(parts["mechanisms"], mechanism_label)
    found: list[PublishedBill] = []
    for each in parts["published"].one_or_more() if "published" in parts else ():
        one = _published(each, mechanisms, schedulers)
        if one[:1] + one[2:] in [earlier[:1] + earlier[2:] for earlier in found]:
            each.refuse(f"{one.mechanism!r} is named twice", "put all values in one table")
        found.append(one)
    return Prices(mechanisms, tuple(found))


def mechanism_label(node: Node) -> str:
    """Return the canonical text of a mechanism."""
    return node.made(make_mechanism)[1].label


def _published(
    node: Node, mechanisms: Collection[str], schedulers: Collection[str]
) -> PublishedBill:
    parts = node.table(PublishedBill._fields)
    require(node, parts, "mechanism", "values")
    given, whose = parts["mechanism"], parts.get("scheduler")
    return PublishedBill(
        one_of(given, mechanism_label(given), mechanisms, "mechanisms"),
        numbers(parts["values"], BILLS),
        None if whose is None else one_of(whose, _scheduler(whose), schedulers, "schedulers"),
    )


def _scheduler(node: Node) -> str:
    return node.made(utilitysched.make_scheduler)[1].label
