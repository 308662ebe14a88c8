"""What an importer makes of a small log, as text: listed lines, notes, the workload."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from swfx.families.formats.registry import IMPORTERS, Imported
from swfx.reading.imports import import_log
from swfx.writer import to_bytes

FOLDER = Path(__file__).parent


def told(importer: str, path: Path) -> str:
    """Text to be compared with the golden file beside a log."""
    return "\n".join((importer, *_told(import_log(IMPORTERS.make(importer), path)), ""))


def _told(log: Imported) -> Iterator[str]:
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
        golden.write_text(told(text.partition("\n")[0], golden.with_suffix(".txt")), "utf-8")
