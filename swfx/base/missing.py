"""Commands that install a package, or a distribution made beside this one, that is missing.

The sentence is the same everywhere: the need, the package that is not installed, and the command
that installs it into the environment that runs. A package is named by the requirement that the
metadata of our distributions declare, ``pip install 'pyarrow>=18'``: that is right in a clone,
behind a wheel and for a plug-in alike, and needs no index with our distributions on it. These are
named by where they lie: a folder of the clone or of the repository, or the wheel beside the one
that was installed.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, distribution, distributions
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from swfx.base.errors import InputError

__all__ = ["importing", "install_command", "missing_package", "plugin_remedy"]

CORE = "utilitysched"
SOURCE = Path(__file__).parents[2]

ANEW = "--force-reinstall"
"""Option of pip that installs again what is there already."""


@contextmanager
def importing(need: str, package: str) -> Iterator[None]:
    """Import an optional package in the block, or refuse with the command that installs it.

    Parameters
    ----------
    need : str
        What needs the package, a singular noun for the message.
    package : str
        Name of the distribution, which is that of the module but for ``-``.

    Raises
    ------
    InputError
        The package is not installed, or cannot be loaded.

    Examples
    --------
    >>> with importing("a trip to the moon", "rocket"):  # doctest: +ELLIPSIS
    ...     import rocket
    Traceback (most recent call last):
    swfx.base.errors.InputError: a trip to the moon needs rocket, which is not installed; ...
    """
    try:
        yield
    except ImportError as error:
        problem, words = "is not installed", [_requirement(package) or package]
        if not _is_absent(package, error):
            problem, words = f"cannot be loaded: {error}", [ANEW, *words]
        raise InputError(
            f"{need} needs {package}, which {problem}", remedy=install_command(*words)
        ) from error


def missing_package(error: ImportError) -> InputError | None:
    """Return what to say about a package that our distributions declare and that is missing.

    None if none of them declares it, which is a mistake of ours.

    Examples
    --------
    >>> missing_package(ModuleNotFoundError("No module named 'rocket'", name="rocket"))
    """
    package = _normal(_module(error))
    requirement = _requirement(package)
    if package == CORE or requirement is None or not _is_absent(package, error):
        return None
    ours = package.startswith(f"{CORE}-")
    return InputError(
        f"this command needs {package}, which is not installed",
        remedy=plugin_remedy([package]) if ours else install_command(requirement),
    )


def install_command(*words: str) -> str:
    """Return the command line that installs into the environment that runs, by pip if it has one.

    Parameters
    ----------
    *words : str
        Requirements, paths and options; those that a shell would change are quoted.
    """
    beside = shutil.which("pip")
    if beside and Path(beside).parent == Path(sys.executable).parent:
        return shlex.join(("pip", "install", *words))
    by_pip = shlex.join((sys.executable, "-m", "pip", "install", *words))
    if find_spec("pip"):
        return by_pip
    if shutil.which("uv"):
        return shlex.join(("uv", "pip", "install", "--python", sys.executable, *words))
    return f"{shlex.join((sys.executable, '-m', 'ensurepip'))} && {by_pip}"


def plugin_remedy(names: Sequence[str]) -> str:
    """Return the command line that installs distributions which are made beside the core.

    In its place a sentence says which wheels to fetch where neither a clone, nor a repository, nor
    a wheel of each is known.

    Parameters
    ----------
    names : sequence of str
        Distributions, each of which needs those before it. Those that are installed are left out,
        but for the last, if all of them are: its command cannot be loaded.
    """
    installed = {_normal(each.name or "") for each in distributions()}
    absent = [name for name in names if name not in installed] or names[-1:]
    version, origin = _core()
    url = origin.get("url", "")
    place = Path(unquote(urlsplit(url).path) if url.startswith("file:") else ".")
    if "dir_info" in origin and place.is_dir():
        return _from_folder(place, absent, editable=origin["dir_info"].get("editable", False))
    if vcs := origin.get("vcs_info"):
        source = f"{vcs['vcs']}+{url}@{vcs['commit_id']}#subdirectory="
        return install_command(*(f"{source}{_folder(name)}" for name in absent))
    if not origin and (SOURCE / "plugins").is_dir():
        return _from_folder(SOURCE, absent, editable=True, core=not version)
    files = (f"{name.replace('-', '_')}-{version}-py3-none-any.whl" for name in absent)
    wheels = [place.parent / file for file in files]
    if all(each.exists() for each in wheels):
        return install_command(*map(str, wheels))
    return f"install the wheels of {', '.join(absent)} from where that of {CORE} came from"


def _from_folder(place: Path, names: Sequence[str], *, editable: bool, core: bool = False) -> str:
    """Return the command that installs plug-ins of a clone, and the core where that is missing."""
    folders = [*([place] if core else []), *(place / _folder(name) for name in names)]
    option = ("-e",) if editable else ()
    return install_command(*(word for each in folders for word in (*option, str(each))))


def _folder(name: str) -> str:
    return f"plugins/{name.removeprefix(f'{CORE}-')}"


def _core() -> tuple[str, dict[str, Any]]:
    """Return the core's version, and what pip noted of a source that is no index (PEP 610).

    Both are empty where the core runs from its source and is not installed.
    """
    try:
        core = distribution(CORE)
    except PackageNotFoundError:
        return "", {}
    return core.version, json.loads(core.read_text("direct_url.json") or "{}")


def _requirement(package: str) -> str | None:
    """Return the requirement of a package as a distribution of ours declares it."""
    for owner in distributions():
        if _normal(owner.name or "").startswith(CORE):
            for line in owner.requires or ():
                requirement = line.partition(";")[0].strip()
                if _normal(re.split(r"[\[<>=!~ ]", requirement)[0]) == _normal(package):
                    return requirement
    return None


def _is_absent(package: str, error: ImportError) -> bool:
    return isinstance(error, ModuleNotFoundError) and _module(error) == _normal(package)


def _module(error: ImportError) -> str:
    return _normal((error.name or "").partition(".")[0])


def _normal(name: str) -> str:
    """Return the name of a distribution as all that means the same is written (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()
