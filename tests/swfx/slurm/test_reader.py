"""Records are the same however many are read at a time; dates and lengths as one by one."""

from __future__ import annotations

from itertools import product
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
from swfx.slurm import table
from tests.scale import many

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
            row[name] = str(np.datetime64("2024-10-26T12:00:00") + np.timedelta64(time, "s"))
            if random.random() < odd:
                row[name] = random.choice([*DATES, "Unknown", "None", "", "1714550400", "z"])
        if "Elapsed" in row and row["Elapsed"] == POOLS["Elapsed"][0]:
            row["Elapsed"] = f"00:00:{times[2] - times[1]:02}"
        lines.append([row[name] for name in names])
    return "\n".join("|".join(cells) for cells in lines).encode()


def told(importer: Any, data: bytes) -> Any:
    """Say all that an import gives."""
    try:
        log: Imported = importer.read(data, "log")
    except InputError as error:
        return str(error)
    report = log.report.to_dict()
    report["rules"].sort(key=str)  # they come in the order in which they are found
    return log.workload.digest(), [*log.workload.header.lines], report, log.line.tolist()


@pytest.mark.parametrize("requeue", ["last", "each", "sum"])
@pytest.mark.slow
def test_random_listings_are_the_same_in_parts(
    requeue: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = 0
    for seed in range(many(25)):
        random = Random(f"{requeue}{seed}")
        zone = random.choice(["UTC", "Europe/Paris"])
        importer = IMPORTERS.make(f"slurm:requeue={requeue},timezone={zone}")
        data = listing(random)
        whole = told(importer, data)
        with monkeypatch.context() as patched:
            patched.setattr(table, "LARGEST", random.choice([1, 3, 10]))
            assert told(importer, data) == whole, seed
        kept += isinstance(whole, tuple)
    assert kept


def test_dates_and_lengths_of_time_are_those_read_one_by_one() -> None:
    zone = find_zone("Europe/Paris")
    digits = ["0", "2", "5", "6", "9", "x", "\u0663"]
    dates = [f"2024-1{b}-2{a}T0{a}:{b}0:{c}0" for a, b, c in product(digits, repeat=3)]
    for text, found in zip(dates, instants(dates, zone).tolist(), strict=True):
        assert np.isnan(found) or found == instant(text, zone)
    others = ["2024-10-27T03:00:00", " none ", "1729994400.5", "0", "900"]
    assert instants(others, zone).tolist() == [1729994400.0, np.inf, 1729994400.5, np.inf, 900.0]
    spans = [f"{a}{b}:{c}{a}:{b}{c}" for a, b, c in product(digits, repeat=3)]
    for text, found in zip(spans, durations(spans).tolist(), strict=True):
        try:
            assert found == duration(text)
        except RecordError:
            assert np.isnan(found)
