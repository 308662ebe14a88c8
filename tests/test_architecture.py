"""The shape of the code: which package may import which, and where each third party lives."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from tests import plugin_names, rooms
from tests.syntax import nodes

ROOT = Path(__file__).parents[1]

MAY_IMPORT = {
    "swfx": {"swfx"},
    "checkpoint": {"checkpoint", "swfx"},
    "pricing": {"pricing", "swfx"},
    "utilitysched": {"utilitysched", "pricing", "checkpoint", "swfx"},
}
"""Nothing imports to the right of itself."""

HOMES = {
    "altair": ("utilitysched/report/",),
    "numpy": tuple(MAY_IMPORT),
    "numba": ("swfx/kernels/", "utilitysched/kernels/", "utilitysched/engine/stopwatch.py"),
    "cmaes": ("utilitysched/learning/",),
    "deap": ("utilitysched/schedulers/genetic/",),
    "jinja2": ("utilitysched/report/templating.py",),
    "markupsafe": ("utilitysched/report/",),
    "pandas": (
        "swfx/frames.py",
        "swfx/workload.py",
        "pricing/charges.py",
        "pricing/files.py",
        "pricing/statements.py",
        "utilitysched/model/job_columns.py",
        "utilitysched/model/schedule.py",
        "utilitysched/analysis/estimates.py",
        "utilitysched/report/",
    ),
    "pyarrow": ("swfx/base/parquet.py",),
    "distributed": ("utilitysched/workers/cluster.py",),
    "networkx": (
        "pricing/evidence.py",
        "swfx/dependencies.py",
    ),
    "ortools": ("utilitysched/exact/model.py",),
    "pydantic": ("swfx/base/document",),
    "pydantic_core": ("swfx/base/document",),
    "rich": ("utilitysched/report/", "utilitysched/cli/"),
    "vl_convert": ("utilitysched/report/charts/", "utilitysched/report/notebook.py"),
    "scipy": (
        "swfx/families/utilities/elicited.py",
        "utilitysched/analysis/statistics.py",
        "utilitysched/learning/forms.py",
    ),
    "typer": ("utilitysched/cli/",),
    "zstandard": ("swfx/base/compression.py",),
}
"""Path prefixes under which each third-party package may be imported; any other has no home."""

SOURCES = sorted(path for package in MAY_IMPORT for path in (ROOT / package).rglob("*.py"))


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imported_modules(path: Path) -> Iterator[str]:
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name(path)}: relative imports hide where a name comes from"
            assert node.module is not None
            yield node.module


@cache
def roots(path: Path) -> set[str]:
    return {module.partition(".")[0] for module in imported_modules(path)}


def test_there_is_something_to_look_at() -> None:
    assert {name(path).partition("/")[0] for path in SOURCES} == set(MAY_IMPORT)


def test_nothing_imports_to_the_right() -> None:
    strays = [
        (name(path), ours)
        for path in SOURCES
        for ours in roots(path) & set(MAY_IMPORT)
        if ours not in MAY_IMPORT[name(path).partition("/")[0]]
    ]

    assert strays == []


def test_every_room_has_its_place_in_the_order() -> None:
    missing = set(rooms.rooms()) - set(rooms.ROOMS)
    gone = set(rooms.ROOMS) - set(rooms.rooms())

    assert missing == set(), "put these folders of utilitysched at their place in tests/rooms.py"
    assert gone == set(), "take these out of tests/rooms.py: no such folders of utilitysched"
    assert len(rooms.ROOMS) <= rooms.MOST, "a variant or a helper belongs into a room that exists"


def test_rooms_import_from_those_above_them_only() -> None:
    edges = rooms.edges()
    strays = set(rooms.backward(edges)) - rooms.EXPECTED_TO_GO

    assert strays == set(), (
        f"\n{rooms.graph(edges)}\n\nA room imports from those above it. Move what is needed up, "
        "into the lowest room that can hold it, or hand it in as an argument."
    )


def test_edges_that_are_gone_are_no_longer_expected() -> None:
    gone = rooms.EXPECTED_TO_GO - set(rooms.backward(rooms.edges()))

    assert gone == set(), "good: take these out of EXPECTED_TO_GO in tests/rooms.py"


def test_every_third_party_package_stays_at_home() -> None:
    strays = [
        (name(path), foreign)
        for path in SOURCES
        for foreign in roots(path) - set(MAY_IMPORT) - set(sys.stdlib_module_names)
        if not name(path).startswith(HOMES.get(foreign, ()))
    ]

    assert strays == []


def test_the_core_names_no_plugin_but_to_say_which_distribution_has_a_command() -> None:
    plugin = re.compile(r"utilitysched[-_](centre|slurm|web)\b")
    named = {name(path) for path in SOURCES if plugin.search(path.read_text("utf-8"))}

    assert named <= {"utilitysched/cli/installed.py", "swfx/base/removed.py"}


def test_tests_of_the_core_need_no_plugin() -> None:
    plugin = re.compile(r"^ *(from|import) utilitysched_(centre|slurm|web)\b", re.MULTILINE)
    tests = (ROOT / "tests").rglob("*.py")

    assert [name(path) for path in tests if plugin.search(path.read_text("utf-8"))] == []


def test_plugins_import_public_names_of_the_core_only() -> None:
    public, used = plugin_names.documented(), plugin_names.in_use()
    unknown = {
        module: names - public.get(module, set())
        for module, names in used.items()
        if names - public.get(module, set())
    }

    assert unknown == {}, (
        "make these public: python -m tests.plugin_names puts them into docs/api/plugins.md; "
        "better, do with a name that stands there"
    )
    assert not any(name.startswith("_") for names in used.values() for name in names)
    assert public == used, "nobody uses these any more: python -m tests.plugin_names"


@pytest.mark.parametrize("plugin", plugin_names.PLUGINS, ids=lambda plugin: plugin.name)
def test_a_plugin_declares_all_that_it_imports(plugin: Path) -> None:
    own = tomllib.loads((plugin / "pyproject.toml").read_text("utf-8"))["project"]
    core = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = [each for found in own.get("optional-dependencies", {}).values() for each in found]
    names = [*own["dependencies"], *extras, *core["dependencies"]]
    declared = {re.split(r"[\[<>=!~]", each)[0].lower().replace("-", "_") for each in names}
    brought = {"fastapi": {"starlette"}, "jinja2": {"markupsafe"}}
    allowed = declared.union(*(brought.get(each, set()) for each in declared))

    strays = {
        (name(path), foreign)
        for path in plugin_names.sources(plugin)
        for foreign in roots(path) - set(sys.stdlib_module_names) - set(MAY_IMPORT)
        if foreign not in {*allowed, f"utilitysched_{plugin.name}"}
    }

    assert strays == set()
    assert f"utilitysched=={core['version']}" in own["dependencies"]


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_a_package_lists_exactly_the_names_it_offers(package: str) -> None:
    tree = ast.parse((ROOT / package / "__init__.py").read_text("utf-8"))
    offered = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{package}.")
        for alias in node.names
    }
    module = importlib.import_module(package)

    assert module.__all__ == sorted(set(module.__all__), key=_constants_first)
    assert set(module.__all__) == offered - {"imported_on_use"}
    assert all(getattr(module, public) is not None for public in module.__all__)
    modules = {name for name in dir(module) if isinstance(getattr(module, name), ModuleType)}
    assert {name for name in dir(module) if name[0] != "_"} - modules <= set(module.__all__)
    assert set(module.__all__) <= set(dir(module))


def _constants_first(public: str) -> tuple[int, str]:
    return (0 if public.isupper() else 1 if public[0].isupper() else 2, public)


def test_quotes_load_nothing_that_runs_experiments() -> None:
    code = "import sys, utilitysched.market.quote.quoter; print(*sorted(set(sys.modules)))"

    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    loaded = run.stdout.split()

    assert "utilitysched.market.quote" in loaded, run.stderr
    runners = {f"utilitysched.experiments.{name}" for name in ("cell", "cluster", "local")}
    assert runners & set(loaded) == set()


@pytest.mark.parametrize(
    "family",
    [
        "checkpoint/annotations",
        "pricing/mechanisms",
        "swfx/families/estimates",
        "swfx/families/queues",
        "swfx/families/transforms",
        "swfx/families/users",
    ],
)
def test_every_variant_has_a_test_of_its_own_name(family: str) -> None:
    shared = {"__init__", "registry"}
    variants = sorted(p.stem for p in (ROOT / family).glob("*.py") if p.stem not in shared)

    tests = [f"tests/{family}/test_{variant}.py" for variant in variants]
    missing = [test for test in tests if not (ROOT / test).is_file()]
    assert variants
    assert missing == [], "write these files, with numbers worked out by hand"
