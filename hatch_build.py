"""Wheels with compiled code, for one minor version of Python and one numba: see `make wheel`."""

import os
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version as installed
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMMANDS = (
    "demo --quiet --out demo",
    "simulate sample: --jobs 0:200 -s easy -s value-density",
)
"""What users begin with: the wheel has what these compile, one after the other."""

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
    for line in commands:
        print(f"compiling for utilitysched {line} ...", file=sys.stderr, flush=True)
        words = (sys.executable, "-m", "utilitysched", *line.split())
        subprocess.run(words, cwd=scratch, stdout=subprocess.DEVNULL, check=True)
    kept, place = scratch / cache.fingerprint(), cache.folder_in_wheel().relative_to(root)
    folders = {kept / name: place / folder for name, folder in wheel.folders_of_sources().items()}
    for index in kept.rglob("*.nbi"):
        wheel.stamp(index)
    return {str(made): str(place) for made, place in folders.items() if made.is_dir()}
