"""A log on a real Slurm, and simulated: ``make slurm-replay ARGS="LOG -s NAME"``.

A private cluster of 16 nodes plays the log at a time scale, once under Slurm's own multifactor
priorities and backfilling, and once under the market with each scheduler. Beside each stands what
the simulator makes of the same log. It prints a table, and draws a picture.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.stats import kendalltau

from plugins.slurm.tests.private.cluster import PACKAGES, missing_programs
from plugins.slurm.tests.private.replay import MINUTE, OWN, Played, Replay
from swfx import InputError, Workload, open_workload
from swfx.families.transforms import apply_all
from utilitysched import make_scheduler, simulate
from utilitysched.analysis.documents import Column, ResultTable
from utilitysched.analysis.metrics import aggregate_utility
from utilitysched.analysis.series import delivered_utility
from utilitysched.engine.valued import ensure, require_machine
from utilitysched.model.schedule import Schedule
from utilitysched.report.figures.canvas import Figure, panels, save
from utilitysched.report.figures.style import COLOURS, PAGE
from utilitysched.report.terminal import print_table

LOG = "sample:market"
STEPS = ("filter:run=480..28800,size=..100", "slice:jobs=0:200", "scale-load:load=0.9")
"""Of the log: jobs that are long beside what Slurm takes to start one, and a queue that no single
job decides."""

SCHEDULERS = ("fcfs", "priority-fifo", "value-density", "ga")
OWN_LIKE = "conservative"
"""What Slurm's backfilling is most like: no job may delay any that is ahead of it."""

HOUR, HOURS_SECONDS = 3600.0, 30.0
"""s of an hour of the log, and what it takes by default."""

HEIGHT = 2.6
"""Inches of the picture."""


def _share(counts: tuple[int, int]) -> str:
    return "-" if not counts[1] else f"{counts[0]} of {counts[1]}"


COLUMNS = (
    Column("policy", left=True),
    Column("Slurm", group="utility (SU)", write="{:.0f}".format),
    Column("simulated", group="utility (SU)", write="{:.0f}".format),
    Column("differs by", write="{:+.1%}".format),
    Column("Slurm", group="mean wait (h)", write="{:.2f}".format),
    Column("simulated", group="mean wait (h)", write="{:.2f}".format),
    Column("Slurm", group="turnaround (h)", write="{:.2f}".format),
    Column("simulated", group="turnaround (h)", write="{:.2f}".format),
    Column("weight", write="{:.2f}".format),
    Column("order", write="{:.3f}".format),
    Column("decided alike", write=_share),
    Column("started as decided", write=_share),
    Column("preempted"),
)


class Pair(NamedTuple):
    """What Slurm and the simulator made of a log under the same policy.

    Attributes
    ----------
    played : Played
        On Slurm.
    slurm, simulated : Schedule
        When jobs ran.
    """

    played: Played
    slurm: Schedule
    simulated: Schedule


def main(arguments: Sequence[str]) -> int:
    """Play the log, print a table, write a picture; return the exit code."""
    given = _arguments(arguments)
    if missing := missing_programs():
        print(f"error: {', '.join(missing)} not found: apt-get install {PACKAGES}", file=sys.stderr)
        return 2
    try:
        log = part(open_workload(given.log).workload, given.apply)
        require_machine(log)
        policies = [OWN, *(make_scheduler(name).label for name in given.schedulers)]
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    hours = np.ptp(log.submit) / HOUR
    print(
        f"{given.log}: {len(log)} jobs, submitted in {hours:.0f} h; an hour takes {given.hour:g} s",
        flush=True,
    )
    found = dict(play(log, policies, HOUR / given.hour, given.together))
    pairs = {name: found[name] for name in policies}
    print_table(table(log, pairs))
    save(lambda: picture(log, pairs), given.picture)
    print(given.picture)
    return 0


def _arguments(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m plugins.slurm.benchmarks.replay")
    parser.add_argument("log", nargs="?", default=LOG, help="default: a part of sample:market")
    parser.add_argument("--apply", action="append", help="transformation of the log")
    parser.add_argument("-s", "--scheduler", dest="schedulers", action="append")
    parser.add_argument("--hour", type=float, default=HOURS_SECONDS, help="s that an hour takes")
    parser.add_argument("--together", type=int, default=1, help="clusters at a time")
    parser.add_argument("--picture", type=Path, default=Path("build/slurm-replay.png"))
    given = parser.parse_args(arguments)
    given.apply = given.apply or (STEPS if given.log == LOG else ())
    given.schedulers = given.schedulers or SCHEDULERS
    return given


def part(log: Workload, steps: Sequence[str]) -> Workload:
    """Return a log after some transformations, valued, in one class: Slurm tells of no others."""
    transformed = apply_all(log, steps, 0).workload
    valued = ensure(transformed, None, 0, classes=None, say=print).workload
    return valued.replace(queue=np.full(len(valued), -1))


def play(
    log: Workload, policies: Sequence[str], speed: float, together: int = 1
) -> Iterator[tuple[str, Pair]]:
    """Yield the pair of runs of each policy as it is done, so many at a time."""
    with ProcessPoolExecutor(together, get_context("spawn")) as pool:
        begun = {pool.submit(played, log, name, speed): name for name in policies}
        for done in as_completed(begun):
            yield begun[done], done.result()


def played(log: Workload, policy: str, speed: float) -> Pair:
    """Play a log under a policy, on Slurm and in the simulator; it says how far it is."""

    def echo(line: str) -> None:
        print(f"{policy}: {line}", file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory(prefix="replay-", dir="/tmp") as folder:
        found = Replay(log, speed, Path(folder), echo).play(policy)
    return Pair(found, found.schedule(log), predicted(log, policy, speed))


def predicted(log: Workload, policy: str, speed: float) -> Schedule:
    """Return what the simulator makes of a log; Slurm's own limits are whole minutes."""
    if policy != OWN:
        return simulate(log, policy, seed=0)
    minute = MINUTE * speed
    return simulate(log.replace(requested_time=np.ceil(log.request / minute) * minute), OWN_LIKE)


def table(log: Workload, pairs: Mapping[str, Pair]) -> ResultTable:
    """Return a row for each policy."""
    base = weight(log, next(iter(pairs.values())).slurm)
    rows = []
    for name, (found, slurm, simulated) in pairs.items():
        both = (slurm, simulated)
        ours, theirs = (aggregate_utility(log, each) for each in both)
        waits = [float(each.wait(log).mean()) / HOUR for each in both]
        ends = [float(each.turnaround(log).mean()) / HOUR for each in both]
        tau = float(kendalltau(slurm.start, simulated.start).statistic)
        alike, followed = (found.alike, found.asked), (found.followed, found.releases)
        heavy = weight(log, slurm) / base
        rows.append(
            (name, ours, theirs, ours / theirs - 1, *waits, *ends, heavy, tau, alike, followed,
             found.preemptions)
        )  # fmt: skip
    return ResultTable(COLUMNS, rows)


def weight(log: Workload, schedule: Schedule) -> float:
    """Return the weight of the queued jobs: waits times processors times bids.

    References
    ----------
    ALON. Bids are taken to be start values.
    """
    return float(schedule.wait(log) @ (log.size * log.utility.evaluate(np.zeros(len(log)))))


def picture(log: Workload, pairs: Mapping[str, Pair]) -> Figure:
    """Draw utility over time, and the differences of starts on Slurm from simulated ones."""
    figure, (earned, late) = panels(PAGE, HEIGHT, columns=2)
    begin = float(log.submit.min())
    share = np.linspace(0, 100, len(log))
    for colour, (name, pair) in zip(COLOURS, pairs.items(), strict=False):
        looks = ((pair.slurm, "-", 1.3, name), (pair.simulated, (0, (2, 1.5)), 0.8, None))
        for schedule, dashes, width, label in looks:
            steps = delivered_utility(log, schedule)
            earned.step(
                (steps.time - begin) / HOUR, steps.value, where="post", color=colour,
                linestyle=dashes, linewidth=width, label=label,
            )  # fmt: skip
        differences = np.sort(pair.slurm.start - pair.simulated.start) / HOUR
        late.plot(differences, share, color=colour, label=name)
    earned.set_xlabel("hours since the first submission")
    earned.set_ylabel("utility so far (SU)\nlines: Slurm; dots: simulated")
    late.set_xlabel("start on Slurm less start simulated (h)")
    late.set_ylabel("jobs (%)")
    late.legend(loc="lower right")
    return figure


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
