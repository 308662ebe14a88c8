"""The sources that the folder of compiled code is named after."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from swfx.kernels.cache import compiled_sources
from tests.conftest import ROOT
from tests.syntax import nodes

COMPILED = re.compile(r"^@(kernel|leaf|leaf_kernel|inner|inlined)\b", re.MULTILINE)
"""Decorators of `utilitysched.kernels.compiling`."""

PACKAGES = ("swfx", "checkpoint", "pricing", "utilitysched")


def test_whatever_is_compiled_is_among_them() -> None:
    files = {path for package in PACKAGES for path in (ROOT / package).rglob("*.py")}

    compiled = {
        path
        for path in files
        if "numba" in imported(path) or COMPILED.search(path.read_text("utf-8"))
    }
    assert len(compiled) > 10
    assert compiled - set(compiled_sources()) == set()


def test_kernels_are_made_of_these_files_alone() -> None:
    made_of = set(compiled_sources())
    for path in (ROOT / "utilitysched" / "kernels").rglob("*.py"):
        for name in imported(path):
            source = ROOT / f"{name.replace('.', '/')}.py"
            assert not name.startswith("utilitysched.") or source in made_of, path.name


def test_the_scan_takes_nothing_of_other_files_but_types_of_arrays() -> None:
    ours = {name for path in (ROOT / "swfx" / "kernels").glob("*.py") for name in imported(path)}

    others = {name for name in ours if not name.startswith("swfx.kernels")}
    assert {name for name in others if name.startswith("swfx")} == {"swfx.base.columns"}


def test_reports_and_commands_are_not_among_them() -> None:
    folders = {path.parent.relative_to(ROOT).as_posix() for path in compiled_sources()}

    assert folders == {
        "swfx/kernels",
        "utilitysched/kernels",
        "utilitysched/kernels/machine",
        "utilitysched/kernels/sharing",
        "utilitysched/model",
        "utilitysched/schedulers/orderings",
        "utilitysched/schedulers/placements",
    }


def imported(path: Path) -> set[str]:
    """Return the modules that a file imports."""
    names: set[str] = set()
    for node in nodes(path):
        if isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
    return names
