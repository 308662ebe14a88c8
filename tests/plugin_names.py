"""Names of the core for plug-ins: ``python -m tests.plugin_names`` writes those in use to the page.

A plug-in imports what the four packages list in `__all__`, and what stands on the page; a name on
the page that no plug-in of this repository uses is taken off.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

from tests.syntax import nodes, tree

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "api" / "plugins.md"
PACKAGES = ("swfx", "checkpoint", "pricing", "utilitysched")
PLUGINS = sorted(path.parent for path in ROOT.glob("plugins/*/pyproject.toml"))

Names = dict[str, set[str]]
"""Names by module."""

_ROW = re.compile(r"^\| `([\w.]+)` \| (.*?) \| .* \|$", re.MULTILINE)
_TABLE = re.compile(r"^\| `.*\n(?:\| .*\n)*", re.MULTILINE)


def sources(plugin: Path) -> list[Path]:
    """Python files of a plug-in's package."""
    return sorted((plugin / f"utilitysched_{plugin.name}").rglob("*.py"))


def used(path: Path) -> Iterator[tuple[str, str]]:
    """Modules of the core that a file imports, each with the names that it takes from them."""
    modules: dict[str, str] = {}
    for node in nodes(path):
        if isinstance(node, ast.Import):
            modules |= {
                each.asname or each.name: each.name for each in node.names if _ours(each.name)
            }
        elif isinstance(node, ast.ImportFrom) and node.module and _ours(node.module):
            for each in node.names:
                whole = f"{node.module}.{each.name}"
                if _is_module(whole):
                    modules[each.asname or each.name] = whole
                else:
                    yield node.module, each.name
    for node in nodes(path):
        owner = node.value if isinstance(node, ast.Attribute) else None
        if isinstance(node, ast.Attribute) and isinstance(owner, ast.Name) and owner.id in modules:
            yield modules[owner.id], node.attr


def in_use() -> Names:
    """Names of the core that plug-ins use, but for those in `__all__` of the four packages."""
    found: Names = defaultdict(set)
    for plugin in PLUGINS:
        for path in sources(plugin):
            for module, name in used(path):
                if module not in PACKAGES or name not in import_module(module).__all__:
                    found[module].add(name)
    return dict(found)


def documented() -> Names:
    """Names on the page."""
    rows = _ROW.findall(PAGE.read_text("utf-8"))
    return {module: set(re.findall(r"`(\w+)`", names)) for module, names in rows}


def table(names: Names) -> str:
    """Rows of the page: module, names, and what the module says that it is."""
    return "".join(
        f"| `{module}` | {', '.join(f'`{name}`' for name in sorted(names[module]))} |"
        f" {_summary(module)} |\n"
        for module in sorted(names)
    )


def _ours(module: str) -> bool:
    return module.partition(".")[0] in PACKAGES


@cache
def _is_module(name: str) -> bool:
    path = ROOT / name.replace(".", "/")
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


def _summary(module: str) -> str:
    path = ROOT / module.replace(".", "/")
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    text = (ast.get_docstring(tree(file)) or "").partition("\n\n")[0]
    return " ".join(text.split()).removesuffix(".").replace("|", "\\|")


if __name__ == "__main__":
    page = PAGE.read_text("utf-8")
    PAGE.write_text(_TABLE.sub(lambda _: table(in_use()), page, count=1), "utf-8")
