"""What a bill says of what it rests on."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from pricing import write_statements
from pricing.basis import Basis
from tests.pricing.jobs import three_charges

DIGEST = "sha256 0123456789abcdef"
OWN, MORE = f"own.toml ({DIGEST})", f"b.csv ({DIGEST})"
DRAWN = "queue=1 (3 jobs): LEE 2.6: factor=2; seed 2; waits logged (0 missing, counted as 0)"


@pytest.mark.parametrize(
    ("basis", "brief", "warnings"),
    [
        (Basis.of("", (), valued=False), "recorded by the log; no utility functions", ()),
        (
            Basis.of("", ("curves by user of own.csv (3 jobs)",), valued=True),
            "recorded by the log; utility functions given",
            (),
        ),
        (
            Basis.of("", (f"{OWN}: a 3 jobs; kept 1 job: {MORE}",), valued=True),
            f"recorded by the log; utility functions given by {OWN}, {MORE}",
            (),
        ),
        (
            Basis.of("ga", (), valued=False),
            "simulation by ga; no utility functions",
            ("This is a simulation under ga, not a record of what happened.",),
        ),
        (
            Basis.of("", (DRAWN, "diurnal; seed 3; clocks of UTC"), valued=True),
            "recorded by the log; utility functions drawn, seeds 2, 3",
            (
                (
                    "Utility functions were drawn at random, not stated by users (LEE 2.6,"
                    " diurnal; seeds 2, 3)."
                ),
            ),
        ),
    ],
)
def test_what_is_said(basis: Basis, brief: str, warnings: tuple[str, ...]) -> None:
    assert basis.brief == brief
    assert basis.warnings == warnings
    assert Basis.read(json.loads(json.dumps(basis.document()))) == basis


def test_files_of_curves_are_said_first() -> None:
    given = Basis.of("", (f"curves by user of own.csv ({DIGEST}) (3 jobs)",), valued=True)
    drawn = Basis.of("ga", (f"own.toml ({DIGEST}): a 3 jobs; a is LEE 2.6: ; seed 1",), valued=True)

    assert given.notices == (f"Utility functions are given by own.csv ({DIGEST}).",)
    assert drawn.notices == drawn.warnings
    assert len(drawn.warnings) == 2


def test_every_file_of_a_bill_says_so(tmp_path: Path) -> None:
    basis = Basis.of("easy", (DRAWN,), valued=True)
    charges = replace(three_charges("first-price:reading=end"), basis=basis)

    written = write_statements(tmp_path, charges)

    for path in written:
        if path.suffix == ".csv":
            with path.open(encoding="utf-8", newline="") as file:
                assert {row["basis"] for row in csv.DictReader(file)} == {basis.brief}, path.name
        else:
            assert json.loads(path.read_text("utf-8"))["basis"]["seeds"] == [2]
