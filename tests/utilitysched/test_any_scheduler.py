"""A class with a method `decide` and nothing else, wherever a scheduler is asked for.

It decides as ``fcfs`` does, which says much more of itself: all that comes of it must be the same.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
import pytest

import pricing
from swfx import Workload
from tests.utilitysched.experiments.small import SMALL, small_file
from tests.utilitysched.market.audit.markets import PROCESSORS, crowd
from tests.utilitysched.market.quote.markets import market
from utilitysched import Decision, QueueState, Schedule, make_scheduler, simulate
from utilitysched.cli.entry import run as run_command
from utilitysched.counterfactual.charges import Counterfactuals
from utilitysched.exact.planned import planned
from utilitysched.experiments.cell import run_cell
from utilitysched.experiments.experiment_file import read_experiment
from utilitysched.experiments.grid import audits, bills, cells, grid
from utilitysched.market.audit import Audit, AuditSubject, Design, audit
from utilitysched.market.quote import Quote, QuoteTerms, quote
from utilitysched.schedulers.registry import _FAMILIES, Family


class InTurn:
    """Jobs start in the order of their arrival, and nobody goes ahead."""

    def decide(self, state: QueueState) -> Decision:
        fits = np.cumsum(state.known.size[state.queued]) <= state.free
        return Decision(state.queued[fits])


@pytest.fixture(autouse=True)
def in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Enter the class under a name, as a package of one's own does."""
    made = Family("in-turn", lambda label, options: InTurn(), {}, "")  # noqa: ARG005
    monkeypatch.setitem(_FAMILIES, "in-turn", made)


class Billed(NamedTuple):
    """A bill with its schedule."""

    schedule: Schedule
    charges: list[float]
    losers: list[int]


def billed(workload: Workload, scheduler: str, mechanism: str) -> Billed:
    schedule = simulate(workload, scheduler, machine_size=PROCESSORS)
    asked = Counterfactuals.of(workload, schedule)
    bill = pricing.charge(workload, schedule.start, schedule.end, mechanism, counterfactual=asked)
    assert isinstance(bill.evidence, pricing.Pivots | pricing.Replays)
    return Billed(schedule, bill.charge.tolist(), bill.evidence.losses.victim.tolist())


def test_the_object_itself_is_simulated() -> None:
    workload = crowd(1)

    found = simulate(workload, InTurn(), machine_size=PROCESSORS)

    assert found.scheduler == "InTurn"
    assert np.array_equal(found.start, simulate(workload, "fcfs", machine_size=PROCESSORS).start)


@pytest.mark.parametrize(
    "mechanism", ["vcg", "vcg:settle=end", "vcg:duration=expected", "vcg:method=replay"]
)
def test_it_is_charged_for(mechanism: str) -> None:
    mine, plain = (billed(crowd(2), name, mechanism) for name in ("in-turn", "fcfs"))

    assert mine.schedule.start.tolist() == plain.schedule.start.tolist()
    assert mine.charges == plain.charges
    assert mine.losers == plain.losers
    assert max(mine.charges) > 0


def test_it_plans_a_snapshot_and_is_quoted() -> None:
    rng = Random(4)
    for _ in range(5):
        made = market(rng, "fcfs", exact=False)
        assert planned(made.snapshot, make_scheduler("in-turn")).tolist() == (
            planned(made.snapshot, make_scheduler("fcfs")).tolist()
        )

        def quoted(scheduler: str, made=made) -> Quote:  # type: ignore[no-untyped-def]
            terms = QuoteTerms(
                scheduler, ("first-price:reading=end", "second-price", "vcg"), samples=6
            )
            return quote(made.snapshot, made.job, terms)

        mine, plain = (quoted(name).offers[0] for name in ("in-turn", "fcfs"))
        assert mine.now == plain.now


def test_it_is_audited() -> None:
    def audited(scheduler: str) -> Audit:
        design = Design(jobs=3, lies=("scale", "request", "split"), horizon="24h")
        mechanisms = "first-price:reading=end", "vcg", "vcg:method=replay"
        return audit(crowd(3), AuditSubject(scheduler, mechanisms, PROCESSORS), design)

    mine, plain = (audited(name) for name in ("in-turn", "fcfs"))

    assert mine.scored.tolist() == plain.scored.tolist()
    assert np.abs(mine.scored).max() > 0


def test_experiments_run_charge_and_audit_it(tmp_path: Path) -> None:
    text = SMALL.replace('"easy", "fcfs", "ga:population=4,generations=2"', '"fcfs", "in-turn"')
    text = text.replace("repeats = 2\n", "").replace("seeds = [1, 2]", "seeds = 1")
    text = text.replace('["0:20", "20:40"]', '"0:20"')
    text += '[prices]\nmechanisms = ["vcg"]\n[audit]\nmechanisms = ["vcg"]\njobs = 2\n'
    experiment = read_experiment(small_file(tmp_path, text))

    found: dict[str, list[object]] = {"fcfs": [], "in-turn": []}
    rows = grid(experiment)
    for cell in cells([*rows, *bills(experiment, rows), *audits(experiment, rows)]):
        result = run_cell(cell)
        assert result.error is None
        found[cell.scheduler].append({**result.metrics, "scheduler": ""})

    assert len(found["fcfs"]) == 3
    assert found["in-turn"] == found["fcfs"]


def test_the_command_line_has_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    simulated = ["simulate", "sample:", "--jobs", "0:60", "-s", "in-turn", "-s", "fcfs"]
    assert run_command([*simulated, "--out", str(tmp_path)]) == 0
    for name in ("in-turn", "fcfs"):
        assert run_command(["bill", str(tmp_path / name), "--mechanism", "vcg"]) == 0
    assert "in-turn" in capsys.readouterr().out
    mine, plain = ((tmp_path / name / "charges.csv").read_text() for name in ("in-turn", "fcfs"))
    assert mine.replace("simulation by in-turn", "simulation by fcfs") == plain
