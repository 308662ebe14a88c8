"""How the packaged workload `sample:market` is made.

A machine of 256 processors, 2,000 jobs of the Lublin-Feitelson model in a bit over a week, three
priorities, and a synthetic utility function for every job (LEE 2.6). What the model lacks is added
by simple rules, which are no model of anybody's users:

- load: one factor on all gaps, so that the offered load is 0.9 and queues form;
- priority: queue 1 (express), 2 (high) or 3 (normal), drawn independently of everything else;
- user: rank r is drawn with weight 1/r; users are dealt at random to groups of equal size;
- requested time: run time over an accuracy uniform on [0.3, 1], rounded up to a popular value;
- wait: that of an EASY schedule, which the deadlines of the utility functions are based on.

Run `python examples/make_sample.py` in the repository to write the file again: the same bytes.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import swfx
import utilitysched
from swfx.base.columns import Floats
from swfx.families.generators import LublinModel, UtilitySpec, attach_utilities
from swfx.families.generators.randomness import stream
from swfx.offered_load import processor_seconds

TARGET = Path(__file__).parents[1] / "swfx" / "samples" / "market.swfx.gz"
JOBS = 2000
PROCESSORS = 256
LOAD = 0.9  # offered, as a share of the machine
SEED = 2  # of 1 to 8, one with a moderate queue: 27 jobs on average under EASY
START = 1769385600  # s, Unix time: Monday 2026-01-26 00:00 UTC, so that statements span two months
QUEUES = {1: ("express", 0.2), 2: ("high", 0.3), 3: ("normal", 0.5)}  # name and share of the jobs
ACCURACY = (0.3, 1.0)  # run time over requested time, before rounding up
USERS = 40
GROUPS = 8
MINUTES = (1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 720, 1080, 1440, 2160, 2880)


def easy_waits(workload: swfx.Workload) -> Floats:
    """Simulate EASY for the waits (s)."""
    return utilitysched.simulate(workload, "easy").wait(workload)


def make_sample() -> swfx.Workload:
    """Make the workload, with the waits under EASY."""
    workload = add_users(scaled_model())
    workload = workload.replace(wait=easy_waits(workload))
    return attach_utilities(workload, UtilitySpec(), SEED)


def scaled_model() -> swfx.Workload:
    """Make the jobs, with all gaps scaled to give the wanted load."""
    unscaled = LublinModel(machine_size=PROCESSORS).generate(JOBS, SEED).workload
    work = float(processor_seconds(unscaled).sum())
    scale = work / (PROCESSORS * float(unscaled.submit.max())) / LOAD
    return LublinModel(machine_size=PROCESSORS, gap_scale=scale).generate(JOBS, SEED).workload


def add_users(workload: swfx.Workload) -> swfx.Workload:
    """Give every job a priority, user, group and requested time."""
    queue_rng, user_rng, group_rng, request_rng = (
        stream(SEED, f"sample {purpose}") for purpose in ("queues", "users", "groups", "requests")
    )
    weights = 1 / np.arange(1, USERS + 1)
    user = user_rng.choice(USERS, JOBS, p=weights / weights.sum())
    group_of_user = group_rng.permutation(np.arange(USERS) % GROUPS)
    accuracy = request_rng.uniform(*ACCURACY, JOBS)
    popular = 60.0 * np.array(MINUTES)
    wanted = np.minimum(workload.run / accuracy, popular[-1])
    return workload.replace(
        queue=queue_rng.choice(list(QUEUES), JOBS, p=[share for _, share in QUEUES.values()]),
        user=1 + user,
        group=1 + group_of_user[user],
        requested_time=popular[np.searchsorted(popular, wanted)],
        requested_processors=workload.processors,
        header=describe(workload.header),
    )


def describe(header: swfx.Header) -> swfx.Header:
    """Say in the header where everything comes from."""
    model = header.get("Note")
    lines = [line for line in header.lines if not line.startswith((" Note", " Queue", " Max"))]
    shares = ", ".join(f"{q} {share:g}" for q, (_, share) in QUEUES.items())
    return swfx.Header((
        *lines,
        f" MaxJobs: {JOBS}",
        f" MaxRecords: {JOBS}",
        f" MaxProcs: {PROCESSORS}",
        f" MaxNodes: {PROCESSORS}",
        *(f" Queue: {q} {name}" for q, (name, _) in QUEUES.items()),
        " Note: synthetic; made by examples/make_sample.py of utilitysched",
        f" Note: jobs: {model}",
        f" Note: gap_scale gives an offered load of {LOAD:g}",
        f" Note: queues drawn with shares {shares}; seed {SEED}",
        f" Note: {USERS} users, activity of rank r in proportion to 1/r, in {GROUPS} groups",
        f" Note: requested time = run / accuracy uniform on {list(ACCURACY)}, rounded up",
        f" Note: ... to {', '.join(map(str, MINUTES))} minutes",
        " Note: wait = that of an EASY schedule of this workload",
    )).with_value("UnixStartTime", START)  # fmt: skip


def main() -> None:
    """Write the packaged file."""
    workload = make_sample()
    swfx.write(workload, TARGET)
    print(f"{TARGET.name}: {len(workload)} jobs, {workload.machine_size} processors")


if __name__ == "__main__":
    main()
