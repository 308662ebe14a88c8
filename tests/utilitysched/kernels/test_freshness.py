"""Compiled code on disk and the sources it is made of."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from utilitysched.kernels.freshness import COMPILED, PACKAGE, drop_stale


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package whose kernel and placement are compiled."""
    for folder in ("kernels", "placements"):
        (tmp_path / folder / "__pycache__").mkdir(parents=True)
        (tmp_path / folder / "shadow.py").write_text("one")
        (tmp_path / folder / "__pycache__" / "shadow.nbi").write_text("")
    drop_stale(tmp_path)
    (tmp_path / "placements" / "__pycache__" / "shadow.nbi").write_text("")
    return tmp_path


def compiled(package: Path) -> list[str]:
    return sorted(path.parts[-3] for path in package.rglob("*.nbi"))


def test_what_was_there_before_the_first_time_goes(package: Path) -> None:
    assert compiled(package) == ["placements"]  # compiled after it


def test_nothing_goes_while_the_sources_stay(package: Path) -> None:
    (package / "cli.py").write_text("is never compiled")

    assert not drop_stale(package)
    assert compiled(package) == ["placements"]


def test_a_change_of_one_file_drops_what_the_others_were_compiled_to(package: Path) -> None:
    (package / "kernels" / "shadow.py").write_text("other")

    assert drop_stale(package)
    assert compiled(package) == []
    assert not drop_stale(package)


def test_a_package_that_cannot_be_written_is_left_alone(tmp_path: Path) -> None:
    assert not drop_stale(tmp_path / "archive.zip")


def test_kernels_are_made_of_these_files_alone() -> None:
    made_of = {path for pattern in COMPILED for path in PACKAGE.glob(pattern)}
    for path in (PACKAGE / "kernels").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("utilitysched"):
                source = PACKAGE.parent / f"{(node.module or '').replace('.', '/')}.py"
                assert source in made_of, f"{path.name} uses {source.name}"
