"""`utilitysched list models`: what the registries hold."""

from __future__ import annotations

import json

from checkpoint import ANNOTATIONS
from swfx.families.annotators import ANNOTATORS
from swfx.families.generators import MODELS
from swfx.families.utilities.registry import UTILITY_MODELS
from swfx.reading.sources import open_workload
from tests.utilitysched.cli.conftest import Command

REGISTRIES = {**ANNOTATORS, "utilities": UTILITY_MODELS, "checkpoints": ANNOTATIONS}


def test_every_family_and_every_member_is_listed(command: Command) -> None:
    text = command("list", "models").out

    for registry in REGISTRIES.values():
        for name in registry.names():
            assert f"\n  {name} " in text
            assert registry.summary(name) in text
    for name in MODELS:
        assert f"\n  {name} " in text
    assert "\n  random: shares=1:0.09,2:0.16,3:0.5,4:0.24\n" in text
    assert "\n  lee: factor=2 base=turnaround linear=1 exponential=1 step=1 points=4 " in text


def test_it_fits_100_columns(command: Command) -> None:
    assert max(map(len, command("list", "models").out.splitlines())) <= 100


def test_json(command: Command) -> None:
    listed = json.loads(command("list", "models", "--json").out)

    assert {family: [m["name"] for m in members] for family, members in listed.items()} == {
        "workloads": sorted(MODELS),
        **{family: list(registry.names()) for family, registry in REGISTRIES.items()},
    }


def test_the_defaults_that_are_listed_change_nothing(command: Command) -> None:
    models = json.loads(command("list", "models", "--json").out)["workloads"]

    for model in models:
        options = ",".join(f"{key}={value}" for key, value in model["options"].items() if value)
        name = f"model:{model['name']}"
        assert open_workload(f"{name},{options}").workload == open_workload(name).workload
