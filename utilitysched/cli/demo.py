"""`utilitysched demo`."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from swfx.base.request_fields import RunsFolder, Seed
from utilitysched.cli.shared import Quiet

SAMPLE = "sample:"
SCHEDULERS = ("easy", "priority-fifo", "fcfs", "conservative", "ga")
FIRST = 2
"""So many are shown at once where the code of the others is still to be compiled."""
WARMED = "0:200"
"""Jobs on which another process compiles the last scheduler: enough to enter all of its kernels."""
BILLED = 5

INTRODUCTION = """\
A supercomputer has more jobs than processors; a scheduler decides who waits.
Here every job has a utility function: what it is worth (SU) to its user,
falling from submission to a deadline. Five schedulers run the same jobs; the
last, a genetic one, breeds queue orders and takes the best.
"""
EPILOG = """\b
Two of them by hand:
  utilitysched simulate sample: -s easy -s ga --out runs
  utilitysched bill runs/ga
"""
OTHERS = "\nThe other three follow as soon as they are compiled.\n"
NEXT = """\
Try next:
  utilitysched list schedulers                    what else there is
  utilitysched simulate sample: -s easy -s index  another rule against EASY
  utilitysched augment LOG.swf -o LOG.swfx        utilities for a log of yours
  utilitysched simulate LOG.swfx -s ga --out runs schedules as files
  utilitysched bill runs/ga --mechanism vcg       and who pays what for them"""


def demo(seed: Seed = 0, out: RunsFolder = None, quiet: Quiet = False) -> None:
    """Run five schedulers on the packaged workload, and a bill.

    Needs no files and writes none, unless --out says where. Takes under a minute, most of it
    compiling on the first start.
    """
    import pricing
    from swfx.reading.workload_source import WorkloadSource
    from utilitysched.cli.notifier import notifier, noting_compilation, watcher
    from utilitysched.market.billing import MECHANISM
    from utilitysched.report.bill import print_bill
    from utilitysched.report.comparison import print_runs
    from utilitysched.report.terminal import paragraphs
    from utilitysched.runs.records import RunSeeds, SimulatedRun, SimulationPlan
    from utilitysched.runs.simulation import prepare, simulate_all

    print(INTRODUCTION, flush=True)
    echo = notifier(quiet=quiet)
    plan = SimulationPlan(
        WorkloadSource(SAMPLE), SCHEDULERS, seeds=RunSeeds(seed), out=out, force=None
    )
    watch = watcher(quiet=quiet)
    runs: list[SimulatedRun] = []
    with _compiled_beside(SCHEDULERS[-1]) as compiling, noting_compilation(echo):
        prepared = prepare(plan, echo)
        for run in simulate_all(plan, prepared, echo, watch):
            runs.append(run)
            if compiling and not quiet and len(runs) == FIRST:
                print_runs(plan, prepared, runs)
                print(OTHERS, flush=True)
            if compiling and len(runs) == len(SCHEDULERS) - 1:
                with watch("compiling"):
                    compiling[0].wait()
    print_runs(plan, prepared, runs)
    last = runs[-1].schedule
    charges = pricing.charge(prepared.workload, last.start, last.end, MECHANISM).rounded()
    print()
    paragraphs(charges.about)
    print()
    print_bill(charges, "user", shown=BILLED)
    if out:
        pricing.write_statements(runs[-1].directory or out, charges)
        print(f"\nThe files are in {out}.")
    print(f"\n{NEXT}")


@contextmanager
def _compiled_beside(scheduler: str) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Have another process compile a scheduler from when anything is compiled in the block.

    Yields
    ------
    list of subprocess.Popen
        That process; empty until then.
    """
    from utilitysched.cli.notifier import noting_compilation

    command = [sys.executable, "-m", "utilitysched", "simulate", SAMPLE, "--jobs", WARMED]
    processes: list[subprocess.Popen[bytes]] = []

    def begin(_: str) -> None:
        nowhere = subprocess.DEVNULL
        processes.append(
            subprocess.Popen(
                [*command, "--scheduler", scheduler], stdin=nowhere, stdout=nowhere, stderr=nowhere
            )
        )

    with noting_compilation(begin):
        try:
            yield processes
        finally:
            for process in processes:
                process.kill()
                process.wait()
