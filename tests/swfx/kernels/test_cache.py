from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from swfx.kernels.cache import NOTE, fingerprint

ROOT = Path(__file__).parents[3]
COMPILES = """
import numpy as np
from utilitysched.kernels.releases import add_ending
from swfx.kernels.scan import count_fields
ends, jobs = np.zeros(1), np.zeros(1, np.int64)
add_ending(ends, jobs, 0, 5.0, 7)
print(ends, jobs, count_fields.__name__)
"""


CALLS_ANOTHER_FILE = """
import numpy as np
from utilitysched.kernels.operators import job_keys
print(job_keys(np.zeros(1), np.zeros(1), np.ones(1, np.int64)).tolist())
"""
VARIABLES = ("HOME", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR")


def started(
    folder: Path, program: str = COMPILES, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run Python with the packages in `folder`."""
    inherited = {name: text for name, text in os.environ.items() if name not in VARIABLES}
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env={**inherited, "PYTHONPATH": str(folder), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def writable(tmp_path: Path) -> Path:
    """Packages as they are installed, with what Python has made of most sources."""
    for package in ("swfx", "utilitysched"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=compiled_code)
    return tmp_path


def compiled_code(folder: str, _: list[str]) -> list[str]:
    """What numba leaves there, and Python beside it."""
    return ["__pycache__"] * (Path(folder).name == "kernels")


@pytest.fixture
def installed(writable: Path) -> Path:
    """Packages with a file wherever compiled code would be put: nobody can write there."""
    for kernels in writable.glob("*/kernels"):
        (kernels / "__pycache__").touch()
    return writable


@pytest.mark.slow
def test_compiled_code_works_where_nothing_can_be_kept(installed: Path, tmp_path: Path) -> None:
    nowhere = tmp_path / "a file"
    nowhere.touch()
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    unwritable = dict.fromkeys(VARIABLES, str(nowhere))

    run = started(installed, **unwritable, TMPDIR=str(scratch))

    assert run.stdout == "[5.] [7] count_fields\n"
    assert run.stderr == f"{NOTE}\n"
    assert list(scratch.iterdir()) == []


def places(tmp_path: Path) -> dict[str, str]:
    return {"HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": str(tmp_path / "home" / "cache")}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("packages", "chosen"),
    [("writable", {}), ("installed", {}), ("installed", {"NUMBA_CACHE_DIR": "kept"})],
)
def test_a_changed_source_is_noticed_wherever_code_is_kept(
    packages: str, chosen: dict[str, str], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    folder = request.getfixturevalue(packages)
    stream = folder / "utilitysched" / "kernels" / "stream.py"
    before = started(folder, CALLS_ANOTHER_FILE, **places(tmp_path), **chosen)
    assert before.stderr == ""
    assert list(tmp_path.rglob("*.nbi"))

    text = stream.read_text("utf-8")
    stream.write_text(text.replace("return mix((word ^ key) + _GAMMA)", "return key"), "utf-8")
    after = started(folder, CALLS_ANOTHER_FILE, **places(tmp_path), **chosen)

    assert before.stdout != after.stdout == "[0]\n"


@pytest.mark.slow
def test_what_the_packages_compiled_of_other_sources_goes(writable: Path, tmp_path: Path) -> None:
    kept = writable / "swfx" / "kernels" / "__pycache__"
    (kept / "sources-of-before").mkdir(parents=True)

    run = started(writable, "import utilitysched.kernels.operators", **places(tmp_path))

    assert (run.stdout, run.stderr) == ("", "")
    assert [path.name for path in kept.glob("sources-*")] == [fingerprint()]


@pytest.mark.slow
def test_processes_that_are_started_keep_code_in_the_same_folder(
    writable: Path, tmp_path: Path
) -> None:
    child = "import os, sys, swfx.kernels; print(os.environ['NUMBA_CACHE_DIR'], flush=True)"
    again = f"import subprocess; subprocess.run([sys.executable, '-c', {child!r}], check=True)"

    run = started(writable, f"{child}; {again}", NUMBA_CACHE_DIR=str(tmp_path / "kept"))

    assert run.stdout == f"{tmp_path / 'kept' / fingerprint()}\n" * 2
