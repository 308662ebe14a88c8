"""The same answers wherever the log is replayed."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pricing.counterfactual import ReplayRule
from swfx import InputError
from tests.utilitysched.counterfactual.replays.small import crowded, everybody
from tests.utilitysched.workers.dask_processes import DaskProcesses, kill
from utilitysched.counterfactual.replays import Keeper, Question, blocks, replay_jobs
from utilitysched.counterfactual.replays.blocks import Blocks, here, place, replays
from utilitysched.counterfactual.replays.kept import _written
from utilitysched.counterfactual.replays.replayer import Absence
from utilitysched.workers.cluster import ClusterLost, dask_executor
from utilitysched.workers.executor import Work
from utilitysched.workers.installation import installation
from utilitysched.workers.remote import TaskStatus, compute

DEADLY = """
import os
from utilitysched.counterfactual.replays import replayer

without = vars(replayer).setdefault("without", replayer.Replayer.without)

def deadly(self, job):
    return os._exit(1) if job == 3 else without(self, job)

replayer.Replayer.without = deadly
"""


@pytest.fixture
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send a job at a time, so that small logs are many tasks."""
    monkeypatch.setattr(blocks, "JOBS", 1)


def asked() -> Question:
    return crowded(6, "ga:generations=2", ReplayRule(math.inf, 2))


def answers(blocks: Blocks, question: Question) -> dict[int, str]:
    """By job, to the last digit."""
    jobs = everybody(question).tolist()
    return {found.job: _written(found) for block in blocks(question, jobs) for found in block}


@pytest.mark.slow
def test_a_worker_killed_in_mid_bill_changes_nothing(
    dask: DaskProcesses, one_by_one: None, tmp_path: Path
) -> None:
    question = asked()
    victim, _ = dask.worker(), dask.worker()
    cluster = place(dask_executor(dask.address))(question, everybody(question).tolist())
    first = next(cluster)

    kill(victim)
    found = {answer.job: _written(answer) for block in (first, *cluster) for answer in block}

    assert found == answers(here, question)
    assert len(found) == len(question.workload)


@pytest.mark.slow
def test_what_a_lost_cluster_has_finished_is_kept(
    dask: DaskProcesses, one_by_one: None, tmp_path: Path
) -> None:
    question = asked()
    keeper = Keeper(tmp_path / "kept")
    dask.worker()
    there = place(dask_executor(dask.address))

    def cut_off(question: Question, jobs: list[int]) -> Iterator[list[Absence]]:
        answered = there(question, jobs)
        yield next(answered)
        kill(dask.scheduler)
        yield from answered

    with pytest.raises(ClusterLost, match="what has finished is kept: run the same command again"):
        replay_jobs(question, everybody(question), cut_off, keeper)

    kept = keeper.kept(question.digest)
    assert 0 < len(kept) < len(question.workload)
    rest: list[int] = []

    def watched(question: Question, jobs: list[int]) -> Iterator[list[Absence]]:
        rest.extend(jobs)
        return here(question, jobs)

    again = replay_jobs(question, everybody(question), watched, keeper)
    whole = replay_jobs(question, everybody(question))
    assert sorted([*kept, *rest]) == everybody(question).tolist()
    assert again.difference.tobytes() == whole.difference.tobytes()
    assert again.mean.tobytes() == whole.mean.tobytes()


@pytest.mark.slow
def test_a_replay_that_kills_its_workers_ends_the_bill(
    one_death: None, one_by_one: None, dask: DaskProcesses, tmp_path: Path
) -> None:
    question = asked()
    (tmp_path / "deadly.py").write_text(DEADLY, "utf-8")
    found: list[Absence] = []
    answered = place(dask_executor(dask.address))(question, [2, 3, 4])

    with (
        dask.replaced_worker("--preload", tmp_path / "deadly.py"),
        pytest.raises(InputError, match="its workers have died, one after the other"),
    ):
        found.extend(answer for block in answered for answer in block)

    assert {answer.job for answer in found} <= {2, 4}


def test_a_worker_answers_what_is_answered_here() -> None:
    question = asked()

    kind, found = compute(pickle.dumps(replays(question)), pickle.dumps((0, 2)), installation())

    assert kind == TaskStatus.RESULT
    assert pickle.loads(found) == next(here(question, [0, 2]))


def test_what_a_worker_refuses_is_one_line_here() -> None:
    """A scheduler that cannot go on with other draws, for instance."""
    work = pickle.dumps(Work("replay", refusing))

    kind, said = compute(work, pickle.dumps(()), installation())

    assert (kind, said) == (TaskStatus.FAILED, "field seeds: cannot; give 1")


def refusing() -> Callable[[object], object]:
    return refuse


def refuse(*_: object) -> None:
    raise InputError("cannot", field="seeds", remedy="give 1")


def test_nothing_is_loaded_for_another_installation() -> None:
    kind, said = compute(b"nothing", b"", {**installation(), "numpy": "0"})

    assert kind == TaskStatus.UNFIT
    assert "instead of 0: its results might differ" in said
