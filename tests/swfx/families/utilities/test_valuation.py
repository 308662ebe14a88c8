from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import Header, InputError, UtilityFunction, UtilityTable, Workload
from swfx.families.generators import attach_utilities
from swfx.families.utilities.registry import Given
from swfx.families.utilities.valuation import Valuation

MODELS = (
    "lee:factor=3",
    "lee:step=1,points=7,globmax=0.5",
    "lee:exponential=1",
    "diurnal:least=30",
)


def log(queue: list[int], user: list[int]) -> Workload:
    jobs = len(queue)
    header = Header((" UnixStartTime: 1709539200", " TimeZoneString: Europe/Paris"))
    return Workload.from_columns(
        header=header,
        submit=np.arange(jobs) * 1000,
        wait=[300] * jobs,
        run=[700] * jobs,
        processors=[2] * jobs,
        requested_time=[3600] * jobs,
        queue=queue,
        user=user,
    )


def test_each_job_has_the_curve_of_its_own_model() -> None:
    w = log(queue=[1, 1, 2, 2], user=[7, 8, 7, 8])

    made = Valuation.parse("factor=3", ["user=7:factor=5", "queue=1:factor=4"]).attach(w, 1)

    table = made.workload.utility
    assert table.times[table.offsets[1:] - 1].tolist() == [5000, 4000, 5000, 3000]
    assert made.notes == (
        f"utilities: 1 of 4 jobs (25.0%) by {lee(3)}",
        f"user=7: 2 of 4 jobs (50.0%) by {lee(5)}",
        f"queue=1: 1 of 4 jobs (25.0%) by {lee(4)}",
    )
    waits = "seed 1; waits logged (0 missing, counted as 0)"
    assert made.workload.header.all("UtilityModel") == (
        f"LEE 2.6: {lee(3)}; {waits}",
        f"user=7 (2 jobs): LEE 2.6: {lee(5)}; {waits}",
        f"queue=1 (1 job): LEE 2.6: {lee(4)}; {waits}",
    )


def test_jobs_keep_the_curve_they_have_unless_an_override_names_them() -> None:
    own = UtilityFunction([0, 60], [9, 0])
    w = log(queue=[1, 1, 2], user=[7, 8, 9])
    w = w.replace(utility=UtilityTable.from_functions([own, None, own]))
    model = Valuation.parse("factor=3", ["user=9:factor=5"])

    kept = model.attach(w, 1, keep=True)
    replaced = model.attach(w, 1)

    assert kept.workload.utility[0] == own
    assert [kept.workload.utility[i] == replaced.workload.utility[i] for i in (1, 2)] == [True] * 2
    assert kept.notes == (
        "utilities: 1 of 3 jobs (33.3%) keep the one that they have",
        f"utilities: 1 of 3 jobs (33.3%) by {lee(3)}",
        f"user=9: 1 of 3 jobs (33.3%) by {lee(5)}; 1 of them replace another",
    )
    assert kept.workload.header.all("UtilityModel")[0] == "kept (1 job): as in the log"
    assert replaced.workload.utility[0] != own
    assert replaced.notes[0].endswith("; 1 of them replace another")


def lee(factor: int) -> str:
    return (
        f"factor={factor},base=turnaround,linear=1,exponential=1,step=1,points=4,"
        "globmax=0.03333333333333333,epsilon=0.001"
    )


def test_without_overrides_it_is_the_model() -> None:
    w = log(queue=[1, 2], user=[7, 8])

    assert Valuation.parse().attach(w, 3).workload == attach_utilities(w, seed=3)


def test_none_keeps_the_curves_that_are_there() -> None:
    w = attach_utilities(log(queue=[1, 2], user=[7, 8]), seed=3)

    made = Valuation.parse("none", ["queue=2:step=1"]).attach(w, 4).workload

    assert made.utility[0] == w.utility[0]
    step = Valuation.parse("step=1").attach(w, 4).workload
    assert made.utility[1] == step.utility[1]
    assert made.header.all("UtilityModel")[0] == w.header.get("UtilityModel")
    assert Valuation.parse("none").attach(w, 4).workload == w


def test_an_override_may_name_its_user() -> None:
    named = log(queue=[1, 2], user=[7, 8])
    named = named.replace(header=named.header.with_value("User", "8 bob"))

    by_name = Valuation.parse("none", ["user=bob:step=1"]).attach(named, 4).workload
    by_number = Valuation.parse("none", ["user=8:step=1"]).attach(named, 4).workload

    assert by_name.utility == by_number.utility
    assert by_name.utility.defined.tolist() == [False, True]


def test_a_queue_without_jobs_is_refused() -> None:
    with pytest.raises(InputError, match=r"no job has the queue '9'; known: 1$"):
        Valuation.parse("none", ["queue=9:step=1"]).attach(log([1], [1]))


@given(
    st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3)), min_size=1, max_size=12),
    st.sampled_from([*MODELS, "none"]),
    st.dictionaries(
        st.tuples(st.sampled_from(["queue", "user"]), st.integers(1, 3)),
        st.sampled_from(MODELS),
        max_size=4,
    ),
    st.integers(0, 2**40),
)
@pytest.mark.slow
def test_overrides_leave_the_curves_of_all_others_alone(
    jobs: list[tuple[int, int]], base: str, overrides: dict[tuple[str, int], str], seed: int
) -> None:
    w = log(*(list(column) for column in zip(*jobs, strict=True)))
    concerned = {
        (column, number): text
        for (column, number), text in overrides.items()
        if number in getattr(w, column)
    }
    texts = [f"{column}={number}:{text}" for (column, number), text in concerned.items()]

    made = Valuation.parse(base, texts).attach(w, seed).workload
    plain = Valuation.parse(base).attach(w, seed).workload

    for place, (queue, user) in enumerate(jobs):
        text = overrides.get(("user", user)) or overrides.get(("queue", queue))
        if text is None:
            assert made.utility[place] == plain.utility[place]
        else:
            alone = Valuation.parse(base, [f"user={user}:{text}"]).attach(w, seed).workload
            assert made.utility[place] == alone.utility[place]
            assert UtilityFunction(made.utility[place].times, made.utility[place].values)


def test_waits_and_classes_reach_every_model() -> None:
    w = log(queue=[1, 2], user=[7, 8])
    given = Given(waits=[1000, 2000], classes={1: 2, 2: 1})

    made = Valuation.parse("globmax=0.6,deviation=0", ["user=8:factor=4"]).attach(w, 1, given)

    assert made.workload.utility.times[made.workload.utility.offsets[1:] - 1].tolist() == [
        3400,
        10800,
    ]
    assert made.workload.utility.start_values == pytest.approx([18, 54])


def test_waits_are_read_if_any_model_reads_them() -> None:
    assert Valuation.parse("none", ["queue=1:factor=3"]).reads_waits
    assert not Valuation.parse("none", ["queue=1:diurnal"]).reads_waits


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["group=1:factor=3"], "utilities for: 'group=1:factor=3' is for no queue or user; write"),
        (["queue=1"], "utilities for: 'queue=1' is for no queue or user; write queue=Q:SPEC or"),
        (["queue=:factor=3"], "is for no queue or user"),
        (["queue=1:step=1", "queue=1:linear=1"], "utilities for: queue=1 is named twice; keep"),
        (["queue=1:facter=3"], "field facter: is not a known key"),
        (["user=1:diurnal:at=9"], "diurnal: field at: '9' is not a time of the day"),
    ],
)
def test_refusals(texts: list[str], message: str) -> None:
    with pytest.raises(InputError) as error:
        Valuation.parse("default", texts)

    assert message in str(error.value)
