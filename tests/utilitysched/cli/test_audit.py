"""`utilitysched audit`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import swfx
from tests.utilitysched.cli.conftest import Command, refused, rows

QUICK = (
    *(
        "--scheduler",
        "easy",
        "--mechanism",
        "single-price",
        "--mechanism",
        "first-price:reading=end",
    ),
    *("--lie", "scale:factor=0.1", "--lie", "delay:by=10", "--sample", 4, "--processes", 1),
)


def test_tables_files_and_a_page(command: Command, market: Path, tmp_path: Path) -> None:
    out = tmp_path / "audits" / "one"

    answer = command("audit", market, *QUICK, "-o", out)

    names = ["summary.csv", "lies.csv", "gains.csv", "audit.json", "audit.html"]
    assert answer.code == 0
    assert answer.err.endswith(f"wrote {', '.join(names)} in {out}\n")
    assert sorted(path.name for path in out.iterdir()) == sorted(names)
    assert "GAINS OF 4 JOBS" in answer.out
    assert "in hindsight, since nothing is drawn: an upper bound" in answer.out
    assert all(len(line) <= 100 for line in answer.out.splitlines())
    page = (out / "audit.html").read_text("utf-8")
    assert "<li>single-price: " in page
    assert page.count("</section>") == 2  # the chart, the table
    gains = rows(out / "gains.csv")
    assert len(gains) == 4 * 2 * 2
    for row in gains:
        if row["lie"] == "scale:factor=0.1":
            share = 0.9 if row["mechanism"] == "first-price:reading=end" else 0.0
            assert float(row["gain_scored"]) == pytest.approx(share * float(row["value"]))
    assert len(rows(out / "summary.csv")) == 2 * 5 * 4


def test_json_is_what_is_in_the_file(command: Command, market: Path, tmp_path: Path) -> None:
    answer = command(
        "audit", market, *QUICK, "--classes", "1=0", "-o", tmp_path, "--json", "--quiet"
    )

    found = json.loads(answer.out)
    assert answer.err == ""
    assert found == json.loads((tmp_path / "audit.json").read_text("utf-8"))
    assert found["asked"]["design"]["lies"] == ["scale:factor=0.1", "delay:by=10"]
    assert found["asked"]["classes"] == {"1": 0}
    assert len(found["lies"]) == 4


def test_an_earlier_audit_goes(command: Command, market: Path, tmp_path: Path) -> None:
    out = tmp_path / "audit"
    command("audit", market, *QUICK, "-o", out)
    command("audit", market, *QUICK, "-o", out)

    left = sorted(path.name for path in out.iterdir())
    assert left == ["audit.html", "audit.json", "gains.csv", "lies.csv", "summary.csv"]


def test_jobs_are_stopped_as_asked_for(command: Command, market: Path, tmp_path: Path) -> None:
    processors = swfx.read(market).workload.header.machine_size
    failures = f"nodes={processors},mtbf=2h,repair=10min"
    stops = {"preemption": "overhead=5", "failures": failures}
    options = [word for name, value in stops.items() for word in (f"--{name}", value)]

    for out, more in (("plain", []), ("stopped", options)):
        assert command("audit", market, *QUICK, *more, "-o", tmp_path / out).code == 0

    asked = json.loads((tmp_path / "stopped" / "audit.json").read_text())["asked"]
    assert {name: asked[name] for name in stops} == stops
    plain, stopped = (tmp_path / name / "gains.csv" for name in ("plain", "stopped"))
    assert [row["value"] for row in rows(plain)] != [row["value"] for row in rows(stopped)]


def test_the_same_bytes_twice(command: Command, market: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        command("audit", market, *QUICK, "-o", tmp_path / name)

    files = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert len(files) == 5
    for name in files:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (("--mechanism", "frist-price"), "did you mean 'first-price'?"),
        (("--scheduler", "esay"), "did you mean 'easy'?"),
        (("--lie", "scael"), "did you mean 'scale'?"),
        (("--horizon", "soon"), "'soon' is no time span"),
        (("--queues", "1=2"), "is not QUEUE:RATE"),
        (("--respond",), "--respond was removed; leave it out"),
        (("--hunt",), "--hunt was removed; name the misreports to try with --lie"),
        (("--preemption", "scrach=true"), "field scrach: is not a known key"),
        (("--failures", "nodes=3,mtbf=soon,repair=1h"), "unknown unit of time: 'soon'"),
        (("--mechanism", "vcg:literal=true"), "field literal: is that of the audit"),
        (("--utilities", "none"), "no job of this workload has a utility function"),
    ],
)
def test_refused_before_anything_is_written(
    command: Command, log: Path, tmp_path: Path, wrong: tuple[str, ...], message: str
) -> None:
    answer = command("audit", log, *wrong, "-o", tmp_path / "out")

    refused(answer, message)
    assert not (tmp_path / "out").exists()


def test_added_jobs_are_scored_by_what_happens_to_others(
    command: Command, market: Path, tmp_path: Path
) -> None:
    lies = ("--lie", "shill:jobs=1", "--lie", "delay", "--sample", 2, "--processes", 1)

    answer = command("audit", market, "-s", "value-density", "-m", "vcg", *lies, "-o", tmp_path)

    shill, delay = rows(tmp_path / "lies.csv")
    assert float(shill["others_charge"]) != float(delay["others_charge"])
    assert "others'" in answer.out
    assert "Who gains and who loses" in (tmp_path / "audit.html").read_text("utf-8")
    assert {row["others_value"] for row in rows(plain(command, market, tmp_path))} == {""}


def plain(command: Command, market: Path, folder: Path) -> Path:
    """Audit without added jobs, and return the table of misreports."""
    assert command("audit", market, *QUICK, "-o", folder).code == 0
    return folder / "lies.csv"
