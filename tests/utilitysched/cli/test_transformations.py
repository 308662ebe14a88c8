"""`utilitysched list transformations`: what the registry holds."""

from __future__ import annotations

import json

from swfx.families.transforms import TRANSFORMS
from tests.utilitysched.cli.conftest import Command


def test_every_name_is_listed_with_a_summary_and_its_options(command: Command) -> None:
    text = command("list", "transformations").out

    for name in TRANSFORMS.names():
        assert f"\n  {name} " in f"\n{text}"
        assert TRANSFORMS.summary(name) in text
    assert "  nodes: per=... count=\n" in text
    assert "  scale-load: load= factor= by=arrivals\n" in text


def test_it_fits_100_columns(command: Command) -> None:
    assert max(map(len, command("list", "transformations").out.splitlines())) <= 100


def test_json(command: Command) -> None:
    entries = json.loads(command("list", "transformations", "--json").out)["transformations"]

    assert [entry["name"] for entry in entries] == list(TRANSFORMS.names())
    nodes = next(entry for entry in entries if entry["name"] == "nodes")
    assert nodes["options"] == {"per": "...", "count": ""}
