"""Wheels of the core and of the distributions beside it, in an environment with nothing else.

The environment has what their metadata declare, linked from the one that runs the tests: an import
that no distribution declares fails here, and nothing is downloaded.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from collections.abc import Iterator, Set
from importlib.metadata import Distribution, distribution, distributions, version
from pathlib import Path
from urllib.request import HTTPCookieProcessor, build_opener
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

pytestmark = [pytest.mark.slow, pytest.mark.wheels]

ROOT = Path(__file__).parents[2]
PLUGINS = ("centre", "slurm", "web")
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")

COMPILED = {"HATCH_BUILD_HOOK_ENABLE_CUSTOM": "true"}  # as `make wheel` says
SUFFIXES = (".nbi", ".nbc")

EXPERIMENT = """
name = "wheels"
[[workload]]
source = "log.swfx"
[schedulers]
names = ["fcfs", "easy"]
baseline = "fcfs"
"""

QUOTE = (
    "quote runs/easy --at 1h --processors 2 --request 1h --samples 2 --mechanism single-price"
    " --limit 1h"
)
CORE = (
    "demo --quiet",
    "simulate sample: -s easy -s value-density -s ga",
    "list formats",  # presets are files beside the code
    "generate lublin jobs=40 machine_size=32 --utilities factor=3 -o log.swfx",
    "simulate log.swfx -s easy -o runs",
    "report runs",
    "bill runs/easy --mechanism single-price",
    QUOTE,
    "audit log.swfx --jobs 0:12 -s easy -m single-price --lie request --sample 2 -o audit",
)
OF_CENTRE = (
    "ledger init books.db",
    "ledger endow books.db user:1 1000",
    "ledger balance books.db",
    "invoice runs/easy --mechanism single-price --html invoices",
)


class Environment:
    """A virtual environment with distributions of ours, and those that they need."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        venv.create(folder / "venv", symlinks=True)
        self._bin = folder / "venv" / "bin"
        [self.packages] = folder.glob("venv/lib/python*/site-packages")

    def install(self, wheel: Path) -> None:
        """Install a wheel of ours, and link what it needs."""
        into = ("--python", str(self._bin / "python"))
        _run(*PIP, *into, "install", "--quiet", "--no-deps", "--no-index", str(wheel))
        [made] = distributions(name=wheel.name.split("-")[0], path=[str(self.packages)])
        for need in needed(made):
            tops = {file.parts[0] for file in need.files or ()}
            for top in (
                tops - {"..", "__pycache__"} - {path.name for path in self.packages.iterdir()}
            ):
                (self.packages / top).symlink_to(Path(str(need.locate_file(top))))

    def start(self, line: str) -> subprocess.Popen[str]:
        """Start a command in the folder of the environment, with no path to sources or caches."""
        unset = ("PYTHONPATH", "NUMBA_CACHE_DIR")
        settings = {key: text for key, text in os.environ.items() if key not in unset}
        return subprocess.Popen(
            [self._bin / "utilitysched", *line.split()],
            cwd=self.folder,
            env=settings | {"PATH": str(self._bin), "HOME": str(self.folder)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def ended(self, line: str) -> tuple[int, str]:
        """Run a command; its exit code, and all that it prints."""
        with self.start(line) as process:
            said = "".join(process.communicate())
        return process.returncode, said


def needed(made: Distribution, extras: Set[str] = frozenset()) -> Iterator[Distribution]:
    """Yield the distributions that one needs, and those that these need, but none of ours."""
    for requirement in map(Requirement, made.requires or ()):
        ours = canonicalize_name(requirement.name).startswith("utilitysched")
        settings = [{"extra": extra} for extra in ("", *extras)]
        applies = requirement.marker is None or any(map(requirement.marker.evaluate, settings))
        if applies and not ours:
            need = distribution(requirement.name)
            yield need
            yield from needed(need, requirement.extras)


def _run(*words: str, **settings: str) -> None:
    done = subprocess.run(
        words, env=os.environ | settings, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def _build(source: Path, folder: Path, **settings: str) -> Path:
    offline = ("--no-deps", "--no-index", "--no-build-isolation")
    _run(*PIP, "wheel", "--quiet", *offline, "--wheel-dir", str(folder), str(source), **settings)
    [wheel] = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Wheel of the core with its compiled code, and of each plug-in, by name."""
    folder = tmp_path_factory.mktemp("wheels")
    made = {name: _build(ROOT / "plugins" / name, folder / name) for name in PLUGINS}
    return made | {"core": _build(ROOT, folder / "core", **COMPILED)}


@pytest.fixture(scope="module")
def environment(wheels: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with the core alone, in which its commands have run."""
    made = Environment(tmp_path_factory.mktemp("environment"))
    (made.folder / "experiment.toml").write_text(EXPERIMENT)
    made.install(wheels["core"])
    succeed(made, CORE)
    return made


def succeed(environment: Environment, lines: tuple[str, ...]) -> None:
    for line in lines:
        code, said = environment.ended(line)
        assert code == 0, f"{line}: {said}"


def is_refused(environment: Environment, line: str, why: str) -> None:
    code, said = environment.ended(line)
    assert code == 2
    assert why in " ".join(said.split())  # lines are filled


def compiled_code(wheel: Path) -> dict[str, bytes]:
    """Files with compiled code in a wheel."""
    with ZipFile(wheel) as files:
        return {name: files.read(name) for name in files.namelist() if name.endswith(SUFFIXES)}


def test_the_commands_of_the_core_compile_nothing(
    environment: Environment, wheels: dict[str, Path]
) -> None:
    folder = environment.folder
    code = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.suffix in SUFFIXES}
    in_wheel = compiled_code(wheels["core"])

    assert code == {str(environment.packages.relative_to(folder) / name) for name in in_wheel}
    assert all((environment.packages / name).read_bytes() == in_wheel[name] for name in in_wheel)


def test_compiled_code_is_the_same_in_every_wheel_and_for_one_numba(
    wheels: dict[str, Path], tmp_path: Path
) -> None:
    [made] = distributions(path=[str(wheels["core"])])
    needs = {need.name: need.specifier for need in map(Requirement, made.requires or ())}
    again = _build(ROOT, tmp_path, **COMPILED)

    assert f"-cp{sys.version_info.major}{sys.version_info.minor}-linux_" in again.name
    assert str(needs["numba"]) == f"=={version('numba')}"
    assert compiled_code(again).keys() == compiled_code(wheels["core"]).keys() != set()


def test_each_wheel_does_its_part_beside_those_that_it_needs(
    environment: Environment, wheels: dict[str, Path]
) -> None:
    is_refused(environment, "experiment run experiment.toml", "pip install 'scipy>=1.15'")

    is_refused(
        environment,
        "ledger balance books.db",
        "install the wheels of utilitysched-centre from where",
    )
    environment.install(wheels["centre"])
    succeed(environment, OF_CENTRE)

    is_refused(environment, "slurm check", "install the wheels of utilitysched-slurm from where")
    environment.install(wheels["slurm"])
    is_refused(environment, "slurm check", "scontrol")  # the environment has no Slurm

    is_refused(environment, "token alice", "install the wheels of utilitysched-web from where")
    environment.install(wheels["web"])
    succeed(environment, ("token alice --key-file key",))
    with environment.start("serve runs/easy --port 0 --key-file key") as server:
        assert server.stderr is not None
        link = next(line for line in server.stderr if line.startswith("sign in: ")).split()[-1]
        page = build_opener(HTTPCookieProcessor()).open(link).read().decode()
        server.terminate()
    assert "Sign in as operator" in page
