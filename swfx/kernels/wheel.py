"""Compiled code that came with the wheel: read where it lies, and never written to.

`make wheel` compiles it for all processors of a family. numba looks for code for this very model,
and for the time stamps of this installation's files. What the wheel lacks it finds among what was
compiled here. The wheel's metadata demand the numba that made it: what is overridden is known.
"""

import pickle
from pathlib import Path
from typing import Any

from numba.core import caching
from numba.core.caching import IndexDataCacheFile

from swfx.kernels.cache import PACKAGES, compiled_sources, folder_in_wheel

ANY_MODEL = {
    "NUMBA_CPU_NAME": "generic",
    "NUMBA_CPU_FEATURES": "",
    "NUMBA_DISABLE_INTEL_SVML": "1",
}
"""Settings under which numba's code runs on all processors of a family, and needs no library."""

GENERIC = (ANY_MODEL["NUMBA_CPU_NAME"], ANY_MODEL["NUMBA_CPU_FEATURES"])

STAMP = "as the folder's name says"
"""In place of the time stamps of sources."""


def folders_of_sources() -> dict[str, Path]:
    """Return the folders of compiled sources in the packages, by numba's names for them."""
    name_of = caching._CacheLocator.get_suitable_cache_subpath
    return {name_of(str(path)): path.parent.relative_to(PACKAGES) for path in compiled_sources()}


def stamp(index: Path) -> None:
    """Have an index of compiled code stand for sources wherever they are; without code it goes."""
    with index.open("rb") as stream:
        pickle.load(stream)  # numba's version
        _, files = pickle.load(stream)
    index.unlink()
    if files := {key: name for key, name in files.items() if (index.parent / name).exists()}:
        IndexDataCacheFile(index.parent, index.stem, STAMP)._save_index(files)


def use_wheels_code() -> None:
    """Have numba look for compiled code in the wheel's folder, if there is one, before its own."""
    wheel = folder_in_wheel()
    if wheel.is_dir():
        _File.folders = {name: wheel / folder for name, folder in folders_of_sources().items()}
        setattr(caching, IndexDataCacheFile.__name__, _File)


class _File(IndexDataCacheFile):
    """Compiled code of one function."""

    folders: dict[str, Path] = {}  # noqa: RUF012

    def __init__(self, cache_path: str, filename_base: str, source_stamp: Any) -> None:
        super().__init__(cache_path, filename_base, source_stamp)
        folder = self.folders.get(Path(cache_path).name)
        self._wheels = folder and IndexDataCacheFile(folder, filename_base, STAMP)

    def load(self, key: Any) -> Any:
        """Return what numba made of the function for a signature; None if it is to be compiled."""
        code = None
        if self._wheels:
            signature, (family, *_), function = key
            code = self._wheels.load((signature, (family, *GENERIC), function))
        return super().load(key) if code is None else code
