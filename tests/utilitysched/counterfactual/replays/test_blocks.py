"""The same answers wherever the log is replayed."""

from __future__ import annotations

import json
import math
import pickle
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pricing.counterfactual import ReplayRule
from swfx import InputError
from swfx.base.answer_file import AnswerFile
from tests.utilitysched.counterfactual.replays.small import Watched, crowded, everybody
from tests.utilitysched.workers.dask_processes import DaskProcesses, kill
from utilitysched.counterfactual.replays import Question, bill, replay_jobs
from utilitysched.counterfactual.replays.bill import replays
from utilitysched.counterfactual.replays.replayer import Absence
from utilitysched.workers.cluster import ClusterLost, dask_executor
from utilitysched.workers.executor import Executor, Work, packed
from utilitysched.workers.local import SerialExecutor
from utilitysched.workers.remote import TaskStatus, compute, installation

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
    monkeypatch.setattr(bill, "JOBS", 1)


@cache
def asked() -> Question:
    return crowded(6, "ga:generations=2", ReplayRule(math.inf, 2))


def answered(executor: Executor, question: Question, jobs: list[int]) -> Iterator[list[Absence]]:
    return (block for _, block in executor.run(replays(question), bill.in_blocks(jobs)))


@cache
def answers(question: Question) -> dict[int, str]:
    """By job, to the last digit."""
    found = answered(SerialExecutor(), question, everybody(question).tolist())
    return {answer.job: json.dumps(answer) for block in found for answer in block}


@pytest.mark.slow
def test_a_worker_killed_in_mid_bill_changes_nothing(
    dask: DaskProcesses, one_by_one: None, tmp_path: Path
) -> None:
    question = asked()
    victim, _ = dask.worker(), dask.worker()
    jobs = everybody(question).tolist()
    cluster = answered(dask_executor(dask.address), question, jobs)
    first = next(cluster)

    kill(victim)
    found = {answer.job: json.dumps(answer) for block in (first, *cluster) for answer in block}

    assert found == answers(question)
    assert len(found) == len(question.workload)


@pytest.mark.slow
def test_what_a_lost_cluster_has_finished_is_kept(
    dask: DaskProcesses, one_by_one: None, tmp_path: Path
) -> None:
    question = asked()
    keeper = AnswerFile(tmp_path / "kept")
    dask.worker()

    class CutOff:
        def run(self, work: Any, tasks: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
            found = dask_executor(dask.address).run(work, tasks)
            yield next(found)
            kill(dask.scheduler)
            yield from found

    with pytest.raises(ClusterLost, match="what has finished is kept: run the same command again"):
        replay_jobs(question, everybody(question), CutOff(), keeper)

    kept = [job for _, (job, _) in keeper.kept([question.digest])]
    assert 0 < len(kept) < len(question.workload)
    watched = Watched()
    again = replay_jobs(question, everybody(question), watched, keeper)
    whole = replay_jobs(question, everybody(question))
    assert sorted([*kept, *watched.asked]) == everybody(question).tolist()
    assert again.difference.tobytes() == whole.difference.tobytes()
    assert again.mean.tobytes() == whole.mean.tobytes()


@pytest.mark.slow
def test_a_replay_that_kills_its_workers_ends_the_bill(
    one_death: None, one_by_one: None, dask: DaskProcesses, tmp_path: Path
) -> None:
    question = asked()
    (tmp_path / "deadly.py").write_text(DEADLY, "utf-8")
    found: list[Absence] = []
    given = answered(dask_executor(dask.address), question, [2, 3, 4])

    with (
        dask.replaced_worker("--preload", tmp_path / "deadly.py"),
        pytest.raises(InputError, match="its workers have died, one after the other"),
    ):
        found.extend(answer for block in given for answer in block)

    assert {answer.job for answer in found} <= {2, 4}


def test_a_worker_answers_what_is_answered_here() -> None:
    question = asked()

    kind, found = compute(packed(replays(question)), pickle.dumps((0, 2)), installation())

    assert kind == TaskStatus.RESULT
    assert pickle.loads(found) == next(answered(SerialExecutor(), question, [0, 2]))


def test_what_a_worker_refuses_is_one_line_here() -> None:
    """A scheduler that cannot go on with other draws, for instance."""
    work = packed(Work("replay", refusing))

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
