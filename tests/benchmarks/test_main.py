from __future__ import annotations

from pathlib import Path

import benchmarks
from benchmarks.__main__ import BENCHMARKS, main

HELPERS = {"__init__", "__main__", "row", "timing", "logs"}
STUDIES = {"disclosure", "first", "pools"}
"""These print tables of their own, or take long."""


def test_every_benchmark_is_run() -> None:
    files = {path.stem for path in Path(benchmarks.__file__).parent.glob("*.py")}

    assert files - HELPERS - STUDIES == set(BENCHMARKS)


def test_an_unknown_name_is_refused(capsys) -> None:
    assert main(["parse", "parsing"]) == 2
    assert capsys.readouterr().out.startswith("error: no benchmark 'parsing'; there are parse, ")
