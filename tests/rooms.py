"""The rooms of utilitysched, lower first, and who imports whom: ``python -m tests.rooms``."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.syntax import nodes

PACKAGE = Path(__file__).parents[1] / "utilitysched"

ROOMS = {
    "model": "what all rooms speak of: state, schedule, arrivals, forecast",
    "kernels": "compiled loops over arrays",
    "schedulers": "orderings, placements, genetic search, preemption by priority",
    "engine": "from a workload and a scheduler to a schedule",
    "analysis": "metrics, series, statistics and descriptions of schedules",
    "runs": "schedules and what belongs to them, on disk",
    "exact": "the best schedule of small queues",
    "workers": "processes and clusters that share work",
    "counterfactual": "what would have been, had this been different",
    "market": "bills, quotes and audits",
    "experiments": "many runs by one file, kept and compared",
    "learning": "weights learned from simulations",
    "report": "tables, figures, pages and sentences",
    "cli": "commands that parse, call and print",
}
"""A room imports from those above it here, and from no other."""

MOST = 14
"""So many rooms can be held in one head."""

EXPECTED_TO_GO: set[tuple[str, str]] = set()
"""Edges against the order that are known; none may be added."""

Edges = dict[tuple[str, str], list[str]]


def rooms() -> list[str]:
    """Return the folders of the package that hold code."""
    return sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))


def edges() -> Edges:
    """Return the files by which each room imports from another."""
    found: Edges = defaultdict(list)
    for path in sorted(PACKAGE.glob("*/**/*.py")):
        here = path.relative_to(PACKAGE).parts[0]
        for there in sorted(set(_imported_rooms(path)) - {here}):
            found[here, there].append(path.relative_to(PACKAGE.parent).as_posix())
    return dict(found)


def _imported_rooms(path: Path) -> Iterator[str]:
    for node in nodes(path):
        if isinstance(node, ast.ImportFrom) and node.module == PACKAGE.name:
            yield from (alias.name for alias in node.names if (PACKAGE / alias.name).is_dir())
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from _room(node.module)
        elif isinstance(node, ast.Import):
            yield from (room for alias in node.names for room in _room(alias.name))


def _room(module: str) -> list[str]:
    package, _, rest = module.partition(".")
    return [rest.partition(".")[0]] if package == PACKAGE.name and rest else []


def backward(found: Edges) -> Edges:
    """Return the edges that lead down the list of rooms instead of up."""
    order = list(ROOMS)
    return {
        edge: files
        for edge, files in found.items()
        if set(edge) <= set(order) and order.index(edge[1]) > order.index(edge[0])
    }


def graph(found: Edges) -> str:
    """Return the rooms, each with those it imports from and by how many files; ``<-`` is wrong."""
    wrong = backward(found)
    width = max(map(len, ROOMS))
    lines = [f"{'room':{width}}  imports from (files)"]
    for room in ROOMS:
        uses = [
            f"{'<- ' if (room, other) in wrong else ''}{other} ({len(found[room, other])})"
            for other in ROOMS
            if (room, other) in found
        ]
        lines.append(f"{room:{width}}  {', '.join(uses) or '-'}")
    for (room, other), files in wrong.items():
        lines.append(f"{room} <- {other}: {', '.join(files)}")
    return "\n".join(lines)


if __name__ == "__main__":
    print(graph(edges()))
