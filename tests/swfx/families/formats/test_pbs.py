from __future__ import annotations

import pytest

from swfx import InputError
from swfx.families.formats.pbs import Pbs
from swfx.families.formats.pbs_resources import allocated, kilobytes, requested, seconds


@pytest.mark.parametrize(
    ("exec_host", "processors"),
    [
        ("n1/0", 1),
        ("n1/0+n1/1+n2/0", 3),
        ("n1.a.b/0-3", 4),
        ("n1/0-3+n2/0-3", 8),
        ("n1/0,2,4-6", 5),
        ("n1/0*4+n2/0*4", 8),
        ("n1/2*16", 16),
        ("", 0),
        ("n1", 0),
        ("n1/x", 0),
        ("n1/0+n2", 0),
    ],
)
def test_slots_of_nodes_are_counted(exec_host: str, processors: int) -> None:
    assert allocated(exec_host) == processors


@pytest.mark.parametrize(
    ("resources", "processors"),
    [
        ({"nodes": "2:ppn=8"}, 16),
        ({"nodes": "2:ppn=8:gpus=1+1:bigmem:ppn=4"}, 20),
        ({"nodes": "4"}, 4),
        ({"nodes": "node7:ppn=2+node9:ppn=2"}, 4),
        ({"nodes": "3#shared"}, 3),
        ({"nodes": "1", "ncpus": "4"}, 4),
        ({"ncpus": "6"}, 6),
        ({"procs": "12"}, 12),
        ({"select": "2:ncpus=8:mem=4gb"}, 16),
        ({"select": "2:ncpus=8+ncpus=2+3", "ncpus": "99"}, 21),
        ({"ncpus": "many"}, 0),
        ({}, 0),
    ],
)
def test_requests_are_counted(resources: dict[str, str], processors: int) -> None:
    assert requested(**{"select": "", **resources}) == processors


@pytest.mark.parametrize(
    ("text", "size"),
    [("123kb", 123), ("16gb", 16 * 1024**2), ("2048", 2), ("2048b", 2), ("3mw", 3 * 8 * 1024)],
)
def test_memory_is_in_kilobytes(text: str, size: float) -> None:
    assert kilobytes(text, "mem") == size


@pytest.mark.parametrize(
    ("text", "length"),
    [("90", 90), ("01:30", 90), ("100:00:00", 360_000), ("1:00:00:00", 86_400), ("", None)],
)
def test_lengths_of_time_are_in_seconds(text: str, length: float | None) -> None:
    assert seconds(text, "walltime") == length


def test_what_cannot_be_read_is_refused() -> None:
    with pytest.raises(InputError, match="field mem: a size of memory cannot be read: 'lots'"):
        kilobytes("lots", "mem")
    with pytest.raises(InputError, match="a length of time cannot be read"):
        seconds("1-2-3", "walltime")


def test_a_log_without_any_job_that_ran_is_refused() -> None:
    with pytest.raises(InputError, match=r"no job is left of 1 line \(never-started 1\)"):
        Pbs().read(b"03/07/2024 10:00:00;Q;1.s;queue=q\n", "log")


def test_jobs_are_eligible_at_the_first_etime() -> None:
    run = "user=ann ctime=1709802000 exec_host=n1/0 start={} etime={} end={}"
    lines = (
        f"03/07/2024 09:30:00;R;1.pbs;{run.format(1709803000, 1709802900, 1709803100)}",
        f"03/07/2024 09:30:00;E;1.pbs;{run.format(1709804000, 1709803100, 1709805000)}",
        f"03/07/2024 09:30:00;E;2.pbs;{run.format(1709803000, 1709801000, 1709803100)}",
        f"03/07/2024 09:30:00;E;3.pbs;{run.format(1709803000, 0, 1709803100)}",
    )

    log = Pbs().read("\n".join(lines).encode(), "log").workload

    assert log.job_id.tolist() == [1, 2, 3]
    assert log.eligible.tolist() == [900, 0, -1]
    assert log.wait.tolist() == [2_000, 1_000, 1_000]
