"""Wheels with compiled code, for one minor version of Python and one numba: see `make wheel`."""

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version as installed
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LOG = "lublin jobs=40 machine_size=32 -o log"
SIMULATE = "simulate sample: --jobs 0:200 --out"
ORDERINGS = (
    "-s value-density -s value-and-delay -s cost-of-delay -s index"
    " -s saf -s spf -s wfp3 -s unicef -s lexp"
)
OTHERS = "-s easy:restarts=true -s easy:reserve=1 -s climb -s select -s ga:preset=lee"
COMMANDS = (
    "demo --quiet --out demo",
    f"generate {LOG}.swfx --utilities factor=3",
    f"generate {LOG}.swf",
    "augment log.swf -o augmented.swfx",
    f"{SIMULATE} orderings {ORDERINGS}",
    f"{SIMULATE} others {OTHERS}",
    "bill orderings/value-density --mechanism vcg",
    "bill orderings/value-density --mechanism vcg:method=replay,horizon=24h --processes 1",
    "quote orderings/saf --at 1h --processors 2 --request 1h --samples 2",
    "audit log.swfx --jobs 0:12 -s easy -m vcg --lie request --sample 2 --processes 1",
    "ceiling sample: --jobs 0:100",
)
"""What users begin with: the wheel has what these compile, one after the other."""

LOADED = re.compile(r"data loaded from '(.+)'")
PINNED = ("numba", "llvmlite")


class CompiledCode(BuildHookInterface[Any]):
    """Adds to a wheel what commands compile that start without compiled code."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, except for an editable installation: its sources will change."""
        self._scratch = TemporaryDirectory(prefix="compiled-")
        if version == "standard":
            build_data["force_include"] |= compiled(Path(self.root), Path(self._scratch.name))
            build_data["dependencies"] += [f"{name}=={installed(name)}" for name in PINNED]
            build_data |= {"pure_python": False, "infer_tag": True}

    def finalize(self, *_: object) -> None:
        """Remove what the wheel has now."""
        self._scratch.cleanup()


def compiled(root: Path, scratch: Path, commands: Sequence[str] = COMMANDS) -> dict[str, str]:
    """Return the folders of what the commands compile, each with its place in the wheel."""
    for name in [name for name in os.environ if name.startswith("NUMBA_")]:
        del os.environ[name]
    sys.path.insert(0, str(root))
    os.environ |= {"NUMBA_CACHE_DIR": str(scratch), "PYTHONPATH": str(root)}
    cache, wheel = import_module("swfx.kernels.cache"), import_module("swfx.kernels.wheel")
    os.environ |= wheel.ANY_MODEL
    kept, place = scratch / cache.fingerprint(), cache.folder_in_wheel().relative_to(root)
    for line in commands:
        print(f"compiling for utilitysched {line} ...", file=sys.stderr, flush=True)
        _run(line, scratch / "first")
    loaded = _loaded(commands, scratch / "second")
    for code in kept.rglob("*.nbc"):
        if str(code) not in loaded:
            code.unlink()
    for index in kept.rglob("*.nbi"):
        wheel.stamp(index)
    folders = {kept / name: place / folder for name, folder in wheel.folders_of_sources().items()}
    return {str(made): str(place) for made, place in folders.items() if made.is_dir()}


def _run(line: str, folder: Path) -> str:
    folder.mkdir(exist_ok=True)
    words = (sys.executable, "-m", "utilitysched", *line.split())
    return subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, text=True, check=True).stdout


def _loaded(commands: Sequence[str], folder: Path) -> set[str]:
    """Return the files that the commands load when they run again.

    The others, two thirds of the bytes, are of functions whose code is in that of their callers.
    """
    os.environ["NUMBA_DEBUG_CACHE"] = "1"
    return {path for line in commands for path in LOADED.findall(_run(line, folder))}
