"""Disk space that the core takes, with all that it needs, by dependency.

Sizes are those of the files that wheels bring (1 MB = 1,000,000 bytes), read from what is installed
here. The bytecode that pip makes of them, unless told ``--no-compile``, does not count.
"""

import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from benchmarks.logs import ROOT
from benchmarks.row import Row
from swfx.base.plugins import OURS

TARGET = 400
"""MB of the core without bytecode."""


def measure() -> Iterator[Row]:
    """Yield each dependency with what it brings, the largest first, and all together.

    What several bring is counted once, with the first of them.
    """
    counted = set(dependencies())
    rows = []
    for root in dependencies():
        brought = needed([root]) - counted
        counted |= brought
        note = f"{megabytes(root):.1f} of its own"
        if brought:
            note += f"; {', '.join(sorted(brought, key=megabytes, reverse=True))}"
        rows.append(Row(root, sum(map(megabytes, {root, *brought})), "MB", note=note))
    yield from sorted(rows, key=lambda row: row.measured, reverse=True)
    sources = [path for package in OURS for path in (ROOT / package).rglob("*")]
    own = sum(path.stat().st_size for path in sources if "__pycache__" not in path.parts) / 1e6
    yield Row("utilitysched", own, "MB")
    total = own + sum(map(megabytes, counted))
    yield Row("all", total, "MB", TARGET, note=f"{len(counted) + 1} distributions")


def dependencies() -> list[str]:
    """Names of what the core needs, extras apart."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return [canonicalize_name(Requirement(each).name) for each in project["dependencies"]]


def needed(names: Iterable[str]) -> set[str]:
    """Return distributions and all that these need."""
    known: set[str] = set()
    rest = list(names)
    while rest:
        name = rest.pop()
        if name not in known:
            known.add(name)
            rest += _requirements(name)
    return known


@cache
def _requirements(name: str) -> tuple[str, ...]:
    all_of_it = map(Requirement, distribution(name).requires or ())
    applied = (each for each in all_of_it if not each.marker or each.marker.evaluate({"extra": ""}))
    return tuple(canonicalize_name(each.name) for each in applied)


@cache
def megabytes(name: str) -> float:
    """Return the size of the files of a distribution, without bytecode."""
    return sum(path.stat().st_size for path in _files(distribution(name))) / 1e6


def _files(installed: Distribution) -> Iterator[Path]:
    for file in installed.files or ():
        path = Path(str(installed.locate_file(file)))
        if path.suffix != ".pyc" and path.is_file():
            yield path
