"""Jobs that their neighbours slow until they are killed, before their work is done."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import pricing
from swfx import UtilityFunction, UtilityTable, Workload
from swfx.families.generators import attach_utilities
from swfx.header import Header
from tests.scale import many
from tests.utilitysched.engine.test_outages import numbers_in
from utilitysched import Schedule, metrics, simulate
from utilitysched.experiments.measures import bill_metrics

COLUMNS = "name_A\tprocs_A\tcompact_A\tname_B\tprocs_B\tcompact_B\tco_A_B\tco_B_A"
MECHANISMS = (
    *("single-price", "multi-queue", "second-price", "first-price", "first-price:reading=end"),
    "single-price:rate=3",
)


def heatmap(folder: Path, speed: np.ndarray) -> Path:
    """A heatmap of applications a, b, ... with compact run times of 1,000 s."""
    folder.mkdir(exist_ok=True)
    path, names = folder / "speeds.tsv", "abcdefgh"[: len(speed)]
    lines = [
        f"{names[i]}\t2\t1000\t{names[j]}\t2\t1000\t{1000 / speed[i, j]}\t{1000 / speed[j, i]}"
        for i in range(len(speed))
        for j in range(i, len(speed))
    ]
    path.write_text("\n".join([COLUMNS, *lines, ""]), "utf-8")
    return path


def load(machine: int, **columns: object) -> Workload:
    header = Header((f" MaxProcs: {machine}", *(f" Executable: {i + 1} {c}" for i, c in NAMED)))
    return Workload.from_columns(**columns, header=header)


NAMED = tuple(enumerate("abcdefgh"))


def side_by_side(folder: Path, second: float = 0.5) -> tuple[Workload, str]:
    """Two jobs of 100 s, each on one half of the only node, and 120 s requested.

    The first runs at half its speed beside the other, which runs at `second`.
    """
    curve = UtilityFunction([0, 100, 1000], [10, 10, 1])
    jobs = load(
        4,
        submit=[0, 0],
        run=[100, 100],
        requested_time=[120, 120],
        processors=[2, 2],
        executable=[1, 2],
        user=[1, 2],
    ).replace(utility=UtilityTable.from_functions([curve, curve]))
    speed = np.array([[1.0, 0.5], [second, 1.0]])
    path = heatmap(folder, speed)
    return jobs, f"coscheduled:policy=easy-co,heatmap={path},sockets=1,cores=4,kill=true"


def test_two_that_slow_each_other_are_killed_and_earn_nothing(tmp_path: Path) -> None:
    jobs, scheduler = side_by_side(tmp_path)

    schedule = simulate(jobs, scheduler)

    # 120 s at speed 0.5 are 60 of the 100 s of work
    assert schedule.end.tolist() == [120, 120]
    assert schedule.killed is not None
    assert schedule.killed.tolist() == [True, True]
    shared = schedule.provenance["shared"]
    assert isinstance(shared, dict)
    assert shared["killed"] == 2
    figures = metrics.summary(jobs, schedule)
    assert (figures["jobs_cut_short"], figures["share_cut_short"]) == (2, 1)
    assert figures["aggregate_utility"] == 0
    assert figures["start_value_share_mean"] == 0
    slowdowns = [name for name, value in figures.items() if value is None and "slowdown" in name]
    assert {
        *("slowdown_mean", "bounded_slowdown_mean", "bounded_slowdown_max"),
        *("processor_bounded_slowdown_mean", "realised_slowdown_mean"),
        *("realised_bounded_slowdown_mean", "processor_slowdown_mean"),
    } <= {*slowdowns}
    assert figures["job_speedup_mean"] is figures["job_speedup_weighted"] is None
    assert figures["jobs_without_run_time"] == 0
    table = schedule.to_frame(jobs)
    assert table.success.tolist() == [False, False]
    assert table.status.tolist() == table.utility.tolist() == [0, 0]
    assert table.killed.tolist() == [1, 1]
    assert table.stretch.isna().all()


def test_whoever_is_done_in_time_succeeds_beside_one_that_is_killed(tmp_path: Path) -> None:
    jobs, scheduler = side_by_side(tmp_path, second=1.25)

    schedule = simulate(jobs, scheduler)

    # the second is done after 80 s; the first has 60 s of work left, and the node to itself at its
    # best known speed, 1: at 120 s 20 s are left
    assert schedule.end.tolist() == [120, 80]
    assert schedule.killed is not None
    assert schedule.killed.tolist() == [True, False]
    figures = metrics.summary(jobs, schedule)
    assert (figures["jobs_cut_short"], figures["aggregate_utility"]) == (1, 10)
    assert figures["slowdown_mean"] == 0.8
    assert figures["job_speedup_mean"] == 1.25
    bill = bill_metrics(jobs, schedule, "single-price")
    assert bill["revenue"] == pytest.approx(2 * 80 / 3600)


def test_without_kill_all_may_finish_and_nothing_says_killed(tmp_path: Path) -> None:
    jobs, scheduler = side_by_side(tmp_path)

    schedule = simulate(jobs, scheduler.replace("kill=true", "kill=false"))

    assert schedule.end.tolist() == [200, 200]
    assert schedule.killed is None
    assert metrics.summary(jobs, schedule)["jobs_cut_short"] == 0
    assert "killed" not in schedule.to_frame(jobs)


def test_a_job_that_the_log_has_killed_has_done_its_work_by_then(tmp_path: Path) -> None:
    jobs, scheduler = side_by_side(tmp_path)
    overrun = jobs.replace(run=np.array([150.0, 150.0]))

    alone = simulate(overrun, scheduler.replace("easy-co", "easy"))

    assert (alone.end - alone.start).tolist() == [120, 120]
    assert alone.killed is not None
    assert not alone.killed.any()
    assert alone.to_frame(overrun).success.tolist() == [False, False]
    assert metrics.aggregate_utility(overrun, alone) > 0


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_whoever_is_killed_for_its_neighbours_pays_nothing(mechanism: str, tmp_path: Path) -> None:
    jobs, scheduler = side_by_side(tmp_path)
    schedule = simulate(jobs, scheduler)

    charges = pricing.charge(
        jobs, schedule.start, schedule.end, mechanism, cut_short=schedule.killed, shared=True
    )

    assert charges.charge.tolist() == [0, 0]
    assert charges.reason == ["not charged: killed before its work was done"] * 2
    checks = {check.name: check for check in pricing.check_charges(charges)}
    assert all(check.holds for check in checks.values())
    assert "2 of them until they were killed" in checks["interference"].detail
    # 2 jobs x 2 processors x 120 s
    assert "not charged for 0.13 processor-hours" in checks["interference"].detail
    figures = bill_metrics(jobs, schedule, mechanism)
    assert (figures["revenue"], figures["jobs_free"]) == (0, 2)


def random_load(seed: int, folder: Path) -> tuple[Workload, np.ndarray, str]:
    """Jobs that all share nodes of 4 cores, with requests little above their run times."""
    draw = np.random.default_rng(seed)
    count, nodes, kinds = 30, int(draw.integers(2, 7)), 5
    speed = np.exp(draw.uniform(-0.6, 0.3, (kinds, kinds)))
    run = draw.integers(1, 400, count)
    jobs = load(
        4 * nodes,
        submit=np.sort(draw.integers(0, 800, count)),
        run=run,
        requested_time=np.ceil(run * draw.uniform(1, 1.6, count)),
        processors=draw.integers(1, 2 * nodes + 1, count),
        executable=draw.integers(1, kinds + 1, count),
    )
    policy = draw.choice(["easy-co", "sjf-co", "laf-co", "filler", "sjf-filler"])
    speeds = draw.choice(["known", "learned"])
    text = f"coscheduled:policy={policy},heatmap={heatmap(folder, speed)},sockets=1,cores=4"
    text += f",speeds={speeds}"
    return jobs, speed, f"{text},kill=true"


def work_done(jobs: Workload, schedule: Schedule, speed: np.ndarray) -> np.ndarray:
    """The work of each job (s), from nothing but when and on which cores jobs ran.

    All jobs are on halves of nodes of four cores.
    """
    assert schedule.processors is not None
    nodes = [{core // 4 for core in numbers_in(text)} for text in schedule.processors]
    kind = jobs.executable - 1
    times = np.unique(np.concatenate([schedule.start, schedule.end]))
    done = np.zeros(len(jobs))
    for begin, end in pairwise(times):
        running = np.flatnonzero((schedule.start <= begin) & (schedule.end >= end))
        for job in running:
            others = [other for other in running if other != job and nodes[job] & nodes[other]]
            beside = kind[others]
            speeds = speed[kind[job], beside] if others else speed[kind[job]]
            done[job] += (end - begin) * (speeds.min() if others else speeds.max())
    return done


def test_killed_are_those_at_their_limits_with_work_left(tmp_path: Path) -> None:
    killed_in_all = 0
    for seed in range(many(40)):
        jobs, speed, scheduler = random_load(seed, tmp_path / str(seed))

        schedule = simulate(jobs, scheduler)

        assert schedule.killed is not None
        left = jobs.effective_run - work_done(jobs, schedule, speed)
        lasted = schedule.end - schedule.start
        slack = 0.01
        # ends a thousandth of a second apart are one, so that of a little less work either is right
        clear = (left > slack) | (left < slack / 20)
        assert (schedule.killed == (left > slack))[clear].all()
        assert np.abs(left[~schedule.killed]).max(initial=0) < slack
        np.testing.assert_allclose(
            lasted[schedule.killed], jobs.request[schedule.killed], atol=2e-3
        )
        assert (lasted <= jobs.request + slack).all()
        assert metrics.summary(jobs, schedule)["jobs_cut_short"] == schedule.killed.sum()
        killed_in_all += int(schedule.killed.sum())
    assert killed_in_all > 2 * many(40)


@pytest.mark.parametrize("kill", ["true", "false"])
def test_no_mechanism_charges_for_what_neighbours_slowed(kill: str, tmp_path: Path) -> None:
    slowed_in_all = faster_in_all = 0
    for seed in range(many(10)):
        jobs, _, scheduler = random_load(seed, tmp_path / str(seed))
        jobs = attach_utilities(jobs, seed=seed, waits=np.full(len(jobs), 300.0))
        schedule = simulate(jobs, scheduler.replace("kill=true", f"kill={kill}"))
        killed, lasted = schedule.cut_short(jobs), schedule.end - schedule.start
        alone = np.where(killed, 0.0, np.minimum(lasted, jobs.effective_run))
        slowed_in_all += int((lasted > jobs.effective_run + 0.01).sum())
        faster_in_all += int((lasted < jobs.effective_run - 0.01).sum())
        for mechanism in MECHANISMS:
            charges = pricing.charge(
                jobs, schedule.start, schedule.end, mechanism, cut_short=killed, shared=True
            )

            checks = {check.name: check for check in pricing.check_charges(charges)}
            assert all(check.holds for check in checks.values() if check.asserted)
            assert checks["interference"].holds
            assert (charges.charge[killed] == 0).all()
            rated = ~np.isnan(charges.rate)
            most = (charges.rate * jobs.size * alone / 3600)[rated]
            np.testing.assert_allclose(charges.charge[rated], most, rtol=1e-9)
            if mechanism == "first-price:reading=end":
                assert charges.total == metrics.aggregate_utility(jobs, schedule)
            # what goes by value falls with the end, and so never rises with the delay
            if not rated.any():
                done = jobs.utility.evaluate(schedule.start + jobs.effective_run - jobs.submit)
                assert (charges.charge <= np.where(lasted > jobs.effective_run, done, np.inf)).all()
    assert slowed_in_all > many(10)
    assert faster_in_all > many(10)
