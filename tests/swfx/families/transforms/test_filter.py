from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import Header, InputError, Workload
from swfx.families.transforms import apply_all, make_transforms
from swfx.families.transforms.filter import Filter
from tests.strategies import workloads

LOG = Workload.from_columns(
    submit=[0, 1, 2, 3],
    run=[10, 20, 30, 40],
    processors=[1, 8, -1, 64],
    requested_processors=[1, 8, 16, 64],
    user=[1, 2, 2, 3],
    queue=[1, 1, 2, 3],
)


@pytest.mark.parametrize(
    ("conditions", "numbers"),
    [
        ("user=2", [2, 3]),
        ("queue=1,3", [1, 2, 4]),
        ("run=15..30", [2, 3]),
        ("run=..10,35..", [1, 4]),
        ("size=8..16", [2, 3]),
        ("processors=-1", [3]),
        ("queue=1,user=2", [2]),
        ("queue=1,user=2,invert=true", [1, 3, 4]),
        ("submit=1.5..", [3, 4]),
    ],
)
def test_all_conditions_must_hold(conditions: str, numbers: list[int]) -> None:
    done = apply_all(LOG, [f"filter:{conditions}"])

    assert done.workload.job_id.tolist() == numbers
    assert sum(done.dropped.values()) == 4 - len(numbers)
    (made,) = make_transforms([f"filter:{conditions}"])
    assert Filter.from_text(made.label.partition(":")[2]) == made


NAMED = LOG.replace(
    account=[4, 5, -1, 4],
    header=Header((" User: 1 ann", " User: 2 anna", " QueueMeans: qos", " QOS: 3 night")),
)


@pytest.mark.parametrize(
    ("conditions", "numbers"),
    [
        ("user=anna", [2, 3]),
        ("user=ann*", [1, 2, 3]),
        ("user=ann,3..", [1, 4]),
        ("queue=night", [4]),
        ("account=4", [1, 4]),
        ("account=-1", [3]),
    ],
)
def test_labels_may_be_names(conditions: str, numbers: list[int]) -> None:
    done = apply_all(NAMED, [f"filter:{conditions}"])

    assert done.workload.job_id.tolist() == numbers
    (made,) = make_transforms([f"filter:{conditions}"])
    assert Filter.from_text(made.label.partition(":")[2]) == made


def test_a_name_that_the_log_does_not_have_is_refused() -> None:
    with pytest.raises(InputError, match="user: the log names no user 'amn'; did you mean 'ann'"):
        apply_all(NAMED, ["filter:user=amn"])


@given(workloads(), st.integers(0, 7), st.integers(0, 60))
def test_every_job_is_chosen_by_a_filter_or_by_its_inverse(
    log: Workload, queue: int, run: int
) -> None:
    chosen = Filter.from_text(f"queue={queue}..,run=..{run}").apply(log, 0)
    others = Filter.from_text(f"queue={queue}..,run=..{run},invert=true").apply(log, 0)

    both = sorted([*chosen.workload.job_id.tolist(), *others.workload.job_id.tolist()])
    assert both == log.job_id.tolist()
    assert sum(chosen.dropped.values()) == len(others.workload)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("filter", "filter: no condition is given; write filter:queue=1"),
        ("filter:invert=true", "filter: no condition is given"),
        ("filter:usr=1", "field usr: is not a known key; did you mean 'user'?"),
        ("filter:run=a", "filter: field run: unknown unit of time: 'a'"),
        ("filter:user=1,,2", "filter: field user: no number is in ''"),
        (
            "filter:run=9..1",
            "filter: field run: no number is in '9..1'; write A..B with A at most B",
        ),
        ("filter:run=1,,2", "filter: field run: no number is in ''"),
        ("filter:run=1,invert=yes", "filter: field invert: 'yes' is not a choice; give true"),
    ],
)
def test_unusable_conditions(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        make_transforms([text])

    assert message in str(error.value)
