"""Energy of steps, which counts for jobs that tell of none."""

from __future__ import annotations

import pytest

from swfx.families.formats.registry import IMPORTERS, Imported

NAMES = "JobID|Submit|Start|End|AllocCPUS|MaxRSS|ConsumedEnergyRaw"
TIMES = "2026-01-01T08:00:00|2026-01-01T08:00:00|2026-01-01T09:00:00"


def read(*rows: tuple[str, str]) -> Imported:
    lines = [NAMES, *(f"{job}|{TIMES}|4|1K|{energy}" for job, energy in rows)]
    return IMPORTERS.make("slurm").read("\n".join(lines).encode(), "log")


@pytest.mark.parametrize(
    ("energies", "joules"),
    [
        ({"7": "", "7.batch": "50", "7.0": "100"}, 150),
        ({"7": "0", "7.batch": "50", "7.extern": "170", "7.0": "100"}, 170),
        ({"7": "160", "7.batch": "50", "7.extern": "170"}, 160),
        ({"7.0": "100", "7": ""}, 100),
        ({"7": "", "7.0": "18446744073709551614", "7.1": "30"}, 30),
    ],
)
@pytest.mark.parametrize("others", [0, 20])
def test_energy_of_steps(energies: dict[str, str], joules: float, others: int) -> None:
    log = read(*energies.items(), *((str(100 + n), "5") for n in range(others)))

    jobs = log.workload
    energy = dict(zip(jobs.job_id.tolist(), jobs.column("tres/energy").tolist(), strict=True))
    assert energy == {7: joules, **{100 + n: 5 for n in range(others)}}


def test_energy_that_cannot_be_read_is_unknown_and_listed() -> None:
    log = read(("7", ""), ("7.0", "lots"), ("7.1", "30"))

    assert log.workload.column("tres/energy").tolist() == [30]
    assert log.report.lines_of("unreadable-field").tolist() == [3]


def test_every_run_has_the_energy_of_the_steps_below_it() -> None:
    runs = [("7", ""), ("7.0", "10"), ("7", ""), ("7.0", "20"), ("8", "")]
    rows = [f"{job}|{TIMES}|4|1K|{energy}|" for job, energy in runs]
    rows[2], rows[3] = (row.replace("T08", "T10").replace("T09", "T11") for row in rows[2:4])
    rows[0] += "REQUEUED"
    log = IMPORTERS.make("slurm:requeue=each").read(
        "\n".join([f"{NAMES}|State", *rows]).encode(), "log"
    )

    assert log.workload.column("tres/energy").tolist() == [10, -1, 20]
