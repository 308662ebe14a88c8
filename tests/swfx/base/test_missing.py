"""Commands that install what is missing: in a clone, behind a wheel, beside any pip."""

from __future__ import annotations

import json
import shlex
import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from swfx.base import missing
from swfx.base.errors import InputError
from swfx.base.missing import importing, install_command, missing_package, plugin_remedy

PLUGINS = ["utilitysched-kitchen", "utilitysched-bath"]


class Core:
    """The core's distribution, with what pip has noted of where it came from."""

    version = "0.1.0"

    def __init__(self, origin: dict[str, object] | None) -> None:
        self.origin = origin

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return None if self.origin is None else json.dumps(self.origin)


@pytest.fixture
def with_pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment whose pip is the first on the path."""
    pip = tmp_path / "bin/pip"
    pip.parent.mkdir()
    pip.write_text("#!/bin/sh\n")
    pip.chmod(0o755)
    monkeypatch.setenv("PATH", str(pip.parent))
    monkeypatch.setattr(sys, "executable", str(pip.with_name("python")))
    return tmp_path


@pytest.fixture(autouse=True)
def installed_without_source(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The folder of the packages has no plug-ins beside it."""
    monkeypatch.setattr(missing, "SOURCE", tmp_path)


def words(origin: dict[str, object] | None, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(missing, "distribution", lambda _: Core(origin))
    command = shlex.split(plugin_remedy(PLUGINS))
    assert command[:2] == ["pip", "install"]
    return command[2:]


def test_the_pip_of_another_environment_is_not_named(
    with_pip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert install_command("pyarrow>=18") == "pip install 'pyarrow>=18'"

    monkeypatch.setattr(sys, "executable", "/elsewhere/bin/python")

    assert install_command("rich") == "/elsewhere/bin/python -m pip install rich"


def test_an_environment_without_pip_is_given_one_unless_there_is_uv(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(missing, "find_spec", lambda _: None)
    monkeypatch.setattr(sys, "executable", "/bare/python")
    monkeypatch.setenv("PATH", str(tmp_path))

    assert install_command("rich") == (
        "/bare/python -m ensurepip && /bare/python -m pip install rich"
    )

    uv = tmp_path / "uv"
    uv.touch(0o755)
    assert install_command("rich>=13") == "uv pip install --python /bare/python 'rich>=13'"


def test_plugins_are_installed_from_the_clone_as_the_core_is(
    with_pip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone = with_pip / "a clone"
    clone.mkdir()
    kitchen, bath = (str(clone / "plugins" / name) for name in ("kitchen", "bath"))
    origin: dict[str, object] = {"url": clone.as_uri(), "dir_info": {}}

    assert words(origin, monkeypatch) == [kitchen, bath]
    assert words(origin | {"dir_info": {"editable": True}}, monkeypatch) == [
        "-e", kitchen, "-e", bath,
    ]  # fmt: skip


def test_plugins_are_installed_from_wheels_where_the_core_is_from_one(
    with_pip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = with_pip / "utilitysched-0.1.0-py3-none-any.whl"
    files = [f"utilitysched_{name}-0.1.0-py3-none-any.whl" for name in ("kitchen", "bath")]
    for file in files:
        (with_pip / file).touch()
    origin: dict[str, object] = {"url": wheel.as_uri(), "archive_info": {}}
    gone: dict[str, object] = {"url": (with_pip / "gone").as_uri(), "dir_info": {}}

    assert words(origin, monkeypatch) == [str(with_pip / file) for file in files]
    assert words(gone, monkeypatch) == [str(with_pip / file) for file in files]


def test_plugins_are_installed_from_the_commit_of_the_core(
    with_pip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    origin: dict[str, object] = {
        "url": "https://example.org/market.git",
        "vcs_info": {"vcs": "git", "commit_id": "0a1b", "requested_revision": "main"},
    }

    assert words(origin, monkeypatch) == [
        f"git+https://example.org/market.git@0a1b#subdirectory=plugins/{name}"
        for name in ("kitchen", "bath")
    ]


@pytest.mark.parametrize("of_a_core", [True, False])
def test_plugins_are_installed_from_the_source_that_runs(
    with_pip: Path, monkeypatch: pytest.MonkeyPatch, *, of_a_core: bool
) -> None:
    (with_pip / "plugins").mkdir()

    def core(_: str) -> Core:
        if of_a_core:
            return Core(None)
        raise PackageNotFoundError

    monkeypatch.setattr(missing, "distribution", core)
    folders = [with_pip / "plugins" / name for name in ("kitchen", "bath")]
    if not of_a_core:
        folders.insert(0, with_pip)

    assert plugin_remedy(PLUGINS) == "pip install " + " ".join(f"-e {each}" for each in folders)


@pytest.mark.parametrize(
    "origin", [None, {"url": "https://example.org/utilitysched.whl", "archive_info": {}}]
)
def test_no_command_names_a_wheel_that_is_nowhere(
    with_pip: Path, monkeypatch: pytest.MonkeyPatch, origin: dict[str, object] | None
) -> None:
    monkeypatch.setattr(missing, "distribution", lambda _: Core(origin))

    assert plugin_remedy(PLUGINS) == (
        "install the wheels of utilitysched-kitchen, utilitysched-bath from where that of"
        " utilitysched came from"
    )


def test_of_plugins_that_are_installed_the_last_is_installed_again(
    with_pip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (with_pip / "plugins").mkdir()
    monkeypatch.setattr(missing, "distribution", lambda _: Core(None))

    assert plugin_remedy(["numpy", "rich"]) == f"pip install -e {with_pip}/plugins/rich"


def test_what_is_there_and_cannot_be_loaded_is_not_called_missing() -> None:
    with pytest.raises(InputError) as refusal, importing("a test", "scipy"):
        raise ImportError("libopenblas.so: cannot open", name="scipy.linalg")

    assert str(refusal.value).startswith(
        "a test needs scipy, which cannot be loaded: libopenblas.so: cannot open; "
    )
    assert str(refusal.value).endswith(" install --force-reinstall 'scipy>=1.15'")


def test_only_packages_that_are_declared_are_said_to_be_missing() -> None:
    ours = missing_package(ModuleNotFoundError(name="numba.core"))

    assert ours is not None
    assert str(ours).startswith("this command needs numba, which is not installed; ")
    assert str(ours).endswith(" install 'numba>=0.60'")
    assert missing_package(ModuleNotFoundError(name="numby")) is None
    assert missing_package(ModuleNotFoundError(name="utilitysched.cli.nowhere")) is None
    assert missing_package(ImportError("cannot import name 'x'", name="numba")) is None
