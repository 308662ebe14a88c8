"""Co-schedulers beside the plain engine, and on loads and logs."""

from __future__ import annotations

import csv
import gzip
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from swfx import InputError, Workload, open_workload
from swfx.header import Header
from swfx.heatmap import Heatmap, find_heatmap, write_heatmap
from tests.conftest import ROOT
from tests.scale import many
from tests.utilitysched.engine.test_outages import numbers_in
from utilitysched import allocations, make_scheduler, simulate
from utilitysched.engine.conditions import Failures
from utilitysched.kernels.sharing.terms import TICK
from utilitysched.model.segments import Stop
from utilitysched.schedulers.coscheduling.options import POLICIES
from utilitysched.schedulers.coscheduling.scheduler import applications_of

PLAIN = {
    "fcfs": "fcfs",
    "easy": "easy",
    "conservative": "conservative",
    "sjf": "spf",
    "ljf": "lpf",
}
"""What places the same jobs on the same numbers of nodes."""


@pytest.fixture(scope="module")
def ones(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A heatmap in which all pairs run as fast as compact."""
    path = tmp_path_factory.mktemp("heatmap") / "ones.tsv"
    header = "name_A\tprocs_A\tcompact_A\tname_B\tprocs_B\tcompact_B\tco_A_B\tco_B_A"
    path.write_text(f"{header}\na\t1\t10\ta\t1\t10\t10\t10\n", "utf-8")
    return str(path)


def jobs(seed: int, nodes: int, cores: int) -> Workload:
    """Jobs in whole seconds, requests at or above their run times."""
    draw = np.random.default_rng(seed)
    count = 60
    run = draw.integers(0, 500, count)
    return Workload.from_columns(
        submit=np.sort(draw.integers(0, 2000, count)),
        run=run,
        requested_time=run + draw.integers(0, 300, count),
        processors=draw.integers(1, nodes * cores + 1, count),
        header=Header().with_value("MaxProcs", nodes * cores),
    )


def by_nodes(workload: Workload, cores: int) -> Workload:
    """The same jobs asking for nodes."""
    need = -(-workload.size // cores)
    header = Header().with_value("MaxProcs", workload.machine_size // cores)
    return workload.replace(
        processors=need, requested_processors=np.full(len(need), -1), header=header
    )


@pytest.mark.parametrize("policy", PLAIN)
@pytest.mark.parametrize("known", ["run", "request"])
def test_compact_jobs_run_as_in_the_plain_engine(policy: str, known: str, ones: str) -> None:
    text = f"coscheduled:policy={policy},heatmap={ones},applications=drawn,known={known},cores=2"
    for seed in range(many(10)):
        workload = jobs(seed, nodes=9, cores=4)
        plain = by_nodes(workload, 4)
        if known == "run":
            plain = plain.replace(requested_time=plain.run)

        shared, alone = simulate(workload, text), simulate(plain, PLAIN[policy])

        assert shared.start.tolist() == alone.start.tolist()
        assert shared.end.tolist() == alone.end.tolist()


FAILING = "mtbf=1500,repair=400"


@pytest.mark.parametrize(
    ("policy", "known"),
    [
        *(("fcfs", "run"), ("fcfs", "request"), ("easy", "run"), ("easy", "request")),
        ("conservative", "run"),
    ],
)
def test_where_nodes_fail_compact_jobs_run_as_in_the_plain_engine(
    policy: str, known: str, ones: str
) -> None:
    # one core of four fails in the one, the one processor in the other; checkpoints do not help
    text = f"coscheduled:policy={policy},heatmap={ones},applications=drawn,known={known},cores=2"
    stopped = 0
    for seed in range(many(6, 3)):
        workload = jobs(seed, nodes=9, cores=4)
        plain = by_nodes(workload, 4)
        if known == "run":
            plain = plain.replace(requested_time=plain.run)
        workload = workload.replace(checkpoint_interval=np.full(len(workload), 10.0))

        shared = simulate(workload, text, seed=seed, failures=f"nodes=9,per=4,{FAILING}")
        alone = simulate(plain, PLAIN[policy], seed=seed, failures=f"nodes=9,per=1,{FAILING}")

        assert shared.segments is not None
        assert alone.segments is not None
        assert shared.segments.job.tolist() == alone.segments.job.tolist(), seed
        assert shared.segments.stop.tolist() == alone.segments.stop.tolist()
        for name in ("start", "end", "lost"):
            mine, theirs = (getattr(each.segments, name) for each in (shared, alone))
            assert np.allclose(mine, theirs, atol=1e-4), (seed, name)
        assert shared.start.tolist() == pytest.approx(alone.start.tolist(), abs=1e-4)
        outages = [each.provenance["outages"] for each in (shared, alone)]
        assert outages[0]["count"] == outages[1]["count"]
        stopped += len(shared.segments) - len(workload)
    assert stopped > 100


@pytest.mark.parametrize("options", ["", "policy=popularity,threshold=0.9", "parts=3,cores=6+3"])
def test_nobody_has_a_node_that_is_down_and_who_is_stopped_starts_from_scratch(
    options: str, ones: str
) -> None:
    workload = jobs(5, nodes=9, cores=9 if options.startswith("parts") else 4)
    width = workload.machine_size // 9
    cores = "" if options.startswith("parts") else ",cores=2"
    text = f"coscheduled:heatmap={ones},applications=drawn{cores},{options}".rstrip(",")
    failures = f"nodes=9,per={width},{FAILING}"

    schedule = simulate(workload, text, failures=failures)

    assert schedule == simulate(workload, text, failures=failures)
    segments = schedule.segments
    assert segments is not None
    assert segments.processors is not None
    down = Failures.from_text(failures).between(workload.submit[0], schedule.end.max())
    lasted = segments.end - segments.start
    last = segments.stop == Stop.COMPLETED
    assert lasted[last] == pytest.approx(workload.run[segments.job[last]])
    assert segments.kept.tolist() == np.where(last, lasted, 0).tolist()
    assert segments.lost.tolist() == np.where(last, 0, lasted).tolist()
    assert np.count_nonzero(~last) > 20
    for row, held in enumerate(map(numbers_in, segments.processors)):
        nodes = {core // width for core in held}
        for start, end, low in zip(down.start, down.end, down.low, strict=True):
            if low // width in nodes:
                before = segments.end[row] <= start + TICK
                assert before or segments.start[row] >= end - TICK or lasted[row] == 0
        assert last[row] or any(abs(segments.end[row] - down.start) <= TICK)


def test_on_ones_a_shared_job_takes_as_long_as_alone(ones: str) -> None:
    workload = jobs(1, nodes=9, cores=4)
    for policy in POLICIES:
        text = f"coscheduled:policy={policy},heatmap={ones},applications=drawn,cores=2"

        schedule = simulate(workload, text)

        assert (schedule.end - schedule.start).tolist() == workload.run.tolist()
        assert (schedule.start >= workload.submit).all()


def test_a_job_next_to_another_runs_as_the_heatmap_says() -> None:
    # one node of 2 x 10 cores for two jobs of ten processes each: both are beside each other, bt at
    # 123.965 s / 119.51 s, so that both end after 119.51 s
    names = find_heatmap("aris").names
    workload = Workload.from_columns(
        submit=[0, 0],
        run=[123.965, 123.965],
        processors=[10, 10],
        executable=[1, 1],
        header=Header((" MaxProcs: 20", f" Executable: 1 {names[0]}")),
    )

    shared = simulate(workload, "coscheduled:policy=easy-co")
    compact = simulate(workload, "coscheduled:policy=easy")

    assert shared.end.tolist() == pytest.approx([119.51, 119.51], abs=1e-5)
    assert compact.end.tolist() == pytest.approx([123.965, 247.93], abs=1e-5)
    assert shared.provenance["shared"] == {
        "nodes": 1,
        "kill": False,
        "heatmap": ["140 of 561 pairs are not measured"],
    }


def test_a_job_alone_on_halves_of_nodes_runs_as_measured_there(tmp_path: Path) -> None:
    header = "name_A procs_A compact_A spread_A name_B procs_B compact_B spread_B co_A_B co_B_A"
    row = "a 10 100 80 a 10 100 80 50 50"
    (tmp_path / "map.tsv").write_text(f"{header}\n{row}\n".replace(" ", "\t"), "utf-8")
    workload = Workload.from_columns(
        submit=[0], run=[100], processors=[10], header=Header((" MaxProcs: 20",))
    )
    text = f"coscheduled:policy=easy-co,applications=drawn,heatmap={tmp_path}/map.tsv"

    assert simulate(workload, text).end.tolist() == [80.0]


def test_slowed_jobs_are_killed_only_if_they_may_be() -> None:
    names = find_heatmap("aris").names
    workload = Workload.from_columns(
        submit=[0, 0],
        run=[123.965, 159.37],
        requested_time=[130, 170],
        processors=[10, 10],
        executable=[1, 2],
        header=Header((" MaxProcs: 20", f" Executable: 1 {names[0]}", " Executable: 2 mg.E.128")),
    )
    # beside mg, bt takes 162 s; mg beside it 103.025 s, after which bt goes on as it does alone, at
    # its best speed, that beside ep: 123.965 / 114.22
    left = (1 - 103.025 / 162.0) * 114.22

    free = simulate(workload, "coscheduled:policy=easy-co")
    killed = simulate(workload, "coscheduled:policy=easy-co,kill=true")

    assert free.end.tolist() == pytest.approx([103.025 + left, 103.025], abs=1e-4)
    assert killed.end.tolist() == pytest.approx([130.0, 103.025], abs=1e-5)


def test_a_model_load_runs_by_name_and_is_the_same_each_time() -> None:
    workload = open_workload("model:applications,jobs=40,seed=1").workload

    once = simulate(workload, "coscheduled:completion=3")
    again = simulate(workload, "coscheduled:completion=3")

    assert once == again
    speed = workload.run / (once.end - once.start)
    assert speed.min() > 0.3
    assert speed.max() < 2.0
    assert len(np.unique(np.round(speed, 6))) > 20


def test_what_is_learned_is_the_heatmap() -> None:
    # without noise, what was seen once is known; with it, on average
    workload = open_workload("model:applications,jobs=400,seed=1,list=bt.D.64,ep.E.256").workload
    text = "coscheduled:policy=easy-co,speeds=learned"

    exact, noisy = (
        simulate(workload, f"{text}{noise}").provenance["shared"] for noise in ("", ",noise=0.2")
    )

    assert isinstance(exact, dict)
    assert isinstance(noisy, dict)
    assert exact["mean_error"] < 1e-12
    assert exact["speeds_seen"] >= 5
    assert 0 < noisy["mean_error"] < 0.2


def reversed_file(heatmap: Heatmap, path: Path, factor: float = 1.0) -> str:
    """A file of the same applications, the last first, all speeds times a factor."""
    back = replace(
        heatmap,
        names=heatmap.names[::-1],
        processes=heatmap.processes[::-1],
        compact=heatmap.compact[::-1],
        spread=heatmap.spread[::-1] / factor,
        speed=heatmap.speed[::-1, ::-1] * factor,
    )
    write_heatmap(back, path)
    return str(path)


def test_who_begins_with_the_true_table_schedules_as_who_knows_it(tmp_path: Path) -> None:
    workload = open_workload("model:applications,heatmap=grvingt,jobs=200,seed=1").workload
    table = reversed_file(find_heatmap("grvingt"), tmp_path / "same.tsv")
    text = "coscheduled:policy=popularity,heatmap=grvingt,nodes=fastest"

    known, believed, learned = (
        simulate(workload, f"{text}{how}")
        for how in ("", f",table={table}", f",table={table},speeds=learned,optimism=0")
    )

    assert (known.end - known.start != workload.run).any()
    for found in (believed, learned):
        assert found.start.tolist() == known.start.tolist()
        shared = found.provenance["shared"]
        assert isinstance(shared, dict)
        assert shared["table_error"] < 1e-4


def test_a_wrong_table_is_corrected_by_what_is_seen(tmp_path: Path) -> None:
    # all of its speeds are a quarter too high; it counts for one observation, and then for little
    workload = open_workload("model:applications,jobs=400,seed=1,list=bt.D.64,ep.E.256").workload
    table = reversed_file(find_heatmap("aris"), tmp_path / "high.tsv", 1.25)
    text = f"coscheduled:policy=easy-co,table={table}"

    believed, learned, trusted = (
        simulate(workload, f"{text}{how}").provenance["shared"]
        for how in ("", ",speeds=learned", ",speeds=learned,trust=1000")
    )

    assert isinstance(believed, dict)
    assert isinstance(learned, dict)
    assert isinstance(trusted, dict)
    assert believed["table_error"] == learned["table_error"] > 0.2
    assert "mean_error" not in believed
    assert learned["mean_error"] < learned["table_error"] / 2
    assert trusted["mean_error"] > trusted["table_error"] / 2


def test_executables_have_the_applications_of_a_list_others_by_name() -> None:
    aris = find_heatmap("aris")
    workload = Workload.from_columns(
        submit=np.zeros(3),
        run=np.ones(3),
        processors=np.ones(3),
        executable=[7, 8, 9],
        header=Header((f" Executable: 8 {aris.names[2]}", f" Executable: 9 {aris.names[2]}")),
    )

    rows = applications_of(workload, aris, f"7:{aris.names[4]}+9:{aris.names[5]}", 0)

    assert rows.tolist() == [4, 2, 5]
    text = f"coscheduled:applications=7:{aris.names[4]}+9:{aris.names[5]}"
    assert make_scheduler(text).label == text


def test_executables_are_drawn_applications_users_stand_for_those_unknown() -> None:
    workload = Workload.from_columns(
        submit=np.zeros(5),
        run=np.ones(5),
        processors=np.ones(5),
        executable=[7, 7, -1, -1, -1],
        user=[1, 2, 3, 3, 4],
    )

    rows = [applications_of(workload, find_heatmap("aris"), "drawn", seed) for seed in range(20)]

    assert all(row[0] == row[1] and row[2] == row[3] for row in rows)
    assert any(row[0] != row[2] for row in rows)
    assert any(row[3] != row[4] for row in rows)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("policy=best", "policy"),
        ("cores=1", "a job on one of 2 parts of a node has no core of a socket of 1"),
        ("cores=8+3,parts=4", "a job on one of 4 parts of a node has no core of a socket of 3"),
        ("parts=1", "field parts: 1 is out of bounds"),
        ("cores=8+0", "field cores: 0 is out of bounds"),
        ("cores=8+x", "'x' is not a whole number"),
        ("cores=8+12,sockets=3", "8+12 are the cores of 2 sockets, not of 3"),
        ("cores=8+13", "20 processors are no whole number of nodes of 8+13 cores"),
        ("policy=conservative,contiguous=true", "reserves numbers of nodes"),
        ("head=unreserved", "field head: has an effect only with policy=conservative"),
        ("backfilling=none", "field backfilling"),
        ("unmeasured=ignored", "field unmeasured: has an effect only with policy=popularity or"),
        (
            "policy=popularity,unmeasured=ignored,speeds=learned",
            "do not know which pairs were measured",
        ),
        ("nodes=fastest,contiguous=true", "the fastest nodes need not follow one another"),
        ("speeds=guessed", "speeds"),
        ("heatmap=nowhere.tsv", "nowhere.tsv: cannot be read"),
        ("applications=drawn,table=nowhere.tsv", "nowhere.tsv: cannot be read"),
        ("applications=drawn,table=aris-spec", "aris-spec has no application of aris"),
        ("speeds=learned,trust=-1", "field trust: -1 is below 0"),
        ("speeds=learned,trust=2", "field trust: has an effect only with speeds=learned and a"),
        ("table=aris,trust=2", "field trust: has an effect only with speeds=learned and a table"),
        ("noise=0.1", "field noise: has an effect only with speeds=learned"),
        ("policy=easy,optimism=0", "field optimism: has an effect only with speeds=learned"),
        ("threshold=0.9", "field threshold: has an effect only with policy=popularity or"),
        ("policy=pop-filler,rank=0", "field rank: has an effect only with policy=popularity"),
        ("tau=60", "field tau: has an effect only with policy=value-filler"),
        ("cores=7", "20 processors are no whole number of nodes of 2 x 7 cores"),
        ("completion=x", "completion"),
        ("completion=-1", "completion"),
        ("applications=some", "'some' is no executable and its application"),
        ("applications=7:nobody", "job 1: executable 7 (nobody) is no application of aris"),
        ("generations=3", "field generations: was removed"),
        ("policy=ga", "field policy: 'ga' was removed; write policy=value-filler"),
        ("", "job 1: executable 7 (without a name) is no application of aris"),
    ],
)
def test_what_cannot_be_is_refused(text: str, message: str) -> None:
    workload = Workload.from_columns(
        submit=[0], run=[1], processors=[1], executable=[7], header=Header((" MaxProcs: 20",))
    )

    with pytest.raises(InputError) as refused:
        simulate(workload, f"coscheduled:{text}" if text else "coscheduled")

    assert message in str(refused.value)
    assert refused.value.remedy


def test_equal_sockets_may_be_listed(ones: str) -> None:
    workload = jobs(2, nodes=6, cores=12)
    text = f"coscheduled:heatmap={ones},applications=drawn"

    number, listed = (simulate(workload, f"{text},{each}") for each in ("cores=6", "cores=6+6"))

    assert number.processors == listed.processors
    assert number.start.tolist() == listed.start.tolist()
    assert make_scheduler("coscheduled:cores=4+4+4").options["sockets"] == 3


SHARING = ("filler", "popularity,nodes=fastest,threshold=0.9")


@pytest.mark.parametrize("policy", ["easy", *SHARING])
@pytest.mark.parametrize(
    ("cores", "parts"), [("4", 2), ("3+5", 2), ("8", 4), ("4+5+7", 3), ("9", 4)]
)
def test_who_shares_a_node_has_its_part_of_each_socket(
    policy: str, cores: str, parts: int, ones: str
) -> None:
    sockets = [int(size) for size in cores.split("+")]
    sockets *= 2 if len(sockets) == 1 else 1
    width = sum(sockets)
    workload = jobs(3, nodes=9, cores=width)
    options = f"heatmap={ones},applications=drawn,cores={cores},parts={parts}"

    schedule = simulate(workload, f"coscheduled:policy={policy},{options}")

    # each core by its node, socket and part, -1 for one that is in none
    ends = np.cumsum(sockets)
    socket = np.searchsorted(ends, np.arange(width), side="right")
    within = np.arange(width) - (ends - sockets)[socket]
    wide = np.array(sockets)[socket] // parts
    part = np.where(within < parts * wide, within // wide, -1)
    held = [numbers_in(text) for text in allocations(workload, schedule)]
    assert list(map(len, held)) == workload.size.tolist()
    placed = [{(core // width, int(part[core % width])) for core in cores} for cores in held]
    nodes = [{node for node, _ in each} for each in placed]
    most = 0
    for job in np.flatnonzero(schedule.end > schedule.start):
        start = schedule.start[job]
        begun = np.flatnonzero((schedule.start <= start) & (schedule.end > start))
        beside = [other for other in begun[begun != job] if nodes[job] & nodes[other]]
        for other in beside:
            assert not held[job] & held[other]
        # who has a neighbour has one part of each of its nodes, and no core that is in none
        if beside:
            assert len(placed[job]) == len(nodes[job])
            assert all(which >= 0 for _, which in placed[job])
        for node in nodes[job]:
            most = max(most, sum(node in nodes[other] for other in begun))
    assert most in (range(1, 2) if policy == "easy" else range(2, parts + 1))


def starts(options: str, heatmap: str, rows: list[tuple[int, int, int]], nodes: int) -> list[float]:
    """Starts of jobs of a submit time, run time and size, on nodes of one core; none shares."""
    submit, run, size = (list(column) for column in zip(*rows, strict=True))
    workload = Workload.from_columns(submit=submit, run=run, processors=size)
    cluster = f"heatmap={heatmap},applications=drawn,sockets=1,cores=1"
    schedule = simulate(workload, f"coscheduled:{options},{cluster}", machine_size=nodes)
    return [float(start) for start in schedule.start]


@pytest.mark.parametrize(("rule", "third"), [("easy", 0), ("shadow", 10)])
def test_extra_nodes_are_filled_by_easy_alone(rule: str, third: float, ones: str) -> None:
    # the second needs three of four nodes, free from 10 on, and leaves one over; the third is
    # longer than that, the fourth is not
    rows = [(0, 10, 2), (0, 20, 3), (0, 20, 1), (0, 10, 1)]

    found = starts(f"policy=easy,backfilling={rule}", ones, rows, 4)

    assert found == [0, 10, third, 0]


@pytest.mark.parametrize(
    ("rule", "expected"), [("easy", [0, 0, 21, 50, 1]), ("shadow", [0, 0, 110, 50, 10])]
)
def test_shadow_reserves_for_who_has_waited_longest(
    rule: str, expected: list[float], ones: str
) -> None:
    # two of three nodes are busy, until 10 and 50; the longest job, the last but one, needs all
    # three, the one before it two. The last is over before 50, but not before 10. Under `shadow`
    # it starts at 10, until the next end, and the longest-waiting job is passed over
    rows = [(0, 10, 1), (0, 50, 1), (1, 5, 2), (1, 60, 3), (1, 20, 1)]

    assert starts(f"policy=ljf,backfilling={rule}", ones, rows, 3) == expected


@pytest.mark.parametrize(
    ("head", "expected"), [("reserved", [0, 10, 0, 20, 0]), ("unreserved", [0, 15, 0, 0, 10])]
)
def test_an_unreserved_head_is_delayed(head: str, expected: list[float], ones: str) -> None:
    # two of five nodes are busy until 10, when the second job could have all. Without reservation
    # the third is over by its own waiting time, 10; nobody runs then to free nodes for the fourth,
    # so it may start and is the last that is looked at; the fifth is over by the end of the fourth
    rows = [(0, 10, 2), (0, 10, 5), (0, 10, 1), (0, 15, 1), (0, 1, 1)]

    assert starts(f"policy=conservative,head={head}", ones, rows, 5) == expected


def test_without_reservation_nodes_that_one_job_waits_for_count_for_no_other(ones: str) -> None:
    # three of seven nodes are free, the others from 10, 20 and 30 on. The first behind the head
    # waits until 10; the second needs three more, free at 30: 10 + 30 s are enough for its 35
    rows = [(0, 10, 1), (0, 20, 1), (0, 30, 2), (0, 50, 7), (0, 100, 1), (0, 35, 3)]

    found = starts("policy=conservative,head=unreserved", ones, rows, 7)

    assert found[5] == 0
    assert found[4] > 0


def test_depth_is_a_hundred_by_default(ones: str) -> None:
    # behind a stuck head a hundred jobs that do not fit hide one that does
    rows = [(0, 10, 1), *[(0, 10, 2)] * 101, (0, 10, 1)]

    assert starts("policy=easy", ones, rows, 2)[-1] > 0
    assert starts("policy=easy,depth=101", ones, rows, 2)[-1] == 0


def with_pairs(path: Path, pairs: str) -> str:
    """Write a heatmap of applications of one process that take 10 s when compact."""
    header = "name_A procs_A compact_A name_B procs_B compact_B co_A_B co_B_A"
    lines = [header] + [
        f"{a} 1 10 {b} 1 10 {ab} {ba}" for a, b, ab, ba in map(str.split, pairs.splitlines())
    ]
    path.write_text("\n".join(lines).replace(" ", "\t").replace("-", "") + "\n", "utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("unmeasured", "expected"), [("mean", [0, 0, 8, 8]), ("ignored", [8, 0, 0, 8])]
)
def test_popularity_of_pairs_that_were_not_measured(
    unmeasured: str, expected: list[float], tmp_path: Path
) -> None:
    # c and b run at 1.25 beside themselves and each other; of a, only a pair with itself is known
    heatmap = with_pairs(tmp_path / "pairs.tsv", "a a 8 8\nb b 8 8\nc c 8 8\nb c 8 8\na b - -")
    names = tuple(f" Executable: {number} {name}" for number, name in enumerate("abc", 1))
    workload = Workload.from_columns(
        submit=[0] * 4,
        run=[10] * 4,
        processors=[1] * 4,
        executable=[1, 2, 3, 3],
        header=Header(names),
    )
    text = f"coscheduled:policy=popularity,rank=0,heatmap={heatmap},sockets=1,cores=2"

    found = simulate(workload, f"{text},unmeasured={unmeasured}", machine_size=2)

    # two fit on the node at a time: the most popular, of equals the first
    assert found.start.tolist() == expected


def test_equal_scores_of_fillers_go_by_arrival(tmp_path: Path) -> None:
    # behind the first three of five jobs, the second and the fifth score 2/6 over 2/5 = 5/6 over
    # 5/5: whole numbers tell that they are equal, so that the second starts first
    run, size = [431, 50, 431, 475, 431], [5, 2, 5, 6, 5]
    names = ("a", "c", "a", "b", "a")
    heatmap = tmp_path / "ties.tsv"
    header = "name_A procs_A compact_A name_B procs_B compact_B co_A_B co_B_A"
    rows = ("a 5 431 a 5 431 687.4 687.4", "a 5 431 b 6 475 476.2 336.4")
    more = ("a 5 431 c 2 50 322.8 47.3", "b 6 475 b 6 475 495.3 495.3", "b 6 475 c 2 50 331.9 55.7")
    heatmap.write_text("\n".join((header, *rows, *more)).replace(" ", "\t") + "\n", "utf-8")
    workload = Workload.from_columns(
        submit=[0] * 5,
        run=run,
        processors=size,
        executable=["abc".index(name) + 1 for name in names],
        header=Header((" Executable: 1 a", " Executable: 2 b", " Executable: 3 c")),
    )
    text = f"coscheduled:policy=filler,heatmap={heatmap},sockets=1,cores=4"

    found = simulate(workload, text, machine_size=12).start

    assert found[1] == pytest.approx(687.4, abs=0.01)
    assert found[1] < found[4]


CASES = ROOT.parent / "shared" / "heatmaps"


@pytest.mark.skipif(not CASES.is_dir(), reason="its schedules are not part of the repository")
def test_first_come_first_served_starts_and_ends_as_in_elise(ones: str) -> None:
    cases = json.loads(gzip.decompress((CASES / "cases.json.gz").read_bytes()))
    lines = gzip.decompress((CASES / "fifo.csv.gz").read_bytes()).decode().splitlines()
    times = {(row["case"], int(row["job"])): row for row in csv.DictReader(lines)}
    for name, case in cases.items():
        jobs = case["jobs"]
        submit, run, size = ([job[key] for job in jobs] for key in ("submit", "run", "procs"))
        workload = Workload.from_columns(submit=submit, run=run, processors=size)
        cluster = f"sockets={len(case['sockets'])},cores={case['sockets'][0]}"
        text = f"coscheduled:policy=fcfs,heatmap={ones},applications=drawn,{cluster}"

        found = simulate(workload, text, machine_size=case["nodes"] * sum(case["sockets"]))

        theirs = [times[name, job["id"]] for job in jobs]
        for column in ("start", "end"):
            expected = [float(row[column]) for row in theirs]
            assert getattr(found, column) == pytest.approx(expected, abs=0.01), name
