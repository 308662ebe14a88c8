"""Each extra removed in turn: what needs it says what to type, in one line."""

from __future__ import annotations

import shlex
import sys
import tomllib
from pathlib import Path

import pytest

from tests.utilitysched.cli.conftest import ROOT, Command, refused, run_without

TOOLS = {"dev", "docs"}
"""Extras for those who work on the code; no command needs them."""

GRID = """
name = "grid"
[[workload]]
source = "sample:"
jobs = ["0:20"]
[schedulers]
names = ["easy", "fcfs"]
baseline = "easy"
"""

NEEDED = {
    "zstd": (
        "zstd needs zstandard",
        "convert sample: -o out.swf.zst",
        "generate lublin jobs=10 machine_size=4 -o out.swf.zst",
        "check log.swf.zst",
        "describe log.swf.zst",
        "simulate log.swf.zst --scheduler easy",
    ),
    "parquet": (
        "Parquet needs pyarrow",
        "convert sample: -o out.parquet",
        "generate lublin jobs=10 machine_size=4 -o out.parquet",
        "check parquet:log.parquet",
        "simulate parquet:log.parquet --scheduler easy",
    ),
    "cluster": (
        "running on Dask needs distributed",
        "experiment run grid.toml --dask local:1",
        "compare easy fcfs --dask local:1",
        "bill RUNS/easy --mechanism vcg:method=replay --dask local:1",
        "learn nonlinear sample: -o out.toml --dask local:1",
    ),
    "exact": ("an exact optimum needs ortools", "decision bound queue.json"),
    "statistics": (
        "needs scipy",
        "compare easy fcfs",
        "experiment run grid.toml",
        "learn nonlinear sample: -o out.toml",
        "augment sample: -o out.swfx --utilities none --elicited answers.csv",
    ),
}
"""By extra: what refusals begin with or hold, and the commands that are refused."""

FILES = {
    "log.swf.zst": b"\x28\xb5\x2f\xfd" + bytes(20),
    "log.parquet": b"PAR1" + bytes(20) + b"PAR1",
    "grid.toml": GRID.encode(),
    "answers.csv": b"user,processors,request,factor,willingness\n19,1,60,2,2\n19,1,60,1,1\n",
}


def declared() -> dict[str, list[str]]:
    """Requirements by extra."""
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    extras: dict[str, list[str]] = tomllib.loads(text)["project"]["optional-dependencies"]
    return {name: needs for name, needs in extras.items() if name not in TOOLS}


def package(requirement: str) -> str:
    return requirement.partition(">=")[0]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a run, with a bill."""
    from utilitysched.cli.entry import run as run_command

    folder = tmp_path_factory.mktemp("extras") / "runs"
    for line in (
        f"simulate sample: --jobs 0:20 --scheduler easy --out {folder} --quiet",
        f"bill {folder}/easy --quiet",
        f"decision snapshot {folder}/easy --at 1h -o {folder}/queue.json --quiet",
    ):
        assert run_command(line.split()) == 0
    return folder


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, runs: Path) -> pytest.MonkeyPatch:
    """A folder of inputs, in which packages are about to be missing."""
    monkeypatch.chdir(tmp_path)
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "queue.json").write_bytes((runs / "queue.json").read_bytes())
    monkeypatch.delitem(sys.modules, "utilitysched.exact.model", raising=False)
    return monkeypatch


def test_every_extra_has_its_commands() -> None:
    assert set(declared()) == set(NEEDED)
    assert all(len(needs) == 1 for needs in declared().values())


@pytest.mark.parametrize(
    ("extra", "line"), [(extra, line) for extra, (_, *lines) in NEEDED.items() for line in lines]
)
def test_a_command_without_its_extra_says_what_to_type(
    extra: str, line: str, command: Command, runs: Path, without: pytest.MonkeyPatch
) -> None:
    [requirement] = declared()[extra]
    name = package(requirement)
    for module in [name, *(each for each in sys.modules if each.startswith(f"{name}."))]:
        without.setitem(sys.modules, module, None)

    answer = command(*shlex.split(line.replace("RUNS", str(runs))))

    refused(answer, NEEDED[extra][0], ", which is not installed; ")
    assert answer.err.endswith(f" install '{requirement}'\n")
    assert not list(Path().glob("out*")), "something half-written"


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("numba", "simulate sample:"),
        ("deap", "simulate sample: -s ga"),
        ("pydantic", "experiment status grid.toml"),
        ("altair", "report RUNS"),
        ("pandas", "bill RUNS/easy"),
    ],
)
def test_a_dependency_that_has_gone_is_no_bug(
    name: str, line: str, runs: Path, tmp_path: Path
) -> None:
    """As where a clone was updated, and its environment not."""
    (tmp_path / "grid.toml").write_text(GRID)

    answer = run_without(name, *line.replace("RUNS", str(runs)).split(), folder=tmp_path)

    refused(answer, f"this command needs {name}, which is not installed; ")
