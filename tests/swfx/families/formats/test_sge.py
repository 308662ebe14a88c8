"""Importer of Grid Engine: what becomes of each kind of record."""

from __future__ import annotations

import pytest

from pricing.states import states_of
from swfx import InputError
from swfx.families.formats.registry import IMPORTERS, Imported
from tests.swfx.families.formats.test_golden import FOLDER


def test_sums_are_those_of_qacct() -> None:
    """What Son of Grid Engine 8.1.9 wrote of 12 jobs, and its qacct says of them by slots."""
    log = IMPORTERS.make("sge").read((FOLDER / "sge" / "qacct.txt").read_bytes(), "log")
    jobs = log.workload

    seconds = {size: jobs.run[jobs.processors == size].sum() for size in (1, 2, 3)}
    assert seconds == {1: 117, 2: 1, 3: 3}
    assert round((jobs.cpu_time * jobs.processors).sum(), 3) == 0.168
    assert log.report.counts("dropped") == {"never-started": 1}


def test_another_group_is_refused() -> None:
    with pytest.raises(InputError, match="group"):
        IMPORTERS.make("sge:group=team")


def record(**cells: object) -> str:
    """A line of accounting of a job that ran for ten minutes."""
    said: dict[str, object] = {
        "host": "n1", "owner": "ann", "number": 1, "end": 1709802660, "failed": 0, "exit": 0,
        "pe": "NONE", "slots": 1, "category": "-l h_rt=600", "task": "NONE", "more": "",
    }  # fmt: skip
    said.update(cells)
    return (
        "q:{host}:staff:{owner}:run:{number}:sge:0:1709802000:1709802060:{end}:{failed}:{exit}:600"
        ":1:1:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:NONE:dep:{pe}:{slots}:0:1:0:0:{category}:0:{task}:9:0:0"
        "{more}\n"
    ).format(**said)


def read(log: str, options: str = "") -> Imported:
    return IMPORTERS.make(f"sge{options}").read(log.encode(), "log")


@pytest.mark.parametrize(
    ("cells", "state"),
    [
        ({}, "COMPLETED"),
        ({"exit": 1}, "FAILED"),
        ({"failed": 100, "exit": 137}, "TIMEOUT"),
        ({"failed": 100, "exit": 137, "end": 1709802659}, "FAILED"),
        ({"failed": 37, "exit": 137}, "TIMEOUT"),
        ({"failed": 8}, "LAUNCH_FAILED"),
        ({"failed": 19}, "NODE_FAIL"),
        ({"failed": 26}, "FAILED"),
        ({"failed": 100, "more": ":NONE:ann@login"}, "CANCELLED by user"),
        ({"failed": 100, "more": ":NONE:root@head"}, "CANCELLED by another"),
    ],
)
def test_what_failed_says_is_the_state(cells: dict[str, object], state: str) -> None:
    jobs = read(record(**cells)).workload

    assert states_of(jobs) == [state]
    assert jobs.status.tolist() == [{"COMPLETED": 1}.get(state, 5 * ("CANCELLED" in state))]


def test_gpus_are_those_that_are_asked_for_by_the_name_that_a_site_has() -> None:
    log = "".join(
        record(number=n, pe="smp", slots=4, category=category)
        for n, category in enumerate(("-l gpu=2,h_rt=9", "-soft -l gpu=1", "-l cuda=1 -pe smp 4"))
    )

    assert read(log).workload.column("tres/gres/gpu").tolist() == [2, 0, 0]
    assert any("as many as -l gpu asks for, of each job" in note for note in read(log).report.notes)
    assert read(log, ":gpu_per=slot").workload.column("tres/gres/gpu").tolist() == [8, 0, 0]
    assert read(log, ":gpu=cuda").workload.column("tres/gres/gpu").tolist() == [0, 0, 1]
    assert "tres/gres/gpu" not in read(log, ":gpu=gpus").workload.extra


def test_nodes_are_known_of_serial_jobs_and_where_each_task_has_a_record() -> None:
    parallel = {"number": 2, "pe": "mpi", "slots": 64}
    log = (
        record()
        + record(**parallel, host="n2", task="1.n2")
        + record(**parallel)
        + record(**parallel, host="n3", task="1.n3")
        + record(number=3, pe="mpi", slots=64)
    )

    assert read(log).workload.column("tres/node").tolist() == [1, 3, -1]
