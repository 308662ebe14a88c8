"""`utilitysched list`: what the registries hold."""

from __future__ import annotations

import json
from typing import Any

import pytest

from checkpoint import ANNOTATIONS
from pricing.registry import MECHANISMS
from swfx.families.annotators import ANNOTATORS
from swfx.families.exporters import EXPORTERS
from swfx.families.formats.registry import IMPORTERS
from swfx.families.generators import MODELS
from swfx.families.transforms import TRANSFORMS
from swfx.families.utilities.registry import UTILITY_MODELS
from swfx.reading.sources import open_workload
from tests.utilitysched.cli.conftest import Command
from utilitysched import make_scheduler, scheduler_names

MODEL_FAMILIES = {**ANNOTATORS, "utilities": UTILITY_MODELS, "checkpoints": ANNOTATIONS}
LISTED: dict[str, tuple[list[str], list[str]]] = {
    "schedulers": (scheduler_names(), []),
    "mechanisms": (list(MECHANISMS.names()), ["  single-price: rate=1 "]),
    "models": (
        [*MODELS, *(name for family in MODEL_FAMILIES.values() for name in family.names())],
        [
            "\n  random: shares=1:0.09,2:0.16,3:0.5,4:0.24\n",
            "\n  lee: factor=2 base=turnaround linear=1 exponential=1 step=1 points=4 ",
        ],
    ),
    "transformations": (
        list(TRANSFORMS.names()),
        ["  nodes: per=... count=\n", "  scale-load: load= factor= by=arrivals\n"],
    ),
    "formats": ([*IMPORTERS.names(), *EXPORTERS.names()], []),
}
"""Names that are listed, and options of some."""


@pytest.mark.parametrize("kind", LISTED)
def test_every_name_is_listed_with_a_summary(command: Command, kind: str) -> None:
    names, options = LISTED[kind]

    text = command("list", kind).out

    summaries = {line.split()[0]: line.split()[1:] for line in text.splitlines() if line.strip()}
    assert all(summaries[name] for name in names)
    assert all(option in text for option in options)
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize("kind", ["mechanisms", "formats"])
def test_lists_fit_80_columns(command: Command, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setenv("COLUMNS", "80")

    assert max(map(len, command("list", kind).out.splitlines())) <= 80


def document(command: Command, kind: str) -> Any:
    """What is listed, for programs."""
    return json.loads(command("list", kind, "--json").out)


def test_schedulers_are_made_with_the_defaults_listed(command: Command) -> None:
    entries = document(command, "schedulers")["schedulers"]

    assert sorted(entry["name"] for entry in entries) == scheduler_names()
    for entry in entries:
        assert entry["summary"]
        for option, default in entry["options"].items():
            if default and option not in {"reservations", "replan", "window", "preset"}:
                make_scheduler(f"{entry['name']}:{option}={default}")


def test_workloads_are_the_same_with_the_defaults_listed(command: Command) -> None:
    for model in document(command, "models")["workloads"]:
        options = ",".join(f"{key}={value}" for key, value in model["options"].items() if value)
        name = f"model:{model['name']}"
        assert open_workload(f"{name},{options}").workload == open_workload(name).workload


@pytest.mark.parametrize(
    ("kind", "key", "names"),
    [
        ("mechanisms", "mechanisms", MECHANISMS.names()),
        ("transformations", "transformations", TRANSFORMS.names()),
        ("formats", "read", IMPORTERS.names()),
        ("formats", "written", EXPORTERS.names()),
        *(("models", key, family.names()) for key, family in MODEL_FAMILIES.items()),
    ],
)
def test_documents_hold_every_name(
    command: Command, kind: str, key: str, names: tuple[str, ...]
) -> None:
    assert [entry["name"] for entry in document(command, kind)[key]] == list(names)
