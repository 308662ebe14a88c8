"""Cost of holes and priced restarts on the cells of examples/restarts.toml, by their first draw."""

import statistics
import tomllib
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.logs import ROOT, log
from benchmarks.row import Row
from benchmarks.timing import race
from swfx import Workload
from swfx.families.generators.utilities import attach_utilities
from swfx.families.generators.utility_spec import UtilitySpec
from utilitysched import simulate
from utilitysched.runs.steps import transforming

PLAIN = "value-and-delay"
RESTARTING = f"{PLAIN}:holes=true,restarts=true"
ROUNDS = 2


def measure() -> Iterator[Row]:
    """Simulate each cell with restarts and without."""
    ratios = {}
    for name, jobs in cells():
        raced = race({text: partial(simulate, jobs, text) for text in (PLAIN, RESTARTING)}, ROUNDS)
        assert raced.results[RESTARTING].segments is not None
        ratios[name] = raced.best(RESTARTING) / raced.best(PLAIN)
    worst = max(ratios, key=ratios.__getitem__)
    middle = statistics.median(ratios.values())
    note = f"{len(ratios)} cells, median {middle:.1f} x; worst {worst}"
    yield Row(f"restarts, to {PLAIN}", ratios[worst], "x", 12, note=note)


def cells() -> Iterator[tuple[str, Workload]]:
    """Yield names and jobs, with the utility functions of the first draw."""
    with (ROOT / "examples" / "restarts.toml").open("rb") as file:
        asked = tomllib.load(file)
    seed = asked["utilities"]["seeds"][0]
    for part in asked["workload"]:
        whole = log(Path(part["source"]).name.removesuffix(".swf.gz"))
        ranges = part["jobs"] if isinstance(part["jobs"], list) else [part["jobs"]]
        for text in ranges:
            first, last = map(int, text.split(":"))
            for steps in part["apply"]:
                step = transforming(steps, seed)
                assert step is not None
                jobs = step(whole[first:last]).workload
                yield (
                    f"{part['name']} {text} {steps[-1]}",
                    attach_utilities(jobs, UtilitySpec(), seed=seed),
                )
