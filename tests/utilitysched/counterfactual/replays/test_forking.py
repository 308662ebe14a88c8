"""Replays of schedulers that know nothing of replays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from pricing.counterfactual import ReplayRule
from swfx import InputError
from tests.utilitysched.counterfactual.replays.small import crowded, everybody
from utilitysched import Decision, QueueState
from utilitysched.counterfactual import inputs
from utilitysched.counterfactual.replays import question, replay_jobs
from utilitysched.model.scheduler import Setting, scheduler_of


class Shortest:
    """Starts the shortest jobs that fit; counts its passes, which changes nothing."""

    label = "shortest"
    stochastic = False
    options: dict[str, object] = {}  # noqa: RUF012

    def prepare(self, setting: Setting) -> None:  # noqa: ARG002
        self.passes = 0

    def decide(self, state: QueueState) -> Decision:
        self.passes += 1
        free, starts = state.free, []
        request = state.known.request[state.queued]
        for job in state.queued[np.argsort(request, kind="stable")].tolist():
            if state.known.size[job] <= free:
                starts.append(job)
                free -= int(state.known.size[job])
        return Decision(np.array(starts, dtype=np.int64))


class Unpicklable(Shortest):
    def prepare(self, setting: Setting) -> None:
        super().prepare(setting)
        self.key: Callable[[int], int] = lambda job: job


class Forgetful(Shortest):
    """Says that its count does not matter."""

    def fork(self, seed: int | None = None) -> Shortest:  # noqa: ARG002
        return Forgetful()

    def decide(self, state: QueueState) -> Decision:
        self.passes = 0
        return super().decide(state)

    def memory_of(self, queued: np.ndarray) -> object:  # noqa: ARG002
        return None


def have_made(monkeypatch: pytest.MonkeyPatch, kind: type[Shortest]) -> None:
    """Have every text make a scheduler of this kind."""
    for module in (inputs, question):
        monkeypatch.setattr(module, "make_scheduler", lambda _: scheduler_of(kind()))


def test_what_a_scheduler_says_of_itself_only_ends_replays_earlier(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    earlier = 0
    for seed in range(10):
        asked = crowded(seed, "spf:placement=none")
        answers = []
        for kind in (Shortest, Unpicklable, Forgetful):
            have_made(monkeypatch, kind)
            answers.append(replay_jobs(asked, everybody(asked)))
        counting, unpicklable, forgetful = answers

        for answer in (unpicklable, forgetful):
            assert answer.mean.tolist() == counting.mean.tolist()
            assert answer.losses.loss.tolist() == counting.losses.loss.tolist()
        assert (forgetful.end <= unpicklable.end).all()
        earlier += int((forgetful.end < counting.end).sum())
    assert earlier > 10


def test_draws_that_cannot_be_replaced_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Drawing(Shortest):
        stochastic = True

    asked = replace(crowded(1), rule=ReplayRule(seeds=2))
    have_made(monkeypatch, Drawing)

    with pytest.raises(InputError, match="shortest cannot go on with other random draws; give"):
        replay_jobs(asked, everybody(asked))
