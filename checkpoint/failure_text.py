"""Failure domains of an option of the command line: groups of like nodes, or a file."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import networkx as nx

from checkpoint.domains import FailureDomains
from checkpoint.failure_file import read_domains
from checkpoint.lifetime import Lifetime, as_mtbf
from swfx.base.errors import InputError
from swfx.base.options import as_int, as_seconds, check_keys, split_options

__all__ = ["MACHINE", "failure_domains"]

SOURCE = "failures"
MACHINE = "machine"
NODE = "node"
EVERYTHING = "all"

OWN = ("nodes", "per", "mtbf", "repair", "seed")
LAW = ("mtbf", "repair")


@dataclass(frozen=True)
class _Level:
    """Failure domains of one kind: nodes per domain, failure and repair times."""

    kind: str
    nodes: int
    lifetime: Lifetime


def failure_domains(text: str) -> FailureDomains:
    """Read failure domains.

    Parameters
    ----------
    text : str
        ``file=PATH[,seed=N]``, as `read_domains` reads it, or ``nodes=N,mtbf=TIME,repair=TIME``,
        for N nodes that fail by themselves, with as options

        - ``per=P``: processors of a node, 1 if not given;
        - ``KIND=N:mtbf=TIME[:repair=TIME]``, repeatable: every N neighbouring nodes
          share something that fails, such as ``rack=32:mtbf=20y``; ``machine=all:mtbf=...`` is for
          what all of them share. A repair not given takes as long as that of a node;
        - ``seed=N``: of the failures, in place of the simulation's.

        Times are in seconds, or followed by min, h, d, w; those between failures also by y (365 d),
        or ``never``.

    Raises
    ------
    InputError
        By key: what is missing, unknown, out of range, or does not make a tree.

    Examples
    --------
    >>> found = failure_domains("nodes=8,per=4,mtbf=5y,repair=4h,power=4:mtbf=20y")
    >>> found.processors["power1"], found.machine_size
    ((16, 32), 32)
    """
    options = split_options(text, SOURCE)
    seed = _seed(options.pop("seed", None))
    if "file" in options:
        check_keys(options, ("file", "seed"), SOURCE)
        return FailureDomains(read_domains(Path(options["file"])), seed)
    _require(options, ("nodes", "mtbf", "repair"), SOURCE)
    nodes = _count(options["nodes"], "nodes")
    own = _lifetime({key: options[key] for key in LAW if key in options}, NODE, None)
    levels = [
        _level(kind, value, nodes, own.repair) for kind, value in options.items() if kind not in OWN
    ]
    levels.sort(key=lambda level: -level.nodes)
    _refuse_straddling(levels)
    return FailureDomains(_tree(nodes, _count(options.get("per", "1"), "per"), own, levels), seed)


def _tree(nodes: int, per: int, own: Lifetime, levels: list[_Level]) -> nx.DiGraph[str]:
    tree: nx.DiGraph[str] = nx.DiGraph()
    tree.add_node(MACHINE)
    for node in range(nodes):
        parent = MACHINE
        for level in levels:
            name = f"{level.kind}{node // level.nodes}" if level.kind != MACHINE else MACHINE
            if node % level.nodes == 0:
                tree.add_node(name, lifetime=level.lifetime)
                tree.add_edges_from([(parent, name)] if name != parent else [])
            parent = name
        tree.add_node(f"{NODE}{node}", lifetime=own, processors=per)
        tree.add_edge(parent, f"{NODE}{node}")
    return tree


def _level(kind: str, value: str, nodes: int, repair: float) -> _Level:
    if ":" not in value:
        check_keys((kind,), (*OWN, "file"), SOURCE)
    if not kind.isidentifier() or kind[-1].isdigit() or kind == NODE:
        raise InputError(
            "is no name for what nodes share",
            source=SOURCE,
            field=kind,
            remedy="name it by letters, as in rack=32:mtbf=20y",
        )
    count, _, rest = value.partition(":")
    if (kind == MACHINE) != (count == EVERYTHING):
        raise InputError(
            f"{count!r} is not how many nodes share it",
            source=SOURCE,
            field=kind,
            remedy=f"write {MACHINE}={EVERYTHING}:mtbf=90d for what all nodes share, "
            "rack=32:mtbf=20y for what 32 do",
        )
    given = split_options(rest.replace(":", ","), f"{SOURCE}: {kind}")
    check_keys(given, LAW, f"{SOURCE}: {kind}")
    _require(given, ("mtbf",), f"{SOURCE}: {kind}")
    size = nodes if count == EVERYTHING else _count(count, kind)
    return _Level(kind, size, _lifetime(given, kind, repair))


def _lifetime(given: dict[str, str], kind: str, repair: float | None) -> Lifetime:
    source = f"{SOURCE}: {kind}"
    try:
        return Lifetime(
            as_mtbf(given["mtbf"], source, "mtbf"),
            as_seconds(given["repair"], source, "repair")
            if repair is None or "repair" in given
            else repair,
        )
    except InputError as error:
        raise InputError(
            error.message, source=source, field=error.field, remedy=error.remedy
        ) from None


def _refuse_straddling(levels: list[_Level]) -> None:
    for outer, inner in pairwise(levels):
        if outer.kind != MACHINE and outer.nodes % inner.nodes:
            raise InputError(
                f"{outer.nodes} nodes are no whole number of times the {inner.nodes} of "
                f"{inner.kind}: some {inner.kind} would be part of two",
                source=SOURCE,
                field=outer.kind,
                remedy="give numbers of nodes that divide one another",
            )


def _require(given: dict[str, str], keys: tuple[str, ...], source: str) -> None:
    for key in keys:
        if key not in given:
            raise InputError(
                "must be given",
                source=source,
                field=key,
                remedy="as in nodes=260,per=8,mtbf=5y,repair=4h,rack=32:mtbf=20y",
            )


def _count(text: str, field: str) -> int:
    count = as_int(text, SOURCE, field)
    if not 1 <= count <= 10**6:
        raise InputError(
            f"{count} is out of range", source=SOURCE, field=field, remedy="give 1 to 1,000,000"
        )
    return count


def _seed(text: str | None) -> int | None:
    if text is None:
        return None
    seed = as_int(text, SOURCE, "seed")
    if seed < 0:
        raise InputError(f"{seed} is below 0", source=SOURCE, field="seed", remedy="give 0 or more")
    return seed
