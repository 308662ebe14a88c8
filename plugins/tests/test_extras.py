"""Each extra of the plug-ins removed in turn, and each plug-in not installed."""

from __future__ import annotations

import sys
import tomllib
from importlib.metadata import distributions
from pathlib import Path

import pytest

import utilitysched_web
from swfx import InputError
from tests.pages import ROOT
from tests.utilitysched.cli.conftest import Command, refused, run_without
from utilitysched.cli.app import COMMANDS
from utilitysched.cli.installed import DISTRIBUTIONS
from utilitysched.cli.layout import SECTIONS
from utilitysched_slurm.metrics import Metrics

PROJECTS = {
    path.parent.name: tomllib.loads(path.read_text("utf-8"))["project"]
    for path in sorted(ROOT.glob("plugins/*/pyproject.toml"))
}
POINTS = "utilitysched.commands"


def requirement(plugin: str, extra: str) -> str:
    first: str = PROJECTS[plugin]["optional-dependencies"][extra][0]
    return first


def test_every_extra_is_tried() -> None:
    extras = {
        (name, extra)
        for name, project in PROJECTS.items()
        for extra in project["optional-dependencies"]
    }

    assert extras == {("centre", "postgresql"), ("slurm", "prometheus"), ("web", "notebook")}


@pytest.mark.parametrize("line", ["init", "balance", "verify"])
def test_a_ledger_in_postgresql_needs_psycopg(
    line: str, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)

    answer = command("ledger", line, "postgresql://me@/books")

    refused(answer, "a ledger in PostgreSQL needs psycopg, which is not installed; ")
    assert answer.err.endswith(f" install '{requirement('centre', 'postgresql')}'\n")


def test_serving_metrics_needs_prometheus_client(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "prometheus_client", None)

    with pytest.raises(InputError) as refusal:
        Metrics(0)

    text = str(refusal.value)
    assert text.startswith("serving metrics needs prometheus-client, which is not installed; ")
    assert text.endswith(f" install '{requirement('slurm', 'prometheus')}'")


def test_the_curve_editor_needs_anywidget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "utilitysched_web.notebook", raising=False)
    monkeypatch.setitem(sys.modules, "anywidget", None)

    with pytest.raises(InputError) as refusal:
        _ = utilitysched_web.CurveEditor

    text = str(refusal.value)
    assert text.startswith("the curve editor needs anywidget, which is not installed; ")
    assert text.endswith(f" install '{requirement('web', 'notebook')}'")


@pytest.mark.parametrize("name", ["fastapi", "uvicorn", "python-multipart", "sqlalchemy"])
def test_serving_without_a_dependency_is_no_bug(name: str, tmp_path: Path) -> None:
    line = ("serve", "--port", "0", "--key-file", "key")

    answer = run_without(name.replace("-", "_"), *line, folder=tmp_path)

    assert answer.code == 2
    assert f"\nerror: this command needs {name}, which is not installed; " in f"\n{answer.err}"
    [needed] = [
        each
        for made in PROJECTS.values()
        for each in made["dependencies"]
        if each.startswith(f"{name}>=")
    ]
    assert answer.err.endswith(f" install '{needed}'\n")


def test_the_core_knows_the_commands_of_each_plugin() -> None:
    entered = {
        f"utilitysched-{name}": set(made["entry-points"][POINTS]) for name, made in PROJECTS.items()
    }

    assert {name: set(commands.split()) for name, commands in DISTRIBUTIONS.items()} == entered
    for number, name in enumerate(DISTRIBUTIONS):
        needs = PROJECTS[name.removeprefix("utilitysched-")]["dependencies"]
        ours = {each.partition("==")[0] for each in needs} - {"utilitysched"}
        assert ours & set(DISTRIBUTIONS) <= set(list(DISTRIBUTIONS)[:number])


@pytest.mark.parametrize(
    ("name", "line"),
    [(name, line) for name, commands in DISTRIBUTIONS.items() for line in commands.split()],
)
def test_a_command_of_a_plugin_that_is_not_installed_says_what_to_type(
    name: str, line: str, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = [each for each in distributions() if each.name != name]
    monkeypatch.setattr("swfx.base.missing.distributions", lambda: iter(others))
    monkeypatch.delitem(COMMANDS._entries, line)
    monkeypatch.delitem(COMMANDS._made, line, raising=False)
    monkeypatch.delitem(SECTIONS, name)

    answer = command(line, "--whatever")

    refused(answer, f"the command {line} is not installed; ", " install -e ", "; see utilitysched")
    assert answer.err.count("plugins/") == 1
    assert f"plugins/{name.removeprefix('utilitysched-')}; see" in answer.err
