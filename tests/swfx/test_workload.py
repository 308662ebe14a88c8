import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import FIELD_NAMES, Header, InputError, UtilityFunction, UtilityTable, Workload
from tests.strategies import raw_workloads

CURVE = UtilityFunction([0, 60], [5, 0])


def small() -> Workload:
    return Workload.from_columns(
        submit=[0, 10, 20],
        run=[100, 5, -1],
        processors=[2, -1, 0],
        requested_processors=[4, 3, -1],
        requested_time=[60, -1, 0],
        utility=UtilityTable.from_functions([CURVE, None, None]),
        header=Header((" MaxProcs: 8",)),
    )


def test_absent_columns_are_unknown_and_jobs_are_numbered():
    w = Workload.from_columns(submit=[3, 4])
    assert w.job_id.tolist() == [1, 2]
    assert w.user.tolist() == [-1, -1]
    assert w.think_time.dtype == np.float64
    assert len(w) == 2


def test_size_request_and_effective_run():
    w = small()
    assert w.size.tolist() == [2, 3, -1]
    assert w.request.tolist() == [60, 5, -1]
    assert w.effective_run.tolist() == [60, 5, -1]
    assert w.processors.tolist() == [2, -1, 0]


def test_derived_columns_are_read_only():
    for column in (small().size, small().request, small().effective_run, small().run):
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 1


def test_machine_size_is_max_procs_or_else_max_nodes():
    assert small().machine_size == 8
    assert Workload.from_columns(submit=[0]).machine_size is None
    nodes = Header((" MaxNodes: 5", " MaxProcs: N/A"))
    assert Workload.from_columns(submit=[0], header=nodes).machine_size == 5


def test_extended_workload_announces_itself_and_a_plain_one_does_not():
    w = small()
    assert w.extended
    assert w.header.lines == (" SWFX: 1.0", " UtilityUnits: SU", " MaxProcs: 8")
    assert not w[1:].extended
    assert w[1:].header.get("SWFX") is None
    assert not w[1:].has_utilities
    assert Workload.from_columns(submit=[0], checkpoint_interval=[60]).extended


def test_estimates_are_extra_columns():
    w = small().replace(soft_estimate=[50, -1, -1], confidence=[0.5, -1, 1])
    assert w.extra_columns == ("soft_estimate", "confidence")
    assert w.header.get("ExtraColumns") == "soft_estimate confidence"
    assert w[1:].header.get("ExtraColumns") == "confidence"
    assert not w[1:2].extended
    assert list(w.to_frame().columns)[-3:] == ["soft_estimate", "confidence", "utility"]
    assert Workload.from_frame(w.to_frame(), w.header) == w
    assert w != small().replace(header=w.header)


def test_digest_counts_estimates_only_where_there_are_some():
    w = small()
    assert w.replace(soft_estimate=[-1, -1, -1]).digest() == w.digest()
    assert w.replace(soft_estimate=[50, -1, -1]).digest() != w.digest()
    assert w.replace(confidence=[1, -1, -1]).digest() != w.digest()


def test_indexing_by_slice_mask_and_positions():
    w = small()
    assert w[1:].submit.tolist() == [10, 20]
    assert w[np.array([True, False, True])].submit.tolist() == [0, 20]
    assert w[np.array([2, 0])].submit.tolist() == [20, 0]
    assert w[np.array([2, 0])].utility[1] == CURVE
    assert w[::-1] == w[np.array([2, 1, 0])]


def test_index_of_one_job_is_refused():
    with pytest.raises(TypeError, match="slice, a bool mask or an int array"):
        small()[np.int64(1)]


def test_replace_changes_one_thing():
    w = small()
    assert w.replace(submit=[0, 0, 0]).submit.tolist() == [0, 0, 0]
    assert w.replace(submit=[0, 0, 0]).utility == w.utility
    assert not w.replace(utility=UtilityTable.empty(3)).extended


def test_equality_sees_every_part():
    w = small()
    assert w == small()
    assert w != w.replace(think_time=[0, 0, 0])
    assert w != w.replace(header=Header())
    assert w != w.replace(utility=UtilityTable.empty(3))
    assert w != "w"


def test_frame_and_back():
    w = small()
    frame = w.to_frame()
    assert list(frame.columns) == [
        *FIELD_NAMES, "checkpoint_interval", "restart_overhead", "utility",
    ]  # fmt: skip
    assert frame["utility"][0] == CURVE
    assert Workload.from_frame(frame, w.header) == w
    assert list(w[1:].to_frame().columns) == list(FIELD_NAMES)


def test_digest_is_the_same_everywhere():
    assert small().digest() == ("f5132b7f22d887c9cb80c93433be646dbed43ae12fcd6ae26f39919a634bba0b")


def test_digest_follows_results_not_comments():
    w = small()
    assert w.replace(header=w.header.with_value("Note", "x")).digest() == w.digest()
    assert w.replace(header=w.header.with_value("MaxProcs", 9)).digest() != w.digest()
    assert w.replace(queue=[1, 1, 1]).digest() != w.digest()
    assert w.replace(utility=UtilityTable.empty(3)).digest() != w.digest()


def test_survives_pickling():
    assert pickle.loads(pickle.dumps(small())) == small()


def test_repr_is_short():
    assert repr(small()) == "<extended Workload: 3 jobs, machine size 8>"


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"submit": [0, 1], "run": [1]}, "field run: has 1 values for 2 jobs"),
        (
            {"submit": [0], "utility": UtilityTable.empty(2)},
            "field utility: has 2 values for 1 jobs",
        ),
        ({"submit": [np.nan]}, "field submit: nan at position 0 is not a finite number"),
        ({"user": [0, 1.5]}, "field user: 1.5 at position 1 is not a whole number"),
        (
            {"checkpoint_interval": [60, 0]},
            "field checkpoint_interval: 0.0 s at position 1; it must be positive, or -1 for none",
        ),
        (
            {"restart_overhead": [-2]},
            "field restart_overhead: -2.0 s at position 0; it must be 0 or more, or -1 for none",
        ),
    ],
)
def test_refusals(columns, message):
    with pytest.raises(InputError) as caught:
        Workload.from_columns(**columns)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            {"soft_estimate": [0]},
            "field soft_estimate: 0.0 s at position 0; it must be positive, or -1 for none",
        ),
        (
            {"confidence": [0, 1, 1.5]},
            "field confidence: 1.5 at position 2; it must be from 0 to 1, or -1 for none",
        ),
    ],
)
def test_impossible_estimates(columns, message):
    with pytest.raises(InputError) as caught:
        Workload.from_columns(**columns)
    assert str(caught.value) == message


def test_unknown_columns_are_refused_with_the_known_ones():
    with pytest.raises(InputError, match="unknown column runn; the columns are job_id, submit"):
        Workload.from_columns(runn=[1])
    with pytest.raises(InputError, match="unknown column runn; the names are job_id, submit"):
        small().replace(runn=[1, 1, 1])
    with pytest.raises(InputError, match="no column given"):
        Workload.from_columns()


@given(raw_workloads(), st.data())
def test_indexing_commutes_with_columns(w, data):
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=len(w), max_size=len(w))))
    chosen = w[mask]
    assert chosen.submit.tolist() == w.submit[mask].tolist()
    assert chosen == w[np.flatnonzero(mask)]
    assert chosen.size.tolist() == w.size[mask].tolist()


@given(raw_workloads())
def test_any_workload_survives_a_frame(w):
    assert Workload.from_frame(w.to_frame(), w.header) == w


def test_original_jobs_are_whole_numbers():
    w = small().replace(original_job=[7, -1, 7])
    assert w.extra_columns == ("original_job",)
    with pytest.raises(InputError, match="field original_job: -2 at position 0; it must be"):
        small().replace(original_job=[-2, 0, 1])
