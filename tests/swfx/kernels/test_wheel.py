"""Compiled code that comes with a wheel is used where it is right, and nowhere else."""

from __future__ import annotations

import shutil
import sys
from importlib.metadata import version
from pathlib import Path

import numba
import pytest

from swfx.kernels.cache import folder_in_wheel
from tests.swfx.kernels.test_cache import ROOT, VARIABLES, compiled_code, started

pytestmark = pytest.mark.slow

COMMAND = "check sample: --jobs 0:9"
BUILDS = f"""
import shutil, sys
from pathlib import Path
sys.path.insert(0, {str(ROOT)!r})
from hatch_build import compiled
folder = Path.cwd()
for made, place in compiled(folder, folder / "scratch", [{COMMAND!r}]).items():
    shutil.copytree(made, folder / place)
"""
RUNS = f"from utilitysched.cli import main; main({COMMAND.split()})"
FINDS = "from swfx.kernels.cache import folder_in_wheel; print(folder_in_wheel().is_dir())"
PACKAGES = ("swfx", "checkpoint", "pricing", "utilitysched")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Packages as a wheel has them, with what one command compiles."""
    folder = tmp_path_factory.mktemp("built")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / package, ignore=compiled_code)
    (folder / "scratch").mkdir()
    run = started(folder, BUILDS)
    assert run.returncode == 0, run.stderr
    return folder


@pytest.fixture
def installed(built: Path, tmp_path: Path) -> Path:
    """The packages in another place, where nobody can write beside the sources."""
    for package in PACKAGES:
        shutil.copytree(built / package, tmp_path / package, ignore=compiled_code)
    for kernels in tmp_path.glob("*/kernels"):
        (kernels / "__pycache__").touch()
    return tmp_path


def kept_after(folder: Path, program: str = RUNS, **settings: str) -> list[Path]:
    """Run the command; files of what was compiled for it."""
    home = folder / "home"
    run = started(folder, program, HOME=str(home), XDG_CACHE_HOME=str(home / "cache"), **settings)
    assert run.returncode == 0, run.stderr
    assert run.stdout
    return list(home.rglob("*.nbc"))


def test_nothing_is_compiled_in_another_place_on_another_model(installed: Path) -> None:
    assert kept_after(installed, NUMBA_CPU_NAME="nocona", NUMBA_CPU_FEATURES="+sse3") == []


def test_code_in_the_wheel_works_where_nothing_can_be_kept(installed: Path, tmp_path: Path) -> None:
    nowhere = tmp_path / "a file"
    nowhere.touch()

    run = started(installed, RUNS, **dict.fromkeys(VARIABLES, str(nowhere)))

    assert (run.returncode, run.stderr) == (0, "")


def test_code_in_the_wheel_is_for_the_sources_that_it_was_made_of(installed: Path) -> None:
    assert started(installed, FINDS).stdout == "True\n"

    with (installed / "utilitysched" / "kernels" / "stream.py").open("a") as source:
        source.write("# changed\n")

    assert started(installed, FINDS).stdout == "False\n"


def test_code_in_the_wheel_is_for_the_numba_and_the_python_that_made_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here = folder_in_wheel()
    assert sys.implementation.cache_tag in here.name

    monkeypatch.setattr(numba, "__version__", "0.60.0")

    assert folder_in_wheel().name == here.name.replace(version("numba"), "0.60.0")
