"""Fingerprint of what computes: the same on all machines that work together."""

from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from swfx.base.plugins import OURS, file_digest, installed_plugins, module_places
from utilitysched.model.versions import package_versions

UNRELATED = {"cli", "description", "report", "series", "statistics", "__pycache__"}
"""Folders of ours that no task needs: an edit there is no other installation."""

ALSO = ("scipy", "dask", "distributed")
"""Packages that decide results, or what machines understand of each other, beside the recorded."""


@cache
def installation() -> Mapping[str, str]:
    """Return what has to be equal for results to be: versions, and a digest of our files.

    Code and versions of distributions with plug-ins of ours count, too.
    """
    return (
        package_versions()
        | {name: _version(name) for name in ALSO}
        | {name: f"{_version(name)} {digest}" for name, digest in installed_plugins().items()}
        | {
            "files": file_digest(
                (place for each in OURS for place in module_places(each)), UNRELATED
            )
        }
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
