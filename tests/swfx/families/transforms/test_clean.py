from __future__ import annotations

from pathlib import Path

import pytest

from swfx import Header, InputError, Workload, read, write
from swfx.families.transforms import apply_all

LOG = Workload.from_columns(
    submit=[9, 0, 3, 6, -1, 12],
    run=[1, 1, 1, 1, 1, 1],
    processors=[1, 2, 3, 4, 1, 9],
    preceding_job=[-1, -1, 2, 3, -1, -1],
    header=Header((" MaxProcs: 8",)),
)


def test_the_rules_of_reading() -> None:
    done = apply_all(LOG, ["clean"])

    assert done.workload.job_id.tolist() == [1, 2, 3, 4]
    assert done.dropped == {"clean: negative-submit": 1, "clean: too-wide": 1}


def test_a_log_that_was_cleaned_has_nothing_to_repair(tmp_path: Path) -> None:
    log = Workload.from_columns(
        submit=[0, 1, 2],
        run=[60, 90, 5],
        processors=[-1, 4, 2],
        requested_processors=[2, -1, 2],
        requested_time=[90, -1, 60],
        header=Header((" MaxProcs: 8",)),
    )
    unknown = "was unknown, and is now what is taken for it"

    done = apply_all(log, ["clean"])
    write(done.workload, tmp_path / "clean.swf")

    assert done.changed == {
        f"clean: processors {unknown}": 1,
        f"clean: requested_processors {unknown}": 1,
        f"clean: requested_time {unknown}": 1,
    }
    again = read(tmp_path / "clean.swf")
    assert again.report.counts() == {}
    assert again.workload.size.tolist() == log.size.tolist()
    assert again.workload.request.tolist() == log.request.tolist()


def test_the_ends_go_by_time_of_submission_after_the_rules() -> None:
    done = apply_all(LOG, ["clean:trim=0.3"])

    assert done.workload.job_id.tolist() == [3, 4]
    assert done.workload.preceding_job.tolist() == [-1, 3]
    assert done.dropped == {
        "clean:trim=0.3: negative-submit": 1,
        "clean:trim=0.3: too-wide": 1,
        "clean:trim=0.3: warm-up": 1,
        "clean:trim=0.3: cool-down": 1,
    }
    cut = "clean:trim=0.3: links to dropped preceding jobs removed"
    assert done.changed[cut] == 1


@pytest.mark.parametrize("trim", ["0.5", "-0.1"])
def test_shares_out_of_bounds(trim: str) -> None:
    with pytest.raises(InputError, match=f"clean: field trim: {trim} is out of bounds; give a sha"):
        apply_all(LOG, [f"clean:trim={trim}"])
