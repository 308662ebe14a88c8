"""``python -m benchmarks [NAME ...]``: measure, print a table, write it as JSON.

The studies in `TABLES` print tables of their own: see the modules of these names.
"""

import importlib
import json
import platform
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from benchmarks.logs import ROOT
from benchmarks.row import Row

BENCHMARKS = (
    "parse",
    "replay",
    "growth",
    "placement",
    "sharing",
    "genetic",
    "quote",
    "startup",
    "size",
    "compiling",
    "commitments",
    "vcg",
    "machine",
)
TABLES = ("disclosure", "first", "pools")
"""These print tables of their own; what is said after the name is for them."""

RESULTS = ROOT / "benchmarks" / "results.json"
PACKAGES = ("numpy", "numba", "pandas", "deap")


def main(names: list[str]) -> int:
    """Measure what is named, or everything; return the exit code."""
    if names[:1] and names[0] in TABLES:
        study = importlib.import_module(f"benchmarks.{names[0]}")
        code: int = study.main(names[1:])
        return code
    unknown = sorted(set(names) - set(BENCHMARKS))
    if unknown:
        print(f"error: no benchmark {unknown[0]!r}; there are {', '.join(BENCHMARKS)}")
        return 2
    machine = describe()
    print(", ".join(f"{key} {value}" for key, value in machine.items()), flush=True)
    rows = []
    for name in names or BENCHMARKS:
        for row in measured(name):
            print(row.line(), flush=True)
            rows.append({"benchmark": name, **asdict(row), "met": row.met})
    RESULTS.write_text(json.dumps({"machine": machine, "rows": rows}, indent=1) + "\n", "utf-8")
    missed = [row for row in rows if row["met"] is False]
    print(f"{len(rows)} figures, {len(missed)} short of their target; {RESULTS.relative_to(ROOT)}")
    return 0


def measured(name: str) -> Iterator[Row]:
    """Yield the rows of a benchmark."""
    yield from importlib.import_module(f"benchmarks.{name}").measure()


def describe() -> dict[str, str]:
    """Return the machine and the versions."""
    return {
        "CPU": _processor(),
        "Python": platform.python_version(),
        **{package: version(package) for package in PACKAGES},
        "date": time.strftime("%Y-%m-%d"),
    }


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.is_file() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
