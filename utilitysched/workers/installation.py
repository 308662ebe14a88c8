"""Fingerprint of what computes: the same on all machines that work together."""

import hashlib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, distributions, version
from importlib.util import find_spec
from pathlib import Path

from utilitysched.model.versions import package_versions

OURS = ("swfx", "checkpoint", "pricing", "utilitysched")

UNRELATED = {"cli", "description", "report", "series", "statistics", "__pycache__"}
"""Folders of ours that no task needs: an edit there is no other installation."""

ALSO = ("scipy", "dask", "distributed")
"""Packages that decide results, or what machines understand of each other, beside the recorded."""


@cache
def installation() -> Mapping[str, str]:
    """Return what has to be equal for results to be: versions, and a digest of our files.

    Distributions with plug-ins of ours count, too.
    """
    return (
        package_versions()
        | {name: _version(name) for name in ALSO}
        | _plugins()
        | {"files": _digest()}
    )


def differences(ours: Mapping[str, str], theirs: Mapping[str, str]) -> str:
    """Return how two installations differ, in words; empty if they do not.

    Examples
    --------
    >>> differences({"numpy": "2.4.1", "files": "ab"}, {"numpy": "2.3.0", "files": "ab"})
    'numpy 2.3.0 instead of 2.4.1'
    >>> differences({"files": "ab"}, {"files": "cd"})
    'other files of utilitysched'
    """
    told = [
        f"{name} {theirs.get(name, 'missing')} instead of {ours.get(name, 'none')}"
        for name in sorted({*ours, *theirs})
        if name != "files" and ours.get(name) != theirs.get(name)
    ]
    if not told and ours["files"] != theirs["files"]:
        told = ["other files of utilitysched"]
    return ", ".join(told)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def _plugins() -> dict[str, str]:
    """Return the versions of the distributions with entry points in groups of ours."""
    groups = tuple(f"{package}." for package in OURS)
    return {
        found.name: found.version
        for found in distributions()
        if any(point.group.startswith(groups) for point in found.entry_points)
    }


def _digest() -> str:
    """Return the sha256 (hex) of the files of ours that decide results, names included."""
    digest = hashlib.sha256()
    for folder in _folders():
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder.parent)
            if path.is_file() and UNRELATED.isdisjoint(name.parts):
                digest.update(f"{name.as_posix()}\n".encode())
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _folders() -> Iterator[Path]:
    for package in OURS:
        spec = find_spec(package)
        yield from (Path(folder) for folder in (spec and spec.submodule_search_locations) or ())
