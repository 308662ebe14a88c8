"""Failure domains of any tree, from a TOML or JSON file."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import networkx as nx

from checkpoint.lifetime import Lifetime, as_mtbf
from swfx.base.errors import InputError, failed
from swfx.base.options import as_seconds
from swfx.base.toml_values import Node, read_toml

__all__ = ["read_domains"]

KEYS = ("name", "count", "mtbf", "repair", "processors", "parts")
DEEPEST = 50
MOST = 10**6


def read_domains(path: Path) -> nx.DiGraph[str]:
    """Read a tree of failure domains.

    Parameters
    ----------
    path : Path
        TOML, or JSON if it ends in .json: one domain, that of the whole machine. A domain has a
        ``name``; ``mtbf`` and ``repair`` (a text such as ``"5y"``, or seconds), if
        it fails by itself; ``processors`` if it is a node, or ``parts``, a list of domains. With
        ``count`` it stands for so many alike, which are numbered by name through the whole file,
        from 0.

    Returns
    -------
    networkx.DiGraph
        Tree as `FailureDomains` takes it.

    Raises
    ------
    InputError
        By file, line and key: whatever cannot be read, is unknown, missing, or out of range.
    """
    top = _read_json(path) if path.suffix == ".json" else read_toml(path, "failure domains")
    reading = _Reading(nx.DiGraph(), Counter())
    reading.add(top, None)
    return reading.tree


def _read_json(path: Path) -> Node:
    try:
        value = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise failed("cannot be read", error, path, "give the path of failure domains") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"is not JSON: {error}", source=str(path)) from error
    return Node(value, (), path, {})


@dataclass(frozen=True)
class _Reading:
    tree: nx.DiGraph[str]
    numbers: Counter[str] = field(default_factory=Counter)

    def add(self, domain: Node, parent: str | None) -> None:
        """Add a domain and its parts, repeated by its count."""
        if len(domain.path) > 2 * DEEPEST:
            domain.refuse(f"lies deeper than {DEEPEST} domains")
        given = domain.table(KEYS)
        if "name" not in given:
            domain.refuse("has no name", 'give name = "rack"')
        lifetime = _lifetime(domain, given)
        for name in self._names(given, parent):
            self._grow(given["name"], name, parent)
            self.tree.add_node(name, **({"lifetime": lifetime} if lifetime else {}))
            self._fill(domain, given, name)

    def _names(self, given: dict[str, Node], parent: str | None) -> list[str]:
        base = given["name"].text()
        if "count" not in given:
            return [base]
        if parent is None:
            given["count"].refuse("there is one machine", "leave it out")
        count = given["count"].whole(1)
        first = self.numbers[base]
        if first + count > MOST:
            given["count"].refuse(f"more than {MOST:,} domains")
        self.numbers[base] += count
        return [f"{base}{first + i}" for i in range(count)]

    def _grow(self, place: Node, name: str, parent: str | None) -> None:
        if name in self.tree:
            place.refuse(f"{name!r} is the name of another domain", "give each its own")
        if len(self.tree) >= MOST:
            place.refuse(f"more than {MOST:,} domains")
        if parent is not None:
            self.tree.add_edge(parent, name)

    def _fill(self, domain: Node, given: dict[str, Node], name: str) -> None:
        if ("parts" in given) == ("processors" in given):
            domain.refuse(f"{name} needs either parts or processors", "give one of them")
        if "processors" in given:
            self.tree.nodes[name]["processors"] = given["processors"].whole(1)
            return
        for part in given["parts"].items():
            self.add(part, name)


def _lifetime(domain: Node, given: dict[str, Node]) -> Lifetime | None:
    if "mtbf" not in given:
        if "repair" in given:
            given["repair"].refuse("without mtbf nothing fails", "give mtbf, or leave this out")
        return None
    if "repair" not in given:
        domain.refuse("mtbf without repair", 'give both, such as repair = "4h"')
    mtbf = _seconds(given["mtbf"], as_mtbf)
    repair = _seconds(given["repair"], as_seconds)
    try:
        return Lifetime(mtbf, repair)
    except InputError as error:
        given[str(error.field)].refuse(error.message, error.remedy)


def _seconds(node: Node, read: Callable[[str, str, str], float]) -> float:
    if isinstance(node.value, str):
        return node.made(lambda text: read(text, "", ""))[1]
    return node.number(lambda value: value > 0, "above 0")
