"""`utilitysched list mechanisms` and `formats`: what the registries hold."""

from __future__ import annotations

import json

import pytest

from pricing.registry import MECHANISMS
from swfx.families.exporters import EXPORTERS
from swfx.families.formats.registry import IMPORTERS
from tests.utilitysched.cli.conftest import Command


def test_mechanisms_are_listed_with_their_options(command: Command) -> None:
    text = command("list", "mechanisms").out

    for name in MECHANISMS.names():
        assert f"\n  {name} " in f"\n{text}"
    assert "  single-price: rate=1 " in text


def test_mechanisms_as_json(command: Command) -> None:
    entries = json.loads(command("list", "mechanisms", "--json").out)["mechanisms"]

    assert [entry["name"] for entry in entries] == list(MECHANISMS.names())
    assert entries[-2]["options"]["rate"] == "1"


def test_the_formats_are_listed(command: Command) -> None:
    text = command("list", "formats").out

    for family in (IMPORTERS, EXPORTERS):
        for name in family.names():
            assert f"\n  {name} " in text
    assert max(map(len, text.splitlines())) <= 100


def test_formats_as_json(command: Command) -> None:
    found = json.loads(command("list", "formats", "--json").out)

    assert [entry["name"] for entry in found["read"]] == list(IMPORTERS.names())
    assert [entry["name"] for entry in found["written"]] == list(EXPORTERS.names())


@pytest.mark.parametrize("name", ["mechanisms", "formats"])
def test_they_fit_80_columns(command: Command, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("COLUMNS", "80")

    assert max(map(len, command("list", name).out.splitlines())) <= 80
