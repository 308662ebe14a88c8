"""A selection of the core's tests on the other Pythons of this machine: ``make versions``.

The first of them gets the oldest packages that pyproject.toml allows, the others the newest. An
environment (`.venv-3.12`, say) is kept until the packages that it is for change, and one of the
newest packages until the week ends.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import NamedTuple

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
Version = tuple[int, int]
FIRST: Version = (3, 11)
LAST_OF_OLDEST: Version = (3, 12)
"""Newest Python for which the oldest numba was made."""

PACKAGES = ("oldest", "newest")
TOOLS = ("pytest", "pytest-xdist", "hypothesis")
EXTRAS = ("statistics", "zstd")
"""Extras of what the selection tests."""

DIGESTS = (
    "sample run easy",
    "sample run ga",
    "sample bill first-price",
    "generate lublin-users",
    "augment factor=3,step=1",
)
SELECTION = [
    "swfx",
    "tests/swfx/base",
    "tests/swfx/slurm/test_reader.py",
    "tests/swfx/families/formats/test_job_numbers.py",
    "tests/pricing/test_months.py",
    "tests/pricing/test_ledger.py",
    "tests/utilitysched/analysis/metrics",
    "tests/utilitysched/schedulers/genetic/test_genetic_scheduler.py",
    *(
        f"tests/test_digests.py::test_results_are_the_bytes_that_they_were[{each}]"
        for each in DIGESTS
    ),
]
"""Readers, documents, metrics, prices; by digests commands, models, the engine and `ga`."""


class Trial(NamedTuple):
    """A Python and the packages that it is tried with.

    Attributes
    ----------
    version : (int, int)
        As in Python 3.12.
    program : str
        Its interpreter.
    packages : str
        ``"oldest"`` or ``"newest"``.
    """

    version: Version
    program: str
    packages: str

    def __str__(self) -> str:
        return f"Python {self.version[0]}.{self.version[1]} with the {self.packages} packages"


def interpreters() -> dict[Version, str]:
    """Return the interpreters here, from 3.11 on, that can make environments, this one first."""
    names = [f"python3.{minor}" for minor in range(FIRST[1], 30)]
    pyenv = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser()
    # also where the home directory is another one: the versions beside the one that runs
    for folder in (pyenv / "versions", Path(sys.base_prefix).parent):
        names += map(str, sorted(folder.glob("3.*/bin/python")))
    by_version: dict[Version, str] = {}
    for program in filter(None, map(shutil.which, [sys.executable, *names])):
        command = [program, "-c", "import ensurepip, sys, venv; print(*sys.version_info[:2])"]
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
        if answer.returncode == 0:  # a program of pyenv that names no version of its own fails
            major, minor = map(int, answer.stdout.split())
            by_version.setdefault((major, minor), program)
    return {version: program for version, program in by_version.items() if version >= FIRST}


def trials(known: Mapping[Version, str], default: Version) -> list[Trial]:
    """Return the trials of all interpreters but the default one, oldest first.

    Examples
    --------
    >>> known = {(3, 13): "b", (3, 12): "a", (3, 11): "default"}
    >>> [(each.version, each.packages) for each in trials(known, (3, 11))]
    [((3, 12), 'oldest'), ((3, 13), 'newest')]
    >>> trials({(3, 13): "b"}, (3, 11))[0].packages
    'newest'
    """
    others = sorted(version for version in known if version != default)
    return [
        Trial(version, known[version], "newest" if place or version > LAST_OF_OLDEST else "oldest")
        for place, version in enumerate(others)
    ]


def lower_bounds(project: Path = ROOT / "pyproject.toml") -> list[str]:
    """Return the oldest packages that the core and its tests may have, as constraints of pip."""
    table = tomllib.loads(project.read_text("utf-8"))["project"]
    extras = table["optional-dependencies"]
    tools = [each for each in extras["dev"] if Requirement(each).name in TOOLS]
    others = [each for extra in EXTRAS for each in extras[extra]]
    return [each.replace(">=", "==") for each in [*table["dependencies"], *others, *tools]]


def _prepare(trial: Trial, folder: Path) -> None:
    """Make the environment of a trial, unless it is there already."""
    pins = "\n".join(lower_bounds())
    oldest = trial.packages == "oldest"
    kind = "oldest" if oldest else "newest of {}, week {}".format(*date.today().isocalendar())
    stamp, content = folder / "installed.txt", f"{trial.program} {kind}\n{pins}\n"
    if stamp.exists() and stamp.read_text("utf-8") == content:
        return
    print(f"installing {trial} into {folder.name} ...", flush=True)
    subprocess.run([trial.program, "-m", "venv", "--clear", folder], check=True)
    constraints = folder / "constraints.txt"
    constraints.write_text(pins if oldest else "", "utf-8")
    install = [str(folder / "bin/python"), "-m", "pip", "install", "--quiet", "--no-compile"]
    subprocess.run(
        [*install, "-c", constraints, "--editable", f"{ROOT}[{','.join(EXTRAS)}]", *TOOLS],
        check=True,
    )
    stamp.write_text(content, "utf-8")


def main() -> int:
    """Run all trials, and return 1 if one of them fails."""
    every = trials(interpreters(), sys.version_info[:2])
    missing = [kind for kind in PACKAGES if kind not in {each.packages for each in every}]
    failed = 0
    for trial in every:
        folder = ROOT / ".venv-{}.{}".format(*trial.version)
        try:
            _prepare(trial, folder)
        except subprocess.CalledProcessError:
            print(f"{trial}: could not be installed", flush=True)
            failed = 1
            continue
        before = getrusage(RUSAGE_CHILDREN)
        command = [str(folder / "bin/python"), "-m", "pytest", "-q", "--numprocesses", "2"]
        command += ["--dist", "loadscope", *SELECTION]
        code = subprocess.run(command, cwd=ROOT, check=False).returncode
        after = getrusage(RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(f"{trial}: {'failed' if code else 'passed'}, {seconds:.0f} CPU s", flush=True)
        failed |= code != 0
    if missing:
        print(f"note: no other Python here to try with the {' or the '.join(missing)} packages")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
