"""Lines on pages that install something, run in an empty environment."""

from __future__ import annotations

import os
import shlex
import subprocess
import venv
from pathlib import Path

import pytest

from tests.pages import ROOT
from tests.test_install_lines import install_lines

pytestmark = [pytest.mark.slow, pytest.mark.wheels]

WORDS = [shlex.split(line)[2:] for line in sorted({line for _, line in install_lines()})]
OURS = [words for words in WORDS if words[0].startswith(".")]
OTHERS = sorted({word for words in WORDS if words not in OURS for word in words})


@pytest.fixture(scope="module")
def pip(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """The pip of an empty environment; skipped where it reaches no packages, never on CI."""
    folder = tmp_path_factory.mktemp("empty")
    venv.create(folder, with_pip=True)
    python = str(folder / "bin/python")
    reached = run(python, "-m", "pip", "download", "--no-deps", "-d", str(folder), "cmaes>=0.13")
    if reached.returncode != 0:
        reason = f"pip reaches no packages: {reached.stderr[-200:]}"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return python, "-m", "pip"


def run(*words: str) -> subprocess.CompletedProcess[str]:
    places = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(words, cwd=ROOT, env=places, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("words", [*OURS, OTHERS], ids=" ".join)
def test_an_empty_environment_takes_the_line(words: list[str], pip: tuple[str, ...]) -> None:
    tried = run(*pip, "install", "--dry-run", "--quiet", *words)

    assert tried.returncode == 0, tried.stderr


def test_all_that_is_installed_answers(pip: tuple[str, ...]) -> None:
    installed = run(*pip, "install", "--quiet", "--no-compile", *max(OURS, key=len))
    program = str(Path(pip[0]).with_name("utilitysched"))

    assert installed.returncode == 0, installed.stderr
    assert run(*pip, "check").returncode == 0
    assert {"simulate", "invoice", "slurm", "serve"} <= set(run(program, "--help").stdout.split())
    told = " ".join(run(program, "compare", "easy", "fcfs").stderr.split())  # lines are filled
    assert "a test of significance needs scipy, which is not installed; " in told
    assert told.endswith(" -m pip install 'scipy>=1.15'")
