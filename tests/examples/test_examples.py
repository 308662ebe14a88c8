"""Every example prints what the file beside it holds.

After a change that is meant: `python examples/NN_topic.py > examples/NN_topic.out`.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from statistics import fmean

import pytest

from tests.scale import FACTOR
from tests.warm import programs

EXAMPLES = Path(__file__).parents[2] / "examples"
ON_TRACES = {"04_lee_table_4_1": "SDSC-BLUE-2000-4.2-cln.swf.gz"}
NUMBERED = sorted(path.stem for path in EXAMPLES.glob("[0-9]*.py"))
ON_LISTINGS = {"09_my_cluster": "all.txt.gz"}
QUICK = [stem for stem in NUMBERED if stem not in {*ON_TRACES, *ON_LISTINGS}] + ["elise_jsspp_2025"]


def printed(stem: str, *arguments: str) -> str:
    """What an example prints; it must say nothing else."""
    done = subprocess.run(
        [programs() / "script", EXAMPLES / f"{stem}.py", *arguments],
        capture_output=True,
        text=True,
        cwd=EXAMPLES.parent,
        env=os.environ | {"PYTHONPATH": str(EXAMPLES.parent)},
        check=False,
    )
    assert done.stderr == ""
    assert done.returncode == 0
    return done.stdout


def expected(stem: str) -> str:
    return (EXAMPLES / f"{stem}.out").read_text(encoding="utf-8")


@pytest.mark.parametrize("stem", QUICK)
def test_example_on_the_packaged_workload(stem: str) -> None:
    assert printed(stem) == expected(stem)


@pytest.mark.slow
@pytest.mark.parametrize(("stem", "trace"), ON_TRACES.items() if FACTOR > 1 else ())
def test_example_on_a_real_trace(stem: str, trace: str, traces: Path) -> None:
    assert printed(stem, str(traces / trace)) == expected(stem)


@pytest.mark.parametrize(("stem", "listing"), ON_LISTINGS.items())
def test_example_on_a_real_listing(stem: str, listing: str, listings: Path) -> None:
    assert printed(stem, str(listings / listing)) == expected(stem)


def test_it_earns_more_than_easy_and_priorities_on_a_real_trace() -> None:
    draws = earned_by_draw(expected("04_lee_table_4_1"))

    assert fmean(draws["easy"]) >= 1.15
    assert fmean(draws["priority-fifo"]) >= 1.06


def earned_by_draw(text: str) -> dict[str, list[float]]:
    """What the genetic scheduler earns, over what others do."""
    rows = re.findall(r"^([\w-]+) .*\(([\d. ]+)\)$", text, re.MULTILINE)
    return {name: [float(draw) for draw in draws.split()] for name, draws in rows}


@pytest.mark.parametrize("stem", NUMBERED)
def test_example_says_how_to_run_it(stem: str) -> None:
    source = (EXAMPLES / f"{stem}.py").read_text(encoding="utf-8")

    docstring = source.split('"""')[1]
    assert "\n\nCovers: " in docstring
    assert "\n\nScenario" in docstring
    assert f"\n\nRun: python examples/{stem}.py" in docstring
    assert source.endswith('\n\nif __name__ == "__main__":\n    main()\n')
    assert len(source.splitlines()) < 90
