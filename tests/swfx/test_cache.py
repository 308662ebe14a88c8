from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from swfx.kernels.cache import NOTE

ROOT = Path(__file__).parents[2]
COMPILES = """
import numpy as np
from utilitysched.kernels.agenda import add_ending
from swfx.kernels.scan import count_fields
ends, jobs = np.zeros(1), np.zeros(1, np.int64)
add_ending(ends, jobs, 0, 5.0, 7)
print(ends, jobs, count_fields.__name__)
"""


def started(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the packages in `folder`."""
    return subprocess.run(
        [sys.executable, "-c", COMPILES],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """Packages with a file wherever compiled code would be put: nobody can write there."""
    for package in ("swfx", "utilitysched"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / package, tmp_path / package, ignore=ignored)
    for kernels in tmp_path.glob("*/kernels"):
        (kernels / "__pycache__").touch()
    return tmp_path


def test_compiled_code_works_where_nothing_can_be_kept(installed: Path, tmp_path: Path) -> None:
    nowhere = tmp_path / "a file"
    nowhere.touch()
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    unwritable = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR"), str(nowhere))

    run = started(installed, **unwritable, TMPDIR=str(scratch))

    assert run.stdout == "[5.] [7] count_fields\n"
    assert run.stderr == f"{NOTE}\n"
    assert list(scratch.iterdir()) == []


def test_nothing_is_said_where_there_is_a_folder(installed: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"

    run = started(installed, NUMBA_CACHE_DIR=str(kept))

    assert (run.stdout, run.stderr) == ("[5.] [7] count_fields\n", "")
    assert list(kept.rglob("*.nbi"))
