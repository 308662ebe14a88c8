"""`utilitysched market`."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from tests.utilitysched.cli.conftest import Command

ASKED = ("-s", "easy", "-m", "first-price:reading=end", "-m", "single-price")


def test_tables_files_and_a_page(command: Command, market: Path, tmp_path: Path) -> None:
    out, page = tmp_path / "m", tmp_path / "m.html"

    answer = command(
        *("market", market, *ASKED, "--strategy", "scale:factor=0.5", "--budget", "none"),
        *("-o", out, "--page", page),
    )

    assert answer.code == 0
    assert "WHO GAINS" in answer.out
    assert "MONTH BY MONTH" in answer.out
    assert all(len(line) <= 100 for line in answer.out.splitlines())
    names = ["months.csv", "strategies.csv", "users.csv", "market.json"]
    assert sorted(path.name for path in out.iterdir()) == sorted(names)
    with (out / "strategies.csv").open(encoding="utf-8", newline="") as file:
        first, single = csv.DictReader(file)
    assert float(first["gain"]) == float(first["charge"]) == float(first["value"]) / 2
    assert float(single["gain"]) == 0
    assert "Who gains" in page.read_text("utf-8")


def test_json_is_what_is_in_the_file(command: Command, market: Path, tmp_path: Path) -> None:
    answer = command("market", market, *ASKED, "-o", tmp_path, "--json", "--quiet")

    found = json.loads(answer.out)
    assert answer.err == ""
    assert found == json.loads((tmp_path / "market.json").read_text("utf-8"))
    assert found["asked"]["rules"]["strategies"] == ["climb"]


def test_a_budget_is_a_share_or_none(command: Command, market: Path) -> None:
    answer = command("market", market, *ASKED, "--budget", "much")

    assert answer.code == 2
    assert "'much' is neither a share nor none" in answer.err
