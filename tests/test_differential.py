"""List schedulers follow the rules: every start of every pass is what readable twins choose."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import swfx
from swfx.families.generators import UtilitySpec, attach_utilities
from tests.checked import check, linked
from tests.queues import Machine, jobs_of, random_workload, workloads
from tests.reference.lists import ListTwin, Scheduler
from tests.reference.orderings import ORDERINGS, Context, order
from tests.reference.values import ValueRule
from tests.scale import FACTOR, many
from utilitysched import simulate
from utilitysched.schedulers.orderings import orderings

KNOWN = orderings()
VALUE_AWARE = tuple(name for name in ORDERINGS if KNOWN[name].value_aware)
STATIC = tuple(name for name in ORDERINGS if not KNOWN[name].dynamic)
PLACEMENTS = ("none", "easy", "reservations", "limits", "replan", "conservative")
QUEUES_PER_CASE = many(24)


class Twins(NamedTuple):
    """One scheduler by its text, for the compiled engine, and as its readable twin."""

    text: str
    readable: Scheduler


def drawn(rng: Random, ordering: str, placement: str, *, reserves: bool = True) -> Twins:
    """Draw the options of an ordering and placement, a reserve among them if wanted."""
    texts: dict[str, object] = {}
    fields: dict[str, object] = {"ordering": ordering, "placement": placement}
    if placement in ("none", "easy", "conservative"):
        texts["placement"] = placement
    if placement == "replan":
        texts |= {"placement": "conservative", "replan": "true"}
        fields |= {"placement": "reservations", "reservations": None}
    if placement in ("reservations", "limits"):
        texts["placement"] = "easy"
        texts["reservations"] = fields["reservations"] = rng.choice([0, 1, 2, 3])
        fields["placement"] = "reservations"
    if placement == "limits":
        texts["depth"] = fields["depth"] = rng.randint(1, 8)
        texts["window"] = fields["window"] = rng.choice([0.5, 4, 20])
    if placement != "conservative" and rng.random() < 0.5:
        texts["threshold"] = fields["threshold"] = rng.choice([0, 3, 10.25, 40])
    if placement not in ("none", "conservative", "replan") and rng.random() < 0.6:
        texts["backfill"] = fields["backfill"] = rng.choice([*STATIC, "lexp", "unicef"])
    if ordering in VALUE_AWARE:
        add_value_options(rng, ordering, texts, fields)
    if ordering == "mixed":
        add_weights(rng, texts, fields)
    if reserves and placement != "conservative" and rng.random() < 0.3:
        texts["reserve"] = fields["reserve"] = rng.choice([50.0, 500.0, 5000.0])
        texts["idle"] = fields["idle"] = rng.choice([0.0, 0.25, 1.0])
    text = f"{ordering}:{','.join(f'{key}={value}' for key, value in texts.items())}"
    return Twins(text, Scheduler(**fields))  # type: ignore[arg-type]


def add_value_options(
    rng: Random, ordering: str, texts: dict[str, object], fields: dict[str, object]
) -> None:
    """Draw what value-aware orderings take for granted."""
    rule = ValueRule(
        duration=rng.choice(["requested", "zero", "fraction", "predicted", "expected"]),
        fraction=rng.choice([0.25, 0.3]),
        occupancy=rng.choice(["requested", "predicted"]),
        alpha=rng.choice([0.5, 0.2]),
        tau=rng.choice([2.0, 7.5, 43200.0]),
        discount=rng.choice([0.01, 30.0]) / 3600,
        lookahead=rng.choice([0.5, 2.0, 40.0]),
    )
    fields["rule"] = rule
    texts |= {"duration": rule.duration, "fraction": rule.fraction, "occupancy": rule.occupancy}
    if ordering in ("cost-of-delay", "value-and-delay"):
        texts["tau"] = rule.tau
    if ordering in ("value-and-delay", "first-reward"):
        texts["alpha"] = rule.alpha
    if ordering == "first-reward":
        texts["discount"] = rule.discount * 3600
    if ordering == "apparent-tardiness-cost":
        texts["lookahead"] = rule.lookahead


def add_weights(rng: Random, texts: dict[str, object], fields: dict[str, object]) -> None:
    """Draw weights of norm 1, exact in binary, so that scaling them leaves them as they are."""
    weights = [rng.choice([-1, 0, 1]) / 8 for _ in range(5)]
    weights.append(1 - sum(map(abs, weights)))
    rng.shuffle(weights)
    fields["weights"] = tuple(weights)
    names = ("size", "request", "wait", "ratio", "stretch", "area")
    texts.update(zip(names, weights, strict=True))


def assert_followed(machine: Machine, twins: Twins, *, depends: bool = False) -> None:
    """Hold a compiled schedule against the twin, naming what is needed to repeat a difference."""
    workload, processors = machine
    schedule = simulate(workload, twins.text, machine_size=processors, dependencies=depends)
    try:
        check(machine, schedule, ListTwin(processors, twins.readable).choose, depends=depends)
    except AssertionError as error:
        raise AssertionError(
            f"{twins.text} on {processors} processors: {workload}\n"
            f"If only {twins.readable.ordering} differs, its score and its twin in"
            " tests/reference/orderings.py do not agree."
        ) from error


def test_every_ordering_has_a_twin() -> None:
    alone = {name for name, each in KNOWN.items() if not each.reads_usage}
    missing = sorted(alone - {*ORDERINGS})

    assert not missing, (
        f"write {', '.join(missing)} in plain Python and enter it in ORDERINGS of"
        " tests/reference/orderings.py; what it takes from options is drawn in test_differential.py"
    )


@pytest.mark.parametrize("ordering", STATIC)
def test_an_ordering_that_changes_with_time_says_so(ordering: str) -> None:
    rng = Random(f"static {ordering}")

    for _ in range(many(40)):
        jobs, processors = random_workload(rng)
        queue = tuple(jobs_of(jobs))
        early, late = (
            order(queue, ordering, Context(now, processors, queue=queue)) for now in (50.0, 5000.0)
        )
        assert early == late, (
            f"the order of {ordering} changes while jobs wait: declare dynamic=True where"
            " utilitysched/schedulers/orderings enters it, and the engine sorts at every pass"
        )


def conservative_cases() -> list[tuple[str, str]]:
    """Every ordering with every placement, where a reservation can be kept."""
    return [
        (ordering, placement)
        for ordering in ORDERINGS
        for placement in PLACEMENTS
        if placement != "conservative" or ordering in STATIC
    ]


@pytest.mark.parametrize(("ordering", "placement"), conservative_cases())
def test_small_queues(ordering: str, placement: str) -> None:
    rng = Random(f"{ordering} {placement}")

    for count in range(QUEUES_PER_CASE):
        machine, depends = random_workload(rng), count % 4 == 0
        if depends:
            machine = linked(rng, machine)
        assert_followed(machine, drawn(rng, ordering, placement), depends=depends)


@pytest.mark.parametrize("placement", PLACEMENTS)
def test_long_queues(placement: str) -> None:
    rng = Random(f"long {placement}")

    for ordering in ("fcfs", "spf", "lqf", "f3", "lexp", "wfp3", "unicef"):
        if placement != "conservative" or ordering in STATIC:
            machine, twins = random_workload(rng, most=200), drawn(rng, ordering, placement)
            assert_followed(machine, twins)
            assert_followed(linked(rng, machine), twins, depends=True)


CORE = [
    Twins("fcfs", Scheduler(placement="none")),
    Twins("easy", Scheduler()),
    Twins("conservative", Scheduler(placement="conservative")),
    Twins("easy:reservations=2", Scheduler(placement="reservations", reservations=2)),
    Twins("saf:backfill=lqf,threshold=5", Scheduler("saf", backfill="lqf", threshold=5)),
    Twins("lpf:placement=conservative", Scheduler("lpf", placement="conservative")),
]


@given(workloads(), st.sampled_from(CORE))
@settings(max_examples=many(400), derandomize=True)
def test_any_small_workload(machine: Machine, twins: Twins) -> None:
    assert_followed(machine, twins)


WHOLE = [
    Twins("easy", Scheduler()),
    Twins("saf", Scheduler("saf")),
    Twins("conservative", Scheduler(placement="conservative")),
    Twins("priority-fifo", Scheduler("priority-fifo")),
    Twins("lexp", Scheduler("lexp")),
]


@pytest.mark.slow
@pytest.mark.parametrize("twins", WHOLE, ids=lambda twins: twins.text)
@pytest.mark.parametrize(
    ("trace", "lines"),
    [
        ("KTH-SP2-1996-2.1-cln.swf.gz", None if FACTOR > 1 else slice(1000)),
        ("SDSC-BLUE-2000-4.2-cln.swf.gz", slice(5000, 10000 if FACTOR > 1 else 6000)),
    ],
    ids=["KTH-SP2", "SDSC-BLUE"],
)
def test_whole_traces(traces: Path, trace: str, lines: slice | None, twins: Twins) -> None:
    workload = swfx.read(traces / trace, jobs=lines).workload
    assert workload.machine_size is not None
    assert len(workload) > 900
    assert_followed(Machine(workload, workload.machine_size), twins)


VALUED = [
    Twins(
        "value-density:duration=expected,occupancy=predicted",
        Scheduler("value-density", rule=ValueRule("expected", occupancy="predicted")),
    ),
    Twins(
        "value-and-delay:duration=predicted,occupancy=requested,tau=43200",
        Scheduler("value-and-delay", rule=ValueRule("predicted")),
    ),
]


@pytest.mark.parametrize("twins", VALUED, ids=lambda twins: twins.text)
def test_a_trace_with_utilities(traces: Path, twins: Twins) -> None:
    trace = swfx.read(traces / "SDSC-BLUE-2000-4.2-cln.swf.gz", jobs=slice(5000, 6000))
    machine = Machine(attach_utilities(trace.workload, UtilitySpec(), seed=1), 1152)

    assert len(machine.workload) > 900
    assert_followed(machine, twins)
