"""Choice of the event loop, and of the machine that it plays."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from swfx import Header, Workload
from swfx.clock import calendar_of
from swfx.dependencies import Dependencies
from utilitysched.engine.compiled import run_compiled, run_in_turns
from utilitysched.engine.conditions import Failures, StopTerms
from utilitysched.engine.simulation import Simulation
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.schedule import SimulationOutcome
from utilitysched.model.scheduler import Scheduler

if TYPE_CHECKING:
    from swfx.machine import Machine
    from utilitysched.model.machine import MachineTable


def given_machine(machine: "Machine | str | Path", header: Header) -> "Machine":
    """Return the machine of a log with this header, read if it is the path of a file."""
    if not isinstance(machine, str | Path):
        return machine
    from swfx.machine import machine_from  # noqa: PLC0415 - most simulations have no machine file

    return machine_from(machine, calendar_of(header))


def table_of(
    machine: "Machine | None", scheduler: Scheduler, arrivals: Arrivals, workload: Workload
) -> "MachineTable | None":
    """Return what a machine means for jobs under a scheduler, None if all it has is processors.

    A scheduler that reads usage has a machine in any case, and its weights go before those of it.
    """
    if machine is None and not scheduler.reads_usage:
        return None
    from swfx.machine import trivial_machine  # noqa: PLC0415 - as above
    from utilitysched.model.machine_table import machine_table  # noqa: PLC0415 - as above

    site = machine or trivial_machine(arrivals.known.machine_size)
    table = machine_table(site, workload, arrivals.order)
    return table._replace(shares=scheduler.shares(table.shares))


def play(  # noqa: PLR0913 - one keyword per source
    arrivals: Arrivals,
    scheduler: Scheduler,
    on_progress: Callable[[float], None] | None = None,
    *,
    dependencies: Dependencies | None = None,
    terms: StopTerms | None = None,
    failures: Failures | None = None,
    table: "MachineTable | None" = None,
    seed: int = 0,
) -> SimulationOutcome:
    """Return what becomes of all jobs, by the loop that can play the scheduler, prepared.

    Parameters
    ----------
    arrivals, scheduler, dependencies, terms, failures
        As `utilitysched.engine.simulation.Simulation` takes them.
    on_progress : callable, optional
        Called now and then with the share of jobs submitted so far.
    table : MachineTable, optional
        The machine; default: one pool of processors.
    seed : int
        Of what is drawn for each of several pools.
    """
    if table is not None:
        from utilitysched.engine.machine.play import (  # noqa: PLC0415 - compiles what few need
            is_ordinary,
            play_on_machine,
        )

        if not is_ordinary(table, scheduler, arrivals.known.size):
            return play_on_machine(
                arrivals,
                scheduler,
                table,
                on_progress,
                dependencies=dependencies,
                terms=terms,
                failures=failures,
                seed=seed,
            )
    if scheduler.compiled_base is not None:
        return run_compiled(
            arrivals,
            scheduler.compiled_base,
            on_progress,
            dependencies=dependencies,
            terms=terms,
            failures=failures,
            restarts=scheduler.restart_terms,
        )
    if scheduler.in_turns is not None and dependencies is None and terms is None:
        return run_in_turns(arrivals, scheduler.in_turns, on_progress)
    loop = Simulation(
        arrivals, scheduler, dependencies=dependencies, terms=terms, failures=failures
    )
    loop.finish(on_progress)
    return loop.outcome()
