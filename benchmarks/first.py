"""From nothing but Python to the first results: a clone, a wheel, and wheels of the plug-ins.

``python -m benchmarks first [--test] [PYTHON ...]``: with each interpreter, by default the 3.11,
3.12 and 3.13 that are on the path or pyenv has. The home directory is empty; of the environment the
path is kept, the language, and where pip finds packages. pip's cache is the user's: what it holds
is not downloaded again. ``--test`` runs ``make test`` in the clone, too.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from benchmarks.row import Row
from tests.versions import interpreters

ROOT = Path(__file__).parents[1]
KEPT = re.compile(r"PATH|LANG|LC_ALL|PIP_.*|.*_PROXY|.*CERT.*", re.IGNORECASE)
"""Environment variables that a new machine of the same site would have."""

FIRST_COMMANDS = {"centre": "ledger --help", "slurm": "slurm --help", "web": "serve --help"}
"""First command of each plug-in, by folder; each needs those before it."""

TABLE = "scheduler "
"""How the heading of a table begins."""


class Shown(NamedTuple):
    """Seconds on the clock until a program's first table, and until its end."""

    table: float
    end: float


class Place(NamedTuple):
    """A new user's home directory, and the environment variables of what runs there."""

    folder: Path
    environment: Mapping[str, str]

    def run(self, *command: str | Path, within: str = ".") -> Shown:
        """Run a program in a folder of the directory; raise `RuntimeError` where it fails."""
        began, table, lines = time.perf_counter(), 0.0, []
        with subprocess.Popen(
            [str(part) for part in command],
            cwd=self.folder / within,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as process:
            for line in process.stdout or ():
                lines.append(line)
                if line.startswith(TABLE) and not table:
                    table = time.perf_counter() - began
        if process.returncode:
            raise RuntimeError(f"{' '.join(map(str, command))} failed: {''.join(lines[-20:])}")
        return Shown(table, time.perf_counter() - began)

    def megabytes(self, name: str) -> float:
        """Return the size of a folder of the directory (MB)."""
        paths = (self.folder / name).rglob("*")
        return sum(path.lstat().st_size for path in paths) / 1e6


def main(arguments: list[str]) -> int:
    """Print the rows of each interpreter; return the exit code."""
    test = "--test" in arguments
    named = [argument for argument in arguments if argument != "--test"]
    for python in named or interpreters().values():
        with tempfile.TemporaryDirectory() as folder:
            place = Place(Path(folder), _environment(folder))
            for row in chain(_from_a_clone(place, python, test=test), _from_wheels(place, python)):
                print(f"{Path(python).resolve().name}: {row.line()}", flush=True)
    return 0


def _environment(home: str) -> dict[str, str]:
    asked = [sys.executable, "-m", "pip", "cache", "dir"]
    cache = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    kept = {key: value for key, value in os.environ.items() if KEPT.fullmatch(key)}
    own = str(Path(sys.executable).parent)
    kept["PATH"] = ":".join(each for each in kept["PATH"].split(":") if each != own)
    return kept | {"HOME": home, "PIP_CACHE_DIR": cache}


def _from_a_clone(place: Place, python: str, *, test: bool) -> Iterator[Row]:
    place.run("git", "clone", "--quiet", ROOT, "clone")
    demo = place.run("make", "demo", f"PYTHON={python}", within="clone")
    yield Row("clone, make demo: first table", demo.table, "s", 25)
    yield Row("clone, make demo", demo.end, "s", 45)
    yield Row("clone, .venv", place.megabytes("clone/.venv"), "MB")
    if test:
        seconds = place.run("make", "test", f"PYTHON={python}", within="clone").end
        yield Row("clone, make test", seconds, "s")


def _from_wheels(place: Place, python: str) -> Iterator[Row]:
    """Yield what wheels of the clone take in an environment that has nothing else."""
    _build(place)
    place.run(python, "-m", "venv", "fresh")
    install = (place.folder / "fresh/bin/python", "-m", "pip", "install", "--quiet")
    installed = place.run(*install, *place.folder.glob("clone/dist/utilitysched-*.whl"))
    yield Row("wheel, pip install", installed.end, "s")
    demo = place.run(place.folder / "fresh/bin/utilitysched", "demo")
    yield Row("wheel, utilitysched demo: first table", demo.table, "s")
    yield Row("wheel, utilitysched demo", demo.end, "s")
    yield Row("wheel, environment", place.megabytes("fresh"), "MB")
    for name, command in FIRST_COMMANDS.items():
        began = time.perf_counter()
        place.run(*install, *place.folder.glob(f"clone/dist/utilitysched_{name}-*.whl"))
        place.run(place.folder / "fresh/bin/utilitysched", *command.split())
        yield Row(f"wheel of {name}, {command}", time.perf_counter() - began, "s")


def _build(place: Place) -> None:
    """Make wheels in dist, that of the core with compiled code."""
    place.run("make", "wheel", within="clone")
    wheel = ("-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", "dist")
    plugins = (f"./plugins/{name}" for name in FIRST_COMMANDS)
    place.run(place.folder / "clone/.venv/bin/python", *wheel, *plugins, within="clone")
