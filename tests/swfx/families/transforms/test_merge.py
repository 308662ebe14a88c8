from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from swfx import Header, InputError, UtilityFunction, UtilityTable, Workload, write
from swfx.families.transforms import apply_all, make_transforms

FIRST = Workload.from_columns(
    job_id=[3, 7],
    submit=[0, 100],
    run=[5, 5],
    processors=[4, 2],
    user=[1, 2],
    group=[1, -1],
    queue=[1, 1],
    preceding_job=[-1, 3],
    header=Header((" MaxProcs: 4", " MaxNodes: 1", " UnixStartTime: 1000", " MaxJobs: 2")),
)
SECOND = Workload.from_columns(
    submit=[50, 60, 70],
    run=[9, 9, 9],
    processors=[8, 1, 2],
    requested_processors=[8, 1, 2],
    requested_time=[9, 9, 9],
    user=[1, 5, -1],
    group=[0, 1, 1],
    queue=[1, 2, 2],
    preceding_job=[-1, 1, 2],
    header=Header((" MaxProcs: 8", " UnixStartTime: 900", " User: 1 alice")),
)


@pytest.fixture
def other(tmp_path: Path) -> Path:
    path = tmp_path / "other.swf"
    write(SECOND, path)
    return path


def test_by_the_wall_clock_with_users_apart(other: Path) -> None:
    done = apply_all(FIRST, [f"merge:log={other}"])

    both = done.workload
    assert both.job_id.tolist() == [8, 9, 10, 3, 7]
    assert both.submit.tolist() == [50, 60, 70, 100, 200]
    assert both.user.tolist() == [3, 7, -1, 1, 2]
    assert both.group.tolist() == [2, 3, 3, 1, -1]
    assert both.queue.tolist() == [1, 2, 2, 1, 1]
    assert both.preceding_job.tolist() == [-1, 8, 9, -1, 3]
    assert both.header.lines == (
        " MaxProcs: 8",
        " UnixStartTime: 900",
        " User: 3 alice",
        f" Transformation: merge:log={other}",
    )
    (note,) = done.notes
    assert note.endswith("numbers 7 higher; 0 dropped and 0 repaired when it was read")


def test_first_jobs_at_once_with_the_same_users_on_the_first_machine(other: Path) -> None:
    text = f"merge:log={other},machine=first,clocks=first,users=same"
    done = apply_all(FIRST, [text])

    both = done.workload
    assert both.job_id.tolist() == [3, 9, 10, 7]
    assert both.submit.tolist() == [0, 10, 20, 100]
    assert both.user.tolist() == [1, 5, -1, 2]
    assert both.preceding_job.tolist() == [-1, -1, 9, 3]
    assert (both.machine_size, both.header.unix_start_time) == (4, 1000)
    assert done.dropped == {f"{text}: wider than the machine": 1}
    assert done.changed == {f"{text}: links to dropped preceding jobs removed": 1}


def test_the_sum_of_two_machines(other: Path) -> None:
    both = apply_all(FIRST, [f"merge:log={other},machine=sum"]).workload

    assert (both.header.max_procs, both.header.max_nodes) == (12, None)


def test_models_and_samples_can_be_merged_too() -> None:
    done = apply_all(FIRST, ["merge:log=sample:market,clocks=first"]).workload

    assert len(done) == 2002
    assert done.machine_size == 256
    assert int(done.utility.defined.sum()) == 2000


def test_a_model_with_options_stands_in_brackets() -> None:
    text = "merge:log=[model:lublin,jobs=30,machine_size=64],clocks=first"

    done = apply_all(FIRST, [text])

    assert len(done.workload) == 32
    assert make_transforms([text])[0].label == text
    assert done.workload.header.all("Transformation") == (text,)


def test_what_does_not_fit_together(other: Path, tmp_path: Path) -> None:
    undated = FIRST.replace(header=FIRST.header.without("UnixStartTime"))
    with pytest.raises(
        InputError, match=r"field UnixStartTime: one of the logs does not .*give cl"
    ):
        apply_all(undated, [f"merge:log={other}"])
    boundless = FIRST.replace(header=FIRST.header.without("MaxProcs", "MaxNodes"))
    with pytest.raises(
        InputError, match=r"field MaxProcs: the size of one .*; give `machine=first`"
    ):
        apply_all(boundless, [f"merge:log={other}"])
    with pytest.raises(InputError, match=r"nowhere.swf: cannot be read"):
        apply_all(FIRST, ["merge:log=nowhere.swf"])
    with pytest.raises(
        InputError, match="field clocks: 'unx' is not a choice; did you mean 'unix'"
    ):
        apply_all(FIRST, ["merge:log=nowhere.swf,clocks=unx"])


def test_utilities_in_different_units(tmp_path: Path) -> None:
    curves = UtilityTable.from_functions([UtilityFunction([0, 9], [1, 0])] * 3)
    worth = SECOND.replace(utility=curves)
    write(worth.replace(header=worth.header.with_value("UtilityUnits", "EUR")), tmp_path / "e.swfx")
    mine = SECOND.replace(utility=curves)

    with pytest.raises(InputError, match="UtilityUnits: utilities are in SU in one log and in EUR"):
        apply_all(mine, [f"merge:log={tmp_path / 'e.swfx'}"])


def test_jobs_without_a_number_take_no_number_of_others(tmp_path: Path) -> None:
    write(
        Workload.from_columns(
            submit=[0, 1],
            run=[1, 1],
            processors=[1, 1],
            requested_processors=[1, 1],
            requested_time=[1, 1],
            job_id=[-1, 0],
        ),
        tmp_path / "b.swf",
    )
    log = Workload.from_columns(submit=[0, 5], run=[1, 1], processors=[1, 1], job_id=[1, 2])

    done = apply_all(log, [f"merge:log={tmp_path / 'b.swf'},clocks=first,machine=first"]).workload

    assert sorted(done.job_id.tolist()) == [-1, 0, 1, 2]


def month(*numbers: int, user: str = "ann", start: int = 0, cluster: str = "") -> Workload:
    """Log whose jobs are submitted a minute apart by the calendar, by their numbers."""
    number = np.array(numbers)
    count = len(number)
    names = (f" UnixStartTime: {start}", " MaxProcs: 8", f" User: 1 {user}")
    clusters = {"cluster": np.ones(count, np.int64)} if cluster else {}
    return Workload.from_columns(
        job_id=number,
        submit=60.0 * number - start,
        wait=np.full(count, 5.0),
        run=number + 9.0,
        processors=np.full(count, 2),
        requested_processors=np.full(count, 2),
        requested_time=np.full(count, 99.0),
        user=np.ones(count, np.int64),
        preceding_job=np.where(np.isin(number - 1, number), number - 1, -1),
        header=Header((*names, *((f" Cluster: 1 {cluster}",) if cluster else ()))),
        **clusters,
    )


@pytest.mark.parametrize("users", ["apart", "same"])
def test_a_job_in_both_logs_is_kept_once(tmp_path: Path, users: str) -> None:
    write(month(3, 4, 5, start=120), tmp_path / "later.swf")

    done = apply_all(month(1, 2, 3), [f"merge:log={tmp_path / 'later.swf'},users={users}"])

    assert done.workload.job_id.tolist() == [1, 2, 3, 4, 5]
    assert done.workload.submit.tolist() == [60, 120, 180, 240, 300]
    assert done.workload.preceding_job.tolist() == [-1, 1, 2, 3, 4]
    assert done.notes[1].endswith("later.swf in both logs: kept once")


@pytest.mark.parametrize(
    ("other", "options"),
    [
        (month(1, 2, user="ben"), ""),
        (month(1, 2, cluster="b"), ""),
        (month(1, 2), ",clocks=first"),
        (month(1, 2).replace(run=[9.0, 9.0]), ""),
    ],
)
def test_jobs_of_one_number_may_be_two(tmp_path: Path, other: Workload, options: str) -> None:
    write(other, tmp_path / "other.swfx")

    done = apply_all(month(1, 2, cluster="a"), [f"merge:log={tmp_path / 'other.swfx'}{options}"])

    assert len(done.workload) == 4
    assert len(done.notes) == 1


def test_a_log_that_has_no_further_jobs(tmp_path: Path) -> None:
    write(month(2, 3), tmp_path / "same.swf")

    done = apply_all(month(1, 2, 3), [f"merge:log={tmp_path / 'same.swf'}"])

    assert done.workload.job_id.tolist() == [1, 2, 3]
    assert ": 2 jobs of " in done.notes[1]


HERE = (" MaxProcs: 8", " UnixStartTime: 0", " Queue: 1 night", " User: 1 ann")
THERE = (
    " UnixStartTime: 0",
    " Queue: 1 day",
    " Queue: 2 night",
    " User: 1 ann",
    " Project: 1 relax",
)


def merged(tmp_path: Path, options: str, *here: str) -> Workload:
    columns = {"run": [9, 9], "processors": [1, 1], "requested_processors": [1, 1]}
    first = Workload.from_columns(
        submit=[0, 2], **columns, user=[1, 1], queue=[1, 1], header=Header((*HERE, *here))
    )
    second = Workload.from_columns(
        submit=[1, 3], **columns, user=[1, 2], queue=[1, 2], project=[1, -1], header=Header(THERE)
    )
    write(second, tmp_path / "there.swfx")
    return apply_all(
        first, [f"merge:log={tmp_path / 'there.swfx'},machine=first{options}"]
    ).workload


def test_labels_of_one_name_are_one_where_users_are_the_same(tmp_path: Path) -> None:
    both = merged(tmp_path, ",users=same")

    assert both.labels.required("queue").of_jobs() == ["night", "day", "night", "night"]
    assert both.labels.required("user").of_jobs() == ["ann", "ann", "ann", "2"]
    assert both.labels.required("project").of_jobs() == ["unknown", "relax", "unknown", "unknown"]


def test_labels_of_one_name_are_two_where_users_are_apart(tmp_path: Path) -> None:
    both = merged(tmp_path, "")

    assert both.labels.required("user").of_jobs() == ["ann (1)", "ann (2)", "ann (1)", "3"]
    assert both.labels.required("queue").of_jobs() == ["night", "day", "night", "night"]


def test_fields_that_hold_other_kinds_of_labels_are_not_mixed(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"QueueMeans: the other log names a queue, and in this l"):
        merged(tmp_path, "", " QueueMeans: qos")
