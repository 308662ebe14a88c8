"""Names of a package that are imported on their first use."""

from __future__ import annotations

import sys
from pathlib import Path
from py_compile import compile as compiled

import pytest

from swfx.base.lazy import imported_on_use

LAZY = """
import sys
from typing import TYPE_CHECKING

from swfx.base.lazy import imported_on_use

assert sys.flags
SMALL = True
if SMALL:
    WORDS = 2
if TYPE_CHECKING:
    from lazy_example.numbers import one
else:
    __getattr__, __dir__ = imported_on_use(__name__)
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "lazy_example"
    folder.mkdir()
    (folder / "__init__.py").write_text(LAZY)
    (folder / "numbers.py").write_text("one = 1")
    monkeypatch.syspath_prepend(str(tmp_path))
    for module in ("lazy_example", "lazy_example.numbers"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    return folder / "__init__.py"


@pytest.mark.usefixtures("package")
def test_other_conditions_and_assertions_are_no_imports() -> None:
    find, listed = imported_on_use("lazy_example")
    module = __import__("lazy_example")

    assert (find("one"), module.one) == (1, 1)
    assert {name for name in dir(module) if not name.startswith("__")} == {"one"}
    assert dir(module) == listed()


def test_a_package_without_sources_says_so(package: Path) -> None:
    compiled(str(package), cfile=str(package.with_suffix(".pyc")))
    package.unlink()

    with pytest.raises(ImportError, match="lazy_example is installed without its sources"):
        __import__("lazy_example")
