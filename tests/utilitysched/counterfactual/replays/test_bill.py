from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

import pricing
from pricing import Replays
from pricing.counterfactual import ReplayRule
from swfx import InputError, UtilityFunction, UtilityTable, Workload
from swfx.base.answer_file import AnswerFile
from tests.queues import random_workload
from tests.scale import enough, many
from tests.utilitysched.counterfactual.replays.small import Watched, asked_of, crowded, everybody
from utilitysched import simulate
from utilitysched.counterfactual.charges import Counterfactuals
from utilitysched.counterfactual.replays import replay_jobs
from utilitysched.workers.local import ProcessExecutor

COLUMNS = (
    "begin",
    "end",
    "recoupled",
    "count",
    "with_job_by_seed",
    "without_job_by_seed",
    "difference",
    "mean",
    "error",
)


def test_by_hand() -> None:
    """One machine; the second job waits 10 s for the first, the third is not in the way."""
    curve = UtilityFunction([0, 100], [100, 0])
    jobs = Workload.from_columns(
        submit=[0, 1, 50],
        run=[10, 10, 10],
        requested_time=[10, 10, 10],
        processors=[1, 1, 1],
        utility=UtilityTable.from_functions([curve] * 3),
    )

    replays = replay_jobs(asked_of(jobs, 1), np.arange(3))

    # alone, the second job would end after 10 s, not 19: 9 SU more
    assert replays.charge.tolist() == [9.0, 0.0, 0.0]
    assert replays.losses.cause.tolist() == [0]
    assert replays.losses.victim.tolist() == [1]
    assert replays.losses.loss.tolist() == [9.0]
    assert replays.losses.delay.tolist() == [9.0]
    assert replays.begin.tolist() == [0.0, 1.0, 50.0]
    assert replays.recoupled.tolist() == [[True], [True], [True]]
    # the first look is when the third job comes
    assert replays.end[0] == 50.0
    assert (replays.with_job_by_seed[0, 0], replays.without_job_by_seed[0, 0]) == (81.0, 90.0)
    assert replays.count[0] == 1


def test_literally_who_comes_later_is_not_in_the_replay() -> None:
    """LEE's procedure charges the first job for a delay that the third one makes."""
    curve = UtilityFunction([0, 100], [100, 0])
    jobs = Workload.from_columns(
        submit=[0, 5, 12, 12],
        run=[10, 30, 10, 10],
        requested_time=[10, 30, 10, 10],
        processors=[1, 2, 1, 1],
        utility=UtilityTable.from_functions([curve] * 4),
    )
    question = asked_of(jobs, 2, "spf")
    literal = replace(question, rule=ReplayRule(literal=True))

    assert question.start.tolist() == [0.0, 10.0, 40.0, 40.0]
    # without the first job the second starts at once; nobody after it is in the literal replay
    assert replay_jobs(literal, np.array([0])).mean[0] == 5.0
    assert replay_jobs(question, np.array([0])).mean[0] == 15.0


def test_a_job_whose_absence_changes_no_start_pays_exactly_nothing() -> None:
    unchanged = 0
    for seed in range(many(10)):
        question = crowded(seed, "ga:generations=5")
        replays = replay_jobs(question, everybody(question))
        jobs, start = question.workload, question.start
        for job in range(len(jobs)):
            kept = np.arange(len(jobs)) != job
            alone = simulate(
                jobs[kept], question.scheduler, machine_size=question.machine_size, seed=5
            )
            if alone.start.tolist() == start[kept].tolist():
                assert replays.difference[job].tolist() == [0.0]
                assert replays.charge[job] == 0.0
                unchanged += 1
    assert unchanged > enough(20)


def test_charges_are_the_sums_of_losses_and_means_over_seeds() -> None:
    negative = spread = 0
    for seed in range(many(10)):
        question = crowded(seed, "ga:generations=2,population=4,warm=false", ReplayRule(30.0, 3))
        replays = replay_jobs(question, everybody(question))

        assert replays.mean == pytest.approx(replays.difference.mean(axis=1), abs=1e-9)
        assert replays.difference == pytest.approx(
            replays.without_job_by_seed - replays.with_job_by_seed, abs=1e-9
        )
        assert replays.charge.tolist() == np.maximum(replays.mean, 0).tolist()
        assert (replays.end <= replays.begin[:, np.newaxis] + 30).all()
        negative += int((replays.mean < 0).sum())
        spread += int((replays.error > 0).sum())
    assert negative > 0
    assert spread > 0


def test_the_first_pair_is_the_only_one_with_one_seed() -> None:
    one = crowded(3, "ga:generations=2,population=4", ReplayRule(60.0, 1))
    three = replace(one, rule=ReplayRule(60.0, 3))

    single, several = (replay_jobs(question, everybody(one)) for question in (one, three))

    assert several.seeds[0] == 5
    assert len(set(several.seeds)) == 3
    assert several.difference[:, :1].tolist() == single.difference.tolist()


def test_a_scheduler_that_does_not_draw_needs_one_seed() -> None:
    question = crowded(4, "easy", ReplayRule(60.0, 3))

    replays = replay_jobs(question, everybody(question))

    assert replays.seeds == (5,)
    assert replays.error.tolist() == [0.0] * len(question.workload)


def test_jobs_need_not_be_asked_about_in_order_nor_all() -> None:
    question = crowded(5)
    whole = replay_jobs(question, everybody(question))

    some = replay_jobs(question, np.array([6, 2]))

    assert np.flatnonzero(~np.isnan(some.mean)).tolist() == [2, 6]
    assert some.mean[[2, 6]].tolist() == whole.mean[[2, 6]].tolist()
    assert set(some.losses.cause.tolist()) <= {2, 6}


def test_two_processes_find_what_one_finds() -> None:
    question = crowded(6, "ga:generations=2", ReplayRule(math.inf, 2))

    alone = replay_jobs(question, everybody(question))
    shared = replay_jobs(question, everybody(question), ProcessExecutor(2))

    same(alone, shared)


def same(one: Replays, other: Replays) -> None:
    for name in COLUMNS:
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes(), name
    for mine, theirs in zip(one.losses, other.losses, strict=True):
        assert mine.tobytes() == theirs.tobytes()


def test_a_bill_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    question = crowded(7, "ga:generations=2", ReplayRule(100.0, 2))
    whole = replay_jobs(question, everybody(question))
    keeper = AnswerFile(tmp_path / "kept")
    replay_jobs(question, np.array([0, 1, 2]), keeper=keeper)
    with keeper.path.open("a") as file:
        file.write(f"{question.digest} [3, [[1.0, true")  # cut short
    watched = Watched()

    again = replay_jobs(question, everybody(question), watched, keeper)

    same(whole, again)
    assert len(watched.asked) == len(question.workload) - 3
    assert len(keeper.kept([question.digest])) == len(question.workload)


def test_what_was_kept_for_another_question_is_dropped(tmp_path: Path) -> None:
    question = crowded(8)
    keeper = AnswerFile(tmp_path / "kept")
    replay_jobs(question, everybody(question), keeper=keeper)

    assert keeper.kept([replace(question, rule=ReplayRule(1.0)).digest]) == []
    assert keeper.kept([question.digest]) == []


@pytest.mark.parametrize(
    "other",
    [{"seed": 6}, {"scheduler": "saf"}, {"rule": ReplayRule(2.0)}, {"classes": {1: 0}}],
)
def test_a_digest_tells_questions_apart(other: dict[str, object]) -> None:
    question = crowded(9)

    assert question.digest == replace(question).digest
    assert replace(question, **other).digest != question.digest  # type: ignore[arg-type]


def test_progress_goes_up_to_one() -> None:
    question = crowded(10)
    seen: list[float] = []

    replay_jobs(question, everybody(question), on_progress=seen.append)

    assert seen == sorted(seen)
    assert seen[-1] == 1.0


@pytest.mark.parametrize("text", ["vcg:method=replay,horizon=recoupled", "vcg:literal=true"])
def test_a_bill_by_replays(text: str, tmp_path: Path) -> None:
    rng = Random(30)
    charged = 0.0
    for _ in range(many(10)):
        jobs, processors = random_workload(rng)
        if not jobs.has_utilities:
            continue
        schedule = simulate(jobs, "easy", machine_size=processors)
        asked = replace(Counterfactuals.of(jobs, schedule), keep=tmp_path / "kept")

        bill = pricing.charge(jobs, schedule.start, schedule.end, text, counterfactual=asked)

        assert isinstance(bill.evidence, Replays)
        assert bill.charge.tolist() == bill.evidence.charge.tolist()
        (tmp_path / "kept").unlink()
        charged += bill.total
    assert charged > 0


@pytest.mark.parametrize("mechanism", ["vcg", "vcg:settle=end"])
def test_with_dependencies_plans_are_compared_but_nothing_is_played_again(mechanism: str) -> None:
    """The last job is released at 10 s, when the second starts before it and the third."""
    jobs = Workload.from_columns(
        submit=[0, 1, 2, 3],
        run=[10] * 4,
        processors=[1] * 4,
        job_id=[1, 2, 3, 4],
        preceding_job=[-1, -1, -1, 1],
        think_time=[-1, -1, -1, 0],
        utility=UtilityTable.from_functions([UtilityFunction([0, 100], [100, 0])] * 4),
    )
    schedule = simulate(jobs, "easy", machine_size=1, dependencies=True)
    asked = Counterfactuals.of(jobs, schedule)

    bill = pricing.charge(jobs, schedule.start, schedule.end, mechanism, counterfactual=asked)

    assert schedule.start.tolist() == [0, 10, 20, 30]
    assert bill.charge.tolist() == [0, 20, 10, 0]
    with pytest.raises(InputError, match="depends on one which never does is not defined"):
        asked.replays(ReplayRule(), np.arange(4))
