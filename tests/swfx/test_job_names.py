"""Names of jobs: what users call tasks of arrays, parts and runs, and which job a name is."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swfx
from swfx import Header, InputError, Workload
from swfx.families.transforms import apply_all
from swfx.families.utilities.curve_file import attach_curves, read_curves
from swfx.job_names import FIRST_INVENTED, JobIds, job_lines, job_names
from swfx.links import renumbered
from swfx.reading.job_rows import read_job_rows

ARRAY = Workload.from_columns(
    job_id=[103, 104, 105, FIRST_INVENTED],
    submit=[0, 0, 0, 5],
    run=[9, 9, 9, 9],
    processors=[1, 1, 1, 1],
    header=Header(
        (
            " Job: 104 103_1 2",
            " Job: 103 103_3",
            f' Job: {FIRST_INVENTED} "49, run 2 of 2"',
        )
    ),
)


def number(text: str, workload: Workload = ARRAY) -> int:
    return workload.job_names.number(text)


def problem(text: str, workload: Workload = ARRAY) -> str:
    with pytest.raises(InputError) as caught:
        number(text, workload)
    return str(caught.value)


def test_a_job_has_the_name_that_its_user_knows() -> None:
    assert ARRAY.job_names.of_jobs() == ["103_3", "103_1", "103_2", "49, run 2 of 2"]
    assert ARRAY.job_name(3) == "49, run 2 of 2"
    assert ARRAY.job_names.name(7) == "7"


def test_a_name_or_a_number_of_its_own_is_one_job() -> None:
    assert [number(text) for text in ("103_1", "103_2", "103_3", "104")] == [104, 105, 103, 104]
    assert number(str(FIRST_INVENTED)) == FIRST_INVENTED


def test_the_number_of_an_array_is_all_of_its_tasks() -> None:
    assert problem("103") == "job 103 is 3 jobs; name one of 103_3; 103_1; 103_2"


def test_the_number_of_a_requeued_job_is_its_only_run_in_the_log() -> None:
    assert number("49") == FIRST_INVENTED


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    assert problem("103_4") == (
        "no job has the number 103_4; did you mean '103_3'? known: 103_1, 103_2, 103_3"
    )


def test_an_unknown_number_is_refused_with_those_that_there_are() -> None:
    plain = Workload.from_columns(job_id=[7, 9], submit=[0, 0])

    assert problem("8", plain) == "no job has the number 8; numbers go from 7 to 9"
    assert problem("7_1", plain) == "no job has the number 7_1; numbers go from 7 to 9"


@pytest.mark.parametrize("text", ["17[3].pbs1", "17[3]", " 17[3] "])
def test_jobs_of_pbs_are_known_with_their_server_and_without(text: str) -> None:
    jobs = JobIds({5: "17[3]", 6: "17[4]"}, np.array([5, 6, 18]))

    assert jobs.number(text) == 5
    assert jobs.number("18.pbs1.example.org") == 18
    with pytest.raises(InputError, match=r"job 17 is 2 jobs"):
        jobs.number("17[].pbs1")


NAMES = st.one_of(
    st.from_regex(r"[1-3]_[0-9]{1,2}", fullmatch=True),
    st.from_regex(r"[a-b]?0?[0-9]{1,2}", fullmatch=True),
    st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1),
    st.sampled_from(["my job 1", "my job 2", "9" * 16, '"1"', '"', "a", "x 1 2"]),
)


@given(st.lists(NAMES, max_size=30), st.integers(0, 3), st.booleans())
def test_names_are_read_as_they_were_written(
    names: list[str], step: int, consecutive: bool
) -> None:
    count = np.arange(len(names))
    numbers = FIRST_INVENTED + (count if consecutive else count * (step + 1))
    header = Header(tuple(job_lines(numbers, dict(enumerate(names)))))

    known = job_names(header)

    assert all(
        known[number] == name if names.count(name) == 1 else known[number].startswith(name)
        for number, name in zip(numbers.tolist(), names, strict=True)
    )
    assert len(set(known.values())) == len(known) == len(names)


@given(st.permutations(range(12)))
def test_a_thousand_tasks_in_a_row_are_one_line(order: list[int]) -> None:
    """The fewer of them are in a row, the more lines there are, and never more than tasks."""
    names = {place: f"5_{task}" for place, task in enumerate(order)}
    lines = list(job_lines(np.arange(20, 32), names))

    breaks = sum(later != task + 1 for task, later in pairwise(order))
    assert len(lines) == 1 + breaks


def test_names_stay_in_a_file(tmp_path: Path) -> None:
    swfx.write(ARRAY, tmp_path / "array.swf")

    again = swfx.read(tmp_path / "array.swf").workload

    assert again.job_names.of_jobs() == ARRAY.job_names.of_jobs()


def test_a_filter_takes_names_of_jobs() -> None:
    kept = apply_all(ARRAY, ["filter:job_id=103_*"]).workload
    others = apply_all(ARRAY, ["filter:job_id=103_1,103..103"]).workload

    assert kept.job_names.of_jobs() == ["103_3", "103_1", "103_2"]
    assert others.job_names.of_jobs() == ["103_3", "103_1"]


def test_names_follow_the_jobs_of_a_merged_log(tmp_path: Path) -> None:
    """Numbers of the resource manager stay below the invented ones, and both are unique."""
    swfx.write(ARRAY, tmp_path / "array.swf")
    text = f"merge:log={tmp_path / 'array.swf'},clocks=first,machine=first"
    both = apply_all(ARRAY, [text]).workload

    assert sorted(both.job_id.tolist()) == [
        *(103, 104, 105, 208, 209, 210), FIRST_INVENTED, FIRST_INVENTED + 1
    ]  # fmt: skip
    assert sorted(both.job_names.of_jobs()) == sorted(
        f"{name} ({number + shift})"
        for number, name in job_names(ARRAY.header).items()
        for shift in (0, 1 if number >= FIRST_INVENTED else 105)
    )


def test_names_with_commas_are_listed_with_semicolons() -> None:
    with pytest.raises(InputError) as refusal:
        ARRAY.job_names.number("50")

    assert str(refusal.value.remedy).endswith("known: 103_1; 103_2; 103_3; 49, run 2 of 2")


def test_jobs_that_are_drawn_or_made_anonymous_lose_their_names() -> None:
    drawn = renumbered(ARRAY).workload
    anonymous = apply_all(ARRAY, ["anonymise"]).workload

    assert drawn.job_names.of_jobs() == ["1", "2", "3", "4"]
    assert anonymous.job_names.of_jobs() == list(map(str, ARRAY.job_id.tolist()))


def test_curves_and_guesses_are_given_to_jobs_by_name(tmp_path: Path) -> None:
    curves, guesses = tmp_path / "curves.csv", tmp_path / "guesses.csv"
    curves.write_text("job,t,v\n103_2,0,5\n103_2,9,0\n103,0,7\n103,9,0\n103_9,0,1\n103_9,9,0\n")
    guesses.write_text('job,soft_estimate\n103_1,60\n"49, run 2 of 2",70\n104_7,1\n')

    done = attach_curves(ARRAY, [read_curves(str(curves))])
    rows = read_job_rows(guesses, ["soft_estimate"], ARRAY)

    assert done.workload.utility.start_values.tolist() == [7, 0, 5, 0]
    assert "1 of 3 curves (2 of 6 rows), matching no job" in done.notes[1]
    assert rows.position.tolist() == [1, 3]
    assert "1 row matching no job of the workload: line 4" in rows.notes[0]


def test_a_run_is_found_by_its_name_on_invoices() -> None:
    jobs = JobIds({8: "102, run 1 of 2", 9: "102, run 2 of 2"}, np.array([7, 8, 9]))

    assert [jobs.number(f"102 (run {run})") for run in (1, 2)] == [8, 9]
    with pytest.raises(InputError, match=r"no job has the number 102 \(run 3\)"):
        jobs.number("102 (run 3)")
