"""Cell of an experiment: what decides one simulation, and what comes out."""

from __future__ import annotations

import hashlib
import json
import time
import traceback
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from swfx import InputError, Workload
from swfx.base.plugin_file import blamed
from swfx.machine import Machine
from utilitysched.analysis.metrics import summary
from utilitysched.engine.conditions import Failures
from utilitysched.engine.engine import simulate
from utilitysched.exact.ceiling import UtilityCeiling, ceiling_metrics, ceiling_of
from utilitysched.experiments.audits import Audited, audit_gains
from utilitysched.experiments.files import on_any_machine
from utilitysched.experiments.inputs import Inputs, workload_of
from utilitysched.experiments.measures import EXTRA, bill_metrics
from utilitysched.model.schedule import Schedule
from utilitysched.model.state import InfeasibleDecision
from utilitysched.model.versions import SEMANTICS
from utilitysched.runs.files import plain
from utilitysched.runs.machines import MachineCopy


@dataclass(frozen=True)
class Cell:
    """A simulation of the grid, with its bill or audit; can be pickled and written as JSON.

    Attributes
    ----------
    inputs : Inputs
        The workload.
    scheduler : str
        Canonical text.
    seed : int
        Of the scheduler; 0 where it draws nothing.
    tau : float
        Bound of the bounded slowdowns (s).
    trim : float
        Share of the jobs at either end that means and percentiles leave out.
    dependencies : bool
        Submit jobs once those they depend on have ended.
    preemption : str
        Rules by which running jobs may be preempted; empty where only schedulers that preempt have
        them.
    failures : str
        What fails; empty for nothing. Drawn by the seed of the utility functions, so that all
        schedulers and their repeats see the same.
    machine : MachineCopy or None
        Machine file; None for one pool of processors.
    bill : str
        Label of the mechanism by which the schedule is charged; empty if it is not.
    audit : Audited or None
        What is audited in place of that.
    ceiling : bool
        Measure how near the schedule comes to the ceiling of the workload, too.
    extra : tuple of str
        Of `utilitysched.experiments.measures.EXTRA`: what else is measured.

    Examples
    --------
    >>> from utilitysched.experiments.inputs import Log
    >>> cell = Cell(Inputs(Log("model:lublin,jobs=50,machine_size=64")), "easy")
    >>> cell.title
    'easy seed 0 on model:lublin,jobs=50,machine_size=64 utilities 0'
    """

    inputs: Inputs
    scheduler: str
    seed: int = 0
    tau: float = 10.0
    trim: float = 0.0
    dependencies: bool = False
    preemption: str = ""
    failures: str = ""
    machine: MachineCopy | None = None
    bill: str = ""
    audit: Audited | None = None
    ceiling: bool = False
    extra: tuple[str, ...] = ()

    @cached_property
    def key(self) -> str:
        """sha256 (hex) of all that decides the result: equal keys, equal results."""
        scheduler = on_any_machine(self.scheduler)
        made = {"scheduler": scheduler, "material": self.inputs.identity(), "semantics": SEMANTICS}
        made |= {} if self.machine is None else {"machine": self.machine.digest}
        identity = self._as_dict() | made
        return hashlib.sha256(canonical(identity)).hexdigest()

    @property
    def title(self) -> str:
        """Title of the cell for messages: scheduler, seed, workload."""
        made = self.inputs
        parts = [self.scheduler, f"seed {self.seed}", "on", made.log.source, made.log.jobs or ""]
        parts += [*made.apply, made.utilities or "", f"utilities {made.utility_seed}"]
        parts += [f"preemption {self.preemption}"] if self.preemption else []
        parts += [f"failures {self.failures}"] if self.failures else []
        parts += [f"machine {self.machine.file}"] if self.machine else []
        parts += [f"charged by {self.bill}"] if self.bill else []
        parts += ["audited"] if self.audit else []
        return " ".join(part for part in parts if part)

    def to_json(self) -> str:
        """Return the cell as a line of JSON."""
        return canonical(self._as_dict()).decode()

    def _as_dict(self) -> dict[str, Any]:
        """Return the attributes; what is not asked for is not among them."""
        attributes = asdict(self) | {"material": self.inputs.as_dict()}
        del attributes["inputs"]
        for name in ("preemption", "failures", "machine", "bill", "audit", "ceiling", "extra"):
            if not attributes[name]:
                del attributes[name]
        return attributes


@dataclass(frozen=True)
class CellResult:
    """Metrics of a cell, or the error.

    Attributes
    ----------
    metrics : mapping
        `utilitysched.analysis.metrics.summary` as JSON has it, of a bill those of
        `bill_metrics`, of an audit those of `audit_gains`: None where not
        defined. Empty after an error.
    workload : str
        Digest of the workload simulated.
    error : str or None
        Why there are no metrics.
    seconds : mapping
        By the clock, so not compared: ``simulation`` alone, if there is one, and ``total`` (s).
    """

    metrics: Mapping[str, Any]
    workload: str = ""
    error: str | None = None
    seconds: Mapping[str, float] = field(default_factory=dict, compare=False)


def run_cell(cell: Cell) -> CellResult:
    """Simulate a cell, charge or audit one. Pure but for the clock; workloads are kept.

    What goes wrong is in the result, since it concerns this cell and no other; but for a lack of
    memory.
    """
    began = time.perf_counter()
    try:
        workload = workload_of(cell.inputs, dependencies=cell.dependencies)
        metrics, seconds = _found(cell, workload)
    except (InputError, InfeasibleDecision) as error:
        return CellResult({}, error=str(error))
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - other people's schedulers may raise anything
        return CellResult({}, error=str(blamed(error) or _unexpected(error)))
    total = time.perf_counter() - began
    return CellResult(
        json.loads(canonical(metrics)), workload.digest(), seconds={**seconds, "total": total}
    )


def _found(cell: Cell, workload: Workload) -> tuple[Mapping[str, object], Mapping[str, float]]:
    """Return the metrics of a cell, and how long its simulation took (s)."""
    if cell.audit:
        gains = audit_gains(
            workload,
            cell.scheduler,
            cell.audit,
            seed=cell.seed,
            classes=dict(cell.inputs.classes) or None,
            preemption=cell.preemption or None,
            failures=_failures(cell),
            machine=_machine(cell, workload),
        )
        return gains, {}
    schedule = _schedule(cell) if cell.bill else _simulated(cell, workload)
    seconds = {"simulation": schedule.elapsed}
    if cell.bill:
        return bill_metrics(workload, schedule, cell.bill), seconds
    metrics = summary(workload, schedule, tau=cell.tau, trim=cell.trim)
    for name in cell.extra:
        metrics |= EXTRA[name](workload, schedule, cell.tau, cell.trim)
    if cell.ceiling and cell.dependencies:
        raise InputError(
            "ceilings are of jobs that wait for no other",
            field="dependencies",
            remedy="leave out gap_share, ceiling and effective_losers",
        )
    if cell.ceiling:
        metrics |= ceiling_metrics(_kept_ceiling(cell.inputs, cell.machine), schedule)
    return metrics, seconds


@lru_cache(maxsize=4)
def _kept_ceiling(inputs: Inputs, machine: MachineCopy | None) -> UtilityCeiling:
    """Find the ceiling of a workload, or return the one found for another scheduler."""
    workload = workload_of(inputs)
    return ceiling_of(workload, machine=machine and machine.of_log(workload.header))


def _schedule(cell: Cell) -> Schedule:
    """Return the schedule that a cell charges."""
    return _kept_schedule(replace(cell, bill=""))


@lru_cache(maxsize=1)
def _kept_schedule(cell: Cell) -> Schedule:
    """Simulate, or return the schedule kept since the last bill of it."""
    return _simulated(cell, workload_of(cell.inputs, dependencies=cell.dependencies))


def _simulated(cell: Cell, workload: Workload) -> Schedule:
    return simulate(
        workload,
        cell.scheduler,
        classes=dict(cell.inputs.classes) or None,
        seed=cell.seed,
        dependencies=cell.dependencies,
        preemption=cell.preemption or None,
        failures=_failures(cell),
        machine=_machine(cell, workload),
    )


def _machine(cell: Cell, workload: Workload) -> Machine | None:
    return None if cell.machine is None else cell.machine.of_log(workload.header)


def _failures(cell: Cell) -> Failures | None:
    return Failures.from_text(cell.failures, cell.inputs.utility_seed) if cell.failures else None


def _unexpected(error: Exception) -> str:
    *_, frame = traceback.extract_tb(error.__traceback__)
    place = f"{Path(frame.filename).name}:{frame.lineno}"
    return f"unexpected {type(error).__name__} in {place}: {error}"


def canonical(value: object) -> bytes:
    """Return `value` as JSON of one kind only: keys sorted, no spaces."""
    text = json.dumps(plain(value), sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode()
