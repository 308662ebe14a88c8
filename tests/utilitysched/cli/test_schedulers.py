"""`utilitysched list schedulers`: what the registries hold."""

from __future__ import annotations

import json

from tests.utilitysched.cli.conftest import Command
from utilitysched import make_scheduler, scheduler_names


def test_every_name_is_listed_with_a_summary(command: Command) -> None:
    lines = command("list", "schedulers").out.splitlines()

    listed = {line.split()[0]: line.split()[1:] for line in lines if line.strip()}
    for name in scheduler_names():
        assert listed[name], name


def test_json_has_options_with_defaults_that_the_registry_takes(command: Command) -> None:
    entries = json.loads(command("list", "schedulers", "--json").out)["schedulers"]

    assert sorted(entry["name"] for entry in entries) == scheduler_names()
    for entry in entries:
        assert entry["summary"]
        for option, default in entry["options"].items():
            if default and option not in {"reservations", "replan", "window", "preset"}:
                make_scheduler(f"{entry['name']}:{option}={default}")


def test_it_fits_100_columns(command: Command) -> None:
    assert max(map(len, command("list", "schedulers").out.splitlines())) <= 100
