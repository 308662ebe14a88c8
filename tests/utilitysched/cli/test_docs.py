"""Documented or fail: the pages hold what the commands print and the files contain."""

from __future__ import annotations

import json
import re
from pathlib import Path

from pricing.evidence_tables import WASTE_COLUMNS
from pricing.files import CHARGE_COLUMNS, STOPPED_COLUMNS
from swfx.label_kinds import LABEL_KINDS, NUMBERED
from tests.utilitysched.cli.conftest import Command
from utilitysched.runs import JOBS_HEADER

DOCS = Path(__file__).parents[3] / "docs"
FILES = DOCS / "files.md"


def named(page: Path) -> set[str]:
    """Everything in backquotes."""
    return set(re.findall(r"`([^`\n]+)`", page.read_text(encoding="utf-8")))


def test_every_column_is_explained() -> None:
    assert set(JOBS_HEADER) - named(FILES) == set()
    assert {*CHARGE_COLUMNS, *STOPPED_COLUMNS} - named(FILES) == set()
    assert {*LABEL_KINDS, *(f"{kind}_name" for kind in NUMBERED)} - named(FILES) == set()
    assert set(WASTE_COLUMNS) - named(FILES) == set()


def test_every_key_and_every_file_is_explained(command: Command, log: Path, tmp_path: Path) -> None:
    out = tmp_path / "runs"
    command("simulate", log, "--out", out, "--swf")
    command("bill", out / "easy")

    text = FILES.read_text(encoding="utf-8")
    for path in [*out.iterdir(), *(out / "easy").iterdir()]:
        assert path.name in text or path.name.startswith("statement-by-") or path.is_dir()
    for name in ("load_report.json", "easy/run.json", "easy/timing.json"):
        document = json.loads((out / name).read_text())
        assert set(document) - named(FILES) == set(), name
    workload = json.loads((out / "easy" / "run.json").read_text())["workload"]
    assert set(workload) - named(FILES) == set()


def test_every_metric_is_explained(command: Command, log: Path) -> None:
    metrics = named(DOCS / "metrics.md")
    summary = json.loads(command("simulate", log, "--json").out)["runs"][0]["summary"]

    percentile = re.compile(r"_p(50|75|98|100)$")
    missing = {name for name in summary if percentile.sub("_p25", name) not in metrics}
    assert missing == set()
