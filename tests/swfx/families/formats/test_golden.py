"""Golden logs of every format: what happens to each line, notes, and the workload.

``python -m tests.swfx.families.formats.test_golden`` writes the golden files anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from swfx.accounting.preset import preset_names
from swfx.families.formats.registry import IMPORTERS, Imported
from swfx.reading.imports import import_log
from swfx.writer import to_bytes

FOLDER = Path(__file__).parent
LOGS = sorted(FOLDER.glob("*/*.txt"))
"""Small logs with every oddity; the importer of each is on the first line of its golden file."""


@pytest.mark.parametrize("log", LOGS, ids=lambda log: f"{log.parent.name}-{log.stem}")
def test_golden(log: Path) -> None:
    golden = log.with_suffix(".golden").read_text("utf-8")

    assert account(golden.partition("\n")[0], log) == golden


def test_every_format_of_text_has_a_golden_log() -> None:
    formats = {path.parent.name.replace("_", "-") for path in LOGS}

    presets = {*preset_names()} - {"accounting-csv"}
    assert formats == set(IMPORTERS.names()) - {"parquet"} - presets
    assert len(LOGS) >= 28


def account(importer: str, path: Path) -> str:
    """Return the text that the golden file of a log holds."""
    log = import_log(IMPORTERS.make(importer), path)
    assert log.report.lines_accounted()
    return "\n".join((importer, *_lines(log), ""))


def _lines(log: Imported) -> Iterator[str]:
    report = log.report
    parts = {name: getattr(report, name) for name in ("kept", "dropped", "folded", "repaired")}
    counts = ", ".join(f"{count} {name}" for name, count in parts.items())
    yield f"{report.job_lines} records: {counts}"
    for line, code in zip(report.line.tolist(), report.rule.tolist(), strict=True):
        yield f"line {line}: {report.rules[code].action}: {report.rules[code].name}"
    yield from (f"note: {note}" for note in report.notes)
    yield f"jobs on lines {log.line.tolist()}"
    yield to_bytes(log.workload).decode().rstrip("\n")


if __name__ == "__main__":
    for golden in sorted(FOLDER.glob("*/*.golden")):
        text = golden.read_text("utf-8")
        golden.write_text(account(text.partition("\n")[0], golden.with_suffix(".txt")), "utf-8")
