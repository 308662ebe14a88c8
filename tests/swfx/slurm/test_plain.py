"""Records read by columns are the records read one by one."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from swfx.accounting.dates import instant, instants
from swfx.accounting.quantities import duration, durations
from swfx.accounting.record_error import RecordError
from swfx.base.errors import InputError
from swfx.base.zones import find_zone
from swfx.families.formats.registry import IMPORTERS, Imported
from swfx.reading.imports import import_log
from swfx.slurm import jobs, table
from tests.conftest import ROOT
from tests.scale import many

LISTINGS = ROOT.parent / "shared" / "slurm-listings"
CASES = ROOT / "tests/swfx/families/formats/slurm"

DATES = ["2024-10-27T01:59:58", "2024-10-27T02:30:00", "2024-10-27T03:00:09", "2024-13-01T00:00:00"]
POOLS: dict[str, list[str]] = {
    "JobIDRaw": ["", "17", "x"],
    "Cluster": ["", "a", "b"],
    "User": ["", "alice", "bob"],
    "UID": ["1000", "1001"],
    "Account": ["", "physics", "chemistry"],
    "Partition": ["main", "gpu", "main,gpu", ""],
    "QOS": ["normal", ""],
    "WCKey": ["", "wc"],
    "JobName": ["a", " a", "b|c"],
    "Elapsed": ["00:00:00", "00:00:02", "01:00:11", "1-00:00:00", "x", ""],
    "Suspended": ["00:00:00", "", "00:00:02", "y"],
    "State": ["COMPLETED", "FAILED", "CANCELLED by 1000", "CANCELLED by 0", "TIMEOUT", "RUNNING",
              "PENDING", "NODE_FAIL", "CANCEL+", "", "ODD", "RESIZING"],
    "AllocCPUS": ["4", "0", "", "x", "9007199254740993"],
    "AllocTRES": ["", "cpu=2,mem=4G,gres/gpu:a100=1", "cpu=4,energy=12,billing=3", "cpu=z,mem=q"],
    "CPUTimeRAW": ["", "8", "0"],
    "NNodes": ["", "1", "2"],
    "ReqCPUS": ["4", "", "z"],
    "TimelimitRaw": ["60", "UNLIMITED", "Partition_Limit", "", "z"],
    "TotalCPU": ["00:03.250", "", "z", "10:00"],
    "MaxRSS": ["", "10M", "z", "0"],
    "AveRSS": ["", "9M", "z"],
    "ReqMem": ["", "4000M", "4Gn", "4Gc", "z"],
    "ConsumedEnergyRaw": ["", "77", "0", "z"],
    "Restarts": ["0", "1", ""],
    "Comment": ["", '{"utility": [[0, 1]]}', "{", "text", "a\nb"],
    "SubmitLine": ["", "sbatch --no-requeue x", "srun --requeue", "sbatch -d afterok:3 y"],
}  # fmt: skip


def listing(random: Random) -> bytes:
    """Write a listing of some columns, whose cells are mostly sound."""
    odd = random.choice([0.0, 0.02, 0.3])
    needed = ["JobID", "Submit", "Start", "End", "AllocCPUS"]
    names = needed + [name for name in POOLS if name not in needed and random.random() < 0.7]
    random.shuffle(names)
    names.sort(key=lambda name: name != "JobID" and random.random() < 0.5)

    def cell(name: str) -> str:
        pool = POOLS[name]
        return random.choice(pool) if random.random() < max(odd, 0.05) else pool[0]

    lines, job = [names], 0
    for _ in range(random.randrange(1, 60)):
        job += random.random() < 0.6
        step = random.choice(["", ".batch", ".0"]) if random.random() < 0.4 else ""
        part = random.choice(["_1", "_[2-3]", "+1", "x"]) if random.random() < odd else ""
        begin = random.randrange(0, 100_000)
        times = sorted(begin + random.randrange(20) for _ in range(3))
        row = {name: cell(name) for name in names if name in POOLS}
        row |= {"JobID": f"{job}{part}{step}"}
        for name, time in zip(("Submit", "Start", "End"), times, strict=True):
            row[name] = str(np.datetime64("2024-10-26T12:00:00") + time)
            if random.random() < odd:
                row[name] = random.choice([*DATES, "Unknown", "None", "", "1714550400", "z"])
        if "Elapsed" in row and row["Elapsed"] == POOLS["Elapsed"][0]:
            row["Elapsed"] = f"00:00:{times[2] - times[1]:02}"
        lines.append([row[name] for name in names])
    return "\n".join("|".join(cells) for cells in lines).encode()


def told(importer: Any, data: bytes | Path) -> Any:
    """Say all that an import gives."""
    try:
        log: Imported = (
            importer.read(data, "log") if isinstance(data, bytes) else import_log(importer, data)
        )
    except InputError as error:
        return str(error)
    segments = log.segments
    runs = [] if segments is None else [column.tolist() for column in vars(segments).values()]
    header = [*log.workload.header.lines]
    return log.workload.digest(), header, log.report.to_dict(), log.line.tolist(), runs


def both(importer: Any, data: bytes | Path, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Say what an import gives by columns, and one by one."""
    by_columns = told(importer, data)
    with monkeypatch.context() as patched:
        patched.setattr(jobs, "SHORTEST_RUN", 10**9)
        return [by_columns, told(importer, data)]


@pytest.mark.parametrize("requeue", ["last", "each", "sum"])
def test_random_listings(requeue: str, monkeypatch: pytest.MonkeyPatch) -> None:
    zones = ["UTC", "Europe/Paris"]
    kept = 0
    for seed in range(many(25)):
        random = Random(f"{requeue}{seed}")
        importer = IMPORTERS.make(f"slurm:requeue={requeue},timezone={random.choice(zones)}")
        monkeypatch.setattr(table, "LARGEST_BLOCK", random.choice([3, 10, 2048]))
        by_columns, one_by_one = both(importer, listing(random), monkeypatch)
        assert by_columns == one_by_one, seed
        kept += isinstance(by_columns, tuple)
    assert kept


@pytest.mark.parametrize(
    "listing", [*sorted(CASES.glob("*.txt")), *sorted(LISTINGS.glob("*.[tg]*[tz]"))], ids=str
)
def test_listings(listing: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "LARGEST_BLOCK", 50)
    for options in ("requeue=each", "requeue=sum,timezone=Europe/Paris,count=nodes"):
        by_columns, one_by_one = both(IMPORTERS.make(f"slurm:{options}"), listing, monkeypatch)
        assert by_columns == one_by_one


def test_most_records_of_a_plain_listing_are_read_by_columns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one_by_one: list[int] = []
    monkeypatch.setattr(jobs.JobMaker, "take_row", lambda _, row: one_by_one.append(row.line))
    times = "2024-03-01T08:00:00|2024-03-01T09:00:00|2024-03-01T10:00:00"
    rows = "".join(f"{n}|{times}|4\n{n}.0|{times}|4\n" for n in range(1, 50))

    told(IMPORTERS.make("slurm"), f"JobID|Submit|Start|End|NCPUS\n{rows}".encode())

    assert one_by_one == [99]  # the last may go on: it is a block of its own


def test_dates_and_lengths_of_time_are_those_read_one_by_one() -> None:
    zone = find_zone("Europe/Paris")
    digits = ["0", "2", "5", "6", "9", "x", "\u0663"]
    dates = [f"2024-1{b}-2{a}T0{a}:{b}0:{c}0" for a, b, c in product(digits, repeat=3)]
    for text, found in zip(dates, instants(dates, zone).tolist(), strict=True):
        assert np.isnan(found) or found == instant(text, zone)
    assert instants(["2024-10-27T03:00:00", " none "], zone).tolist() == [1729994400.0, np.inf]
    spans = [f"{a}{b}:{c}{a}:{b}{c}" for a, b, c in product(digits, repeat=3)]
    for text, found in zip(spans, durations(spans).tolist(), strict=True):
        try:
            assert found == duration(text)
        except RecordError:
            assert np.isnan(found)
