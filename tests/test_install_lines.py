"""Lines on pages that install something: what they name exists."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.pages import ROOT

PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in ("*.md", "docs/**/*.md", "plugins/**/*.md")
    for path in ROOT.glob(pattern)
)
INSTALL = re.compile(
    r"^(?:\$ )?(?:\S*/)?(pip install [^`\n#]+)|`(pip install [^`]+)`", re.MULTILINE
)
OTHERS = {"jupyterlab"}
"""Packages that pages name and that no distribution of ours declares."""


def install_lines() -> list[tuple[str, str]]:
    """Pages, and the lines on them that install something."""
    return sorted(
        (page, (shown or quoted).strip())
        for page in PAGES
        for shown, quoted in set(INSTALL.findall((ROOT / page).read_text("utf-8")))
    )


def project(folder: Path) -> dict[str, Any]:
    text = (folder / "pyproject.toml").read_text("utf-8")
    made: dict[str, Any] = tomllib.loads(text)["project"]
    return made


def declared() -> set[str]:
    """Requirements of the extras of all distributions."""
    folders = (ROOT, *(path.parent for path in ROOT.glob("plugins/*/pyproject.toml")))
    extras = [project(folder)["optional-dependencies"] for folder in folders]
    return {each for made in extras for needs in made.values() for each in needs}


def test_pages_say_how_to_install() -> None:
    assert len(install_lines()) > 10


@pytest.mark.parametrize(("page", "line"), install_lines())
def test_what_a_line_installs_exists(page: str, line: str) -> None:
    for word in shlex.split(line)[2:]:
        path, _, extra = word.rstrip("]").partition("[")
        if path.startswith("."):
            assert extra in {"", *project(ROOT / path)["optional-dependencies"]}
        else:
            assert word in declared() | OTHERS, "it is on no index, or of another version"


@pytest.mark.parametrize(
    "line", sorted({line for _, line in install_lines() if line.startswith("pip install .")})
)
def test_a_line_names_all_that_is_on_no_index(line: str) -> None:
    projects = [project(ROOT / word.partition("[")[0]) for word in shlex.split(line)[2:]]
    needs = {each.partition("==")[0] for made in projects for each in made["dependencies"]}

    named = {made["name"] for made in projects}
    assert {each for each in needs if each.startswith("utilitysched")} <= named
