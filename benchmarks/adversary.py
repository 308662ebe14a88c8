"""Scenarios of adversaries on busy cells of real logs: what each brings, beside its target.

``python -m benchmarks adversary [DRAWS [SCENARIO ...]]``: as many draws of utility functions of
each cell (2 by default), all scenarios or those that are named.
"""

from __future__ import annotations

import json
import math
import tempfile
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from io import StringIO
from pathlib import Path

import numpy as np

import pricing
import swfx
from benchmarks.cells import HOUR, MONTH, Added, at_random, bill, cells, machine, value, with_added
from benchmarks.row import Row
from benchmarks.timing import timed
from swfx import UtilityFunction, UtilityTable, Workload
from utilitysched import simulate
from utilitysched.analysis.statistics import Interval, bootstrap_interval, difference_of_means
from utilitysched.cli.entry import run
from utilitysched.market.audit import AuditSubject, Design, audit
from utilitysched.market.audit.misreport import MISREPORTS, ValueMisreport
from utilitysched.market.audit.summary import by_lie
from utilitysched.runs.target import WORKLOAD_FILE

FIRST_DRAW = 101
"""Seed of the first draw of utility functions: no rule was tuned on these."""
FOR_VALUE = "value-and-delay"
RESTARTS = "value-and-delay:holes=true,restarts=true"
FIRST, RANKED = "first-price", "first-price:reading=scheduler"
SEARCH = "ga:preset=plain"
WHOLE_USERS = ("scale:factor=0.1", "scale:factor=10", "flatter")
USERS = 4
"""Users of each cell, those with most jobs, who misreport all of them."""


def decoys(draws: range) -> Iterator[Row]:
    """Jobs worth nothing that say 0.01 SU and re-runnable, to be paid for being killed."""
    flat, gains = UtilityFunction([0, MONTH], [0.01, 0.01]), []
    for _, drawn in cells(draws):
        for jobs in drawn:
            size, submit = max(1, machine(jobs) // 16), at_random(jobs, 300)
            both, mine = with_added(jobs, Added(submit, size, 12 * HOUR, 12 * HOUR, flat))
            charges = bill(both, simulate(both, RESTARTS), "first-price").charge
            gains.append(-charges[mine].mean())
    yield Row(
        "decoys, gain each, upper end",
        interval(gains).high,
        "SU",
        0,
        note="300 jobs; was +14 to +17 a kill",
    )


def interval(gains: list[float]) -> Interval:
    """Return the 95% interval of a mean, or the least and the most of a few."""
    given = difference_of_means, np.array(gains), np.zeros(len(gains))
    return bootstrap_interval(*given, seed=0) or Interval(min(gains), max(gains))


def honest(draws: range) -> Iterator[Row]:
    """Honest users who are billed by first price."""
    for name, drawn in cells(draws):
        shares = []
        for jobs in drawn:
            with tempfile.TemporaryDirectory() as folder:
                source = Path(folder) / "log.swfx.gz"
                swfx.write(jobs, source)
                program("simulate", source, "-s", FOR_VALUE, "--out", folder)
                text = program("bill", *runs_in(folder), "--mechanism", "first-price", "--json")
            users = json.loads(text)["statements"]["user"]
            worth = math.fsum(float(user["utility"]) for user in users)
            shares.append(json.loads(text)["total"] / worth)
        yield Row(f"charge / value, {name}", max(shares), "x", 1.0, note="was 1.18 to 1.41")


def cliffs(draws: range) -> Iterator[Row]:
    """Cliffs of a hundred times the value, and of the value itself, by first price."""
    lies = "cliff", "cliff:factor=1", "scale:factor=1e-9"
    for duration, mechanism in (("zero", RANKED), ("requested", FIRST)):
        gains = []
        for _, (jobs, *_others) in cells(draws):
            subject = AuditSubject(f"{FOR_VALUE}:duration={duration}", (mechanism,))
            found = audit(jobs, subject, Design(20, 1, lies))
            gains.append([row.gain / found.value.mean() for row in by_lie(found)])
        high, own, nothing = np.transpose(gains)
        if mechanism == RANKED:
            yield Row("cliff x100, charged its rank", high.max(), "x", -80, note="was below -80")
        else:
            note = "gain / value, over that of reporting nothing"
            yield Row("cliff x100, requested end", (high - nothing).max(), "x", 1e-3, note=note)
            yield Row("cliff of the value itself", (own - nothing).max(), "x", 1e-3, note=note)


def shills(draws: range) -> Iterator[Row]:
    """Machine-wide jobs of a second with requests of 18 h and a high value."""
    for name, drawn in cells(draws):
        changes = []
        for jobs in drawn:
            size, submit = machine(jobs), at_random(jobs, 10)
            curve = UtilityFunction([0, 36 * HOUR], [10.0 * size * 18, 0])
            both, mine = with_added(jobs, Added(submit, size, 1.0, 18 * HOUR, curve))
            before, after = (
                bill(each, simulate(each, FOR_VALUE), "vcg").charge for each in (jobs, both)
            )
            changes.append(after[~mine].sum() / before.sum() - 1)
        yield Row(f"others' bills, {name}", max(changes), "x", 0.1, note="was 0.61 to 11.90")


def parts(_: range) -> Iterator[Row]:
    """Two parts of one account that start a second apart, and a rival who loses 150 SU."""
    lost, own = UtilityFunction([0, 60], [150, 150]), UtilityFunction([0, 1000], [500, 500])
    ends, idle = UtilityFunction([0, 1000], [1, 1]), [9.0, 10.0]
    jobs = Workload.from_columns(
        submit=[0, 0, 5, 5, 5],
        run=[*idle, 100, 100, 40],
        requested_time=[*idle, 100, 100, 40],
        processors=[1, 1, 1, 1, 2],
        user=[1, 2, 3, 3, 4],
        utility=UtilityTable.from_functions([ends, ends, own, own, lost]),
    )
    charges = bill(jobs, simulate(jobs, "value-density", machine_size=2), "vcg").charge
    yield Row("two parts pay", charges[2:4].sum(), "SU", 150, "at least", "was 0 + 0")


def beyond(draws: range) -> Iterator[Row]:
    """Charges beyond all that a victim had when it was submitted."""
    for name, drawn in cells(draws):
        shares = []
        for jobs in drawn:
            evidence = bill(jobs, simulate(jobs, FOR_VALUE), "vcg").evidence
            assert isinstance(evidence, pricing.Pivots)
            losses = evidence.losses
            lost = np.bincount(losses.victim, losses.loss, len(jobs))
            over = np.maximum(lost - jobs.utility.start_values, 0)
            shares.append(over[over > 1e-9].sum() / losses.loss.sum())
        yield Row(f"beyond a victim, {name}", max(shares), "x", 0, note="was 0.13 to 0.45")


def tripled(_: range) -> Iterator[Row]:
    """Curves of all users that are tripled after the fact, in the files of a run."""
    with tempfile.TemporaryDirectory() as folder:
        program("simulate", "sample:", "--jobs", "0:300", "-s", "easy", "--out", folder)
        (directory,) = runs_in(folder)
        program("bill", directory, "--mechanism", "vcg")
        path, record = Path(folder) / WORKLOAD_FILE, directory / "run.json"
        jobs = swfx.read(path, cleaning="none").workload
        curves = jobs.utility
        table = UtilityTable(curves.offsets, curves.times, 3 * curves.values)
        forged = jobs.replace(utility=table)
        swfx.write(forged, path)
        digest = swfx.read(path, cleaning="none").workload.digest()
        record.write_text(record.read_text("utf-8").replace(jobs.digest(), digest), "utf-8")
        code = quietly("bill", directory, "--mechanism", "vcg")[0]
    yield Row("tripled curves are refused", float(code == 2), "", 1, "at least", "was billed")


def whole_users(draws: range) -> Iterator[Row]:
    """Users who misreport the curves of all their jobs, by vcg."""
    gains: dict[str, list[float]] = {text: [] for text in WHOLE_USERS}
    for _, drawn in cells(draws):
        for jobs in drawn:
            truth = simulate(jobs, FOR_VALUE)
            honest_left = value(jobs, truth) - bill(jobs, truth, "vcg").charge
            number, count = np.unique(jobs.user, return_counts=True)
            for user in number[np.argsort(-count)][:USERS]:
                mine = np.flatnonzero(jobs.user == user)
                for text in WHOLE_USERS:
                    told = misreported(jobs, mine, text)
                    lied = simulate(told, FOR_VALUE)
                    left = value(jobs, lied) - bill(told, lied, "vcg").charge
                    gains[text].append(left[mine].sum() - honest_left[mine].sum())
    for text, each in gains.items():
        note = f"{len(each)} users; mean {np.mean(each):.3g}; was never above 0"
        yield Row(f"{text}, gain, lower end", interval(each).low, "SU", 0, note=note)


def misreported(jobs: Workload, mine: np.ndarray, text: str) -> Workload:
    """Return the jobs with misreported curves of some of them."""
    misreport = MISREPORTS.make(text)
    assert isinstance(misreport, ValueMisreport)
    truth = [curve for job in mine if (curve := jobs.utility[job]) is not None]
    curves = UtilityTable.from_functions([misreport.curve(curve) for curve in truth])
    place = np.arange(len(jobs))
    place[mine] = len(jobs) + np.arange(len(mine))
    return jobs.replace(utility=UtilityTable.stacked([jobs.utility, curves]).take(place))


def cost(draws: range) -> Iterator[Row]:
    """CPU time of a bill by vcg over that of its schedule."""
    for name, (jobs, *_others) in cells(draws):
        simulate(jobs[:50], SEARCH)
        seconds, schedule = timed(partial(simulate, jobs, SEARCH))
        more, _ = timed(partial(bill, jobs, schedule, "vcg"))
        note = f"{seconds:.1f} s; was 2.5 to 3.2"
        yield Row(f"vcg bill / schedule, {name}", more / seconds, "x", 4, note=note)


def runs_in(folder: str) -> list[Path]:
    """Return the folders of the runs in a directory of results."""
    return [path.parent for path in Path(folder).glob("*/run.json")]


def quietly(*words: object) -> tuple[int, str]:
    """Run a command of the program; return its exit code and output."""
    out = StringIO()
    with redirect_stdout(out), redirect_stderr(StringIO()):
        code = run([str(word) for word in words])
    return code, out.getvalue()


def program(*words: object) -> str:
    """Return the output of a command that must succeed."""
    code, text = quietly(*words)
    if code:
        raise RuntimeError(f"utilitysched {' '.join(map(str, words))} ended with {code}")
    return text


SCENARIOS: dict[str, Callable[[range], Iterator[Row]]] = {
    made.__name__.replace("_", "-"): made
    for made in (decoys, honest, cliffs, shills, parts, beyond, tripled, whole_users, cost)
}


def main(words: list[str]) -> int:
    """Print a row for each scenario and cell; return the exit code."""
    draws, names = int(words[0]) if words else 2, words[1:] or list(SCENARIOS)
    for name in names:
        for row in SCENARIOS[name](range(FIRST_DRAW, FIRST_DRAW + draws)):
            print(row.line(), flush=True)
    return 0
