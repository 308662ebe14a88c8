import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import Header, Workload
from swfx.reading.cleaning import OVER_REQUEST, Cleaner, examine
from swfx.reading.report import RULES
from tests.strategies import raw_workloads, workloads

SOUND = {"submit": 0, "run": 5, "processors": 4, "requested_processors": 4, "requested_time": 10}


@pytest.mark.parametrize(
    ("columns", "rules", "kept"),
    [
        ({}, [], True),
        ({"run": 0}, [], True),
        ({"processors": 8, "requested_processors": 9}, [], True),
        ({"submit": -1, "run": -1, "processors": -1}, ["negative-submit"], False),
        ({"run": -1}, ["negative-run"], False),
        ({"processors": -1, "requested_processors": 0}, ["no-processors"], False),
        ({"processors": 9}, ["too-wide"], False),
        ({"processors": -1, "requested_processors": 9}, ["too-wide"], False),
        ({"requested_processors": -1}, ["requested-processors-missing"], True),
        ({"requested_time": -1}, ["requested-time-missing"], True),
        ({"run": 11, "processors": 0}, ["processors-missing", "run-over-request"], True),
    ],
)
def test_rules_of_a_job_and_whether_it_is_kept(
    columns: dict[str, int], rules: list[str], kept: bool
) -> None:
    values = {name: [value] for name, value in (SOUND | columns).items()}

    findings = examine(Workload.from_columns(header=Header((" MaxProcs: 8",)), **values))

    assert [RULES[code].name for code in findings.rule] == rules
    assert findings.keep.tolist() == [kept]


@given(raw_workloads())
def test_what_is_kept_can_be_simulated_and_stays(w):
    kept = w[examine(w).keep]
    assert (kept.submit >= 0).all()
    assert (kept.run >= 0).all()
    assert (kept.size > 0).all()
    assert (kept.request >= 0).all()
    assert kept.machine_size is None or (kept.size <= kept.machine_size).all()
    assert examine(kept).keep.all()


@given(raw_workloads())
def test_a_dropped_job_has_one_rule(w):
    findings = examine(w)
    dropped = [RULES[code].action == "dropped" for code in findings.rule]
    assert sorted(findings.job[dropped]) == np.flatnonzero(~findings.keep).tolist()


@given(workloads())
def test_sound_workloads_are_left_alone(w):
    assert {RULES[code].action for code in examine(w).rule} <= {"noted"}


# warnings of the whole log


def notes_of(*parts: Workload) -> tuple[str, ...]:
    """Notes on a log that comes in these parts."""
    cleaner = Cleaner("standard")
    for part in parts:
        cleaner.clean(part, np.arange(len(part)))
    return cleaner.notes(parts[0].header)


def requesting(run: list[int], requested: list[int]) -> Workload:
    columns = {name: np.full(len(run), value) for name, value in SOUND.items()}
    given = {"run": np.array(run, float), "requested_time": np.array(requested, float)}
    header = Header((" MaxProcs: 8",))
    return Workload.from_columns(header=header, **(columns | given))


@pytest.mark.parametrize(
    ("run", "requested", "note"),
    [
        ([3600, 3600, 1800], [120, 60, 30], "(3 of 3): are requested times in minutes, not se"),
        ([3600, 3600, 10], [120, 60, 30], "(2 of 3): are requested times in minutes, not se"),
        ([3600, 3600, 10], [1, 1, 30], "(2 of 3)"),  # minutes would not do either
        ([3600, 10, 10, 7], [120, 60, 30, -1], None),
        ([3600, 10], [120, 60], None),  # half are not most
        ([3600, 3600], [-1, -1], None),
    ],
)
def test_a_warning_where_most_jobs_ran_over_their_requests(
    run: list[int], requested: list[int], note: str | None
) -> None:
    whole = requesting(run, requested)
    for parts in ([whole], [whole[:1], whole[1:]]):
        (told,) = [text for text in notes_of(*parts) if text.startswith(OVER_REQUEST)] or [None]
        assert (told is None) == (note is None)
        assert told is None or told.startswith(f"{OVER_REQUEST} {note}")
        assert told is None or told.endswith("?") == ("minutes" in str(note))


@given(st.lists(st.sampled_from([-1, 1, 2, 3]), min_size=1), st.integers(1, 5))
def test_a_warning_where_jobs_are_of_several_partitions(numbers: list[int], size: int) -> None:
    names = (" Partition: 1 cpu", " Partition: 2 gpu", " Partition: 3 cpu,gpu")
    header = Header((" MaxProcs: 8", *names))
    columns = {name: np.full(len(numbers), value) for name, value in SOUND.items()}
    whole = Workload.from_columns(header=header, **(columns | {"partition": np.array(numbers)}))
    parts = [whole[first : first + size] for first in range(0, len(whole), size)]

    notes = [note for note in notes_of(*parts) if "partitions" in note]

    several = {1, 2} <= {*numbers}  # the third is a choice of jobs among the two
    text = (
        "2 partitions (cpu, gpu) are one machine in simulations: if their nodes differ,"
        " give --machine FILE, of which describe writes a draft, or take one:"
        " --apply filter:partition=cpu --machine-size N"
    )
    assert notes == [text] * several


@pytest.mark.parametrize(("start", "is_told"), [(0, True), (31_535_999, True), (31_536_000, False)])
def test_a_warning_where_times_would_be_dates_of_1970(start: int, *, is_told: bool) -> None:
    header = Header((" MaxProcs: 8", f" UnixStartTime: {start}"))
    columns = {name: np.full(1, value) for name, value in SOUND.items()}

    notes = notes_of(Workload.from_columns(header=header, **columns))

    text = (
        f"the log begins in 1970 (UnixStartTime: {start}): its times are shown as days since"
        " it began, not as dates"
    )
    assert [note for note in notes if "1970" in note] == [text] * is_told
