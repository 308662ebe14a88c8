"""Branches: both event loops go on otherwise alike; what they branch off from stays as it was."""

from random import Random

import numpy as np
import pytest

from tests.queues import random_workload
from tests.scale import enough, many
from utilitysched import make_scheduler
from utilitysched.counterfactual.branch import Change, branch
from utilitysched.engine.compiled_simulation import CompiledSimulation
from utilitysched.engine.simulation import Simulation
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.scheduler import Scheduler, Setting
from utilitysched.model.state import Integers

SCHEDULERS = ("easy", "conservative", "value:duration=predicted", "lexp:placement=none")
CASES = many(40, least=20)


def prepared(text: str, arrivals: Arrivals) -> Scheduler:
    scheduler = make_scheduler(text)
    scheduler.prepare(Setting(arrivals.known.machine_size, arrivals.longest_request, 1))
    return scheduler


def drawn_change(rng: Random, submit: Integers, arrived: int, queue: list[int]) -> Change:
    """Return what differs from now on, of those to come and those who wait."""
    withdrawn = np.array([job for job in queue if rng.random() < 0.4], dtype=np.int64)
    if arrived == len(submit):
        return Change(withdrawn=withdrawn)
    at_once = np.flatnonzero(submit == submit[arrived]).tolist()
    left_out = rng.choice(at_once) if rng.random() < 0.7 else None
    last = rng.randrange(at_once[-1], len(submit)) if rng.random() < 0.5 else None
    return Change(left_out=left_out, last=last, withdrawn=withdrawn)


@pytest.mark.parametrize("text", SCHEDULERS)
def test_both_loops_go_on_otherwise_alike(text: str) -> None:
    rng, changed, withdrawn = Random(text), 0, 0
    for _ in range(CASES):
        drawn = random_workload(rng)
        arrivals = Arrivals.of(drawn.workload, drawn.processors)
        asked = Simulation(arrivals, prepared(text, arrivals))
        compiled = CompiledSimulation(arrivals, prepared(text, arrivals).compiled)
        plain = Simulation(arrivals, prepared(text, arrivals))
        plain.finish()
        for now in sorted(rng.sample(np.unique(arrivals.known.submit).tolist(), 1) * 2):
            asked.advance(now)
            compiled.advance(now)
            change = drawn_change(rng, arrivals.known.submit, asked.arrived, asked.queue)
            expected, found = branch(asked, change), branch(compiled, change)
            expected.finish()
            found.advance(np.inf)
            after = np.flatnonzero(expected.end >= now)
            assert found.end[after].tolist() == expected.end[after].tolist()
            changed += not np.array_equal(expected.end[after], plain.end[after])
            withdrawn += len(change.withdrawn)
            found.give_back()  # the next branch has its columns
        compiled.advance(np.inf)
        assert compiled.end.tolist() == plain.end.tolist()
    assert changed > enough(10)
    assert withdrawn > enough(5)
