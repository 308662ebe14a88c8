"""The market in the shadow of Slurm."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC
from pathlib import Path

import pytest

from plugins.slurm.tests.clusters import Cells, date, job, recorded
from swfx import InputError
from utilitysched.runs.stored import read_run
from utilitysched.schedulers.registry import make_scheduler
from utilitysched_slurm.commands import SlurmError
from utilitysched_slurm.watch import Shadow
from utilitysched_slurm.worth import worth_by

ROW = recorded("queue")[0]
BEGAN = 1_795_464_000


class Script:
    """Tells of jobs as 22.05 does: (number, submit, start, end, CPUs), in s; 0 for not yet."""

    def __init__(self, *jobs: tuple[int, ...]) -> None:
        self.jobs, self.now, self.away = jobs, 0, False

    def queue(self) -> list[Cells]:
        if self.away:
            raise SlurmError("Unable to contact slurm controller", source="squeue")
        return [self._row(*each) for each in self.jobs if each[1] <= self.now]

    def _row(self, number: int, submit: int, start: int, end: int, cpus: int) -> Cells:
        over, runs = end <= self.now, start <= self.now
        return ROW | {
            "jobid": str(number),
            "state": "COMPLETED" if over else "RUNNING" if runs else "PENDING",
            "reason": "None" if runs else "Priority",
            "prioritylong": "4294900000",
            "submittime": date(BEGAN + submit),
            "eligibletime": date(BEGAN + submit),
            "starttime": date(BEGAN + start),
            "endtime": date(BEGAN + (end if over else start + 300)),
            "numcpus": str(cpus),
        }

    def nodes(self) -> list[Cells]:
        idle = {"statecomplete": "idle", "cpusstate": "0/4/0/4"}
        return [row | idle for row in recorded("nodes")]


Shadows = Callable[..., Shadow]


@pytest.fixture
def shadows() -> Iterator[Shadows]:
    with ExitStack() as opened:
        yield lambda folder, script, scheduler="easy": opened.enter_context(
            Shadow(folder, script, make_scheduler(scheduler), worth_by("default", 0))
        )


def test_runs_say_what_slurm_did_and_what_would_have_been(tmp_path: Path, shadows: Shadows) -> None:
    # Slurm lets 2 wait for 60 s though it fits beside 1: EASY would not have
    script = Script((1, 0, 0, 100, 10), (2, 10, 70, 90, 4), (3, 20, 100, 120, 16))
    watched = shadows(tmp_path, script)
    for script.now in range(0, 150, 5):
        watched.look(BEGAN + script.now)

    runs = watched.write_runs(lambda _: None)

    starts = {name: read_run(path).start for name, path in runs.items()}
    assert starts["recorded"].tolist() == [0.0, 70.0, 100.0]
    assert starts["easy"].tolist() == [0.0, 10.0, 100.0]
    assert read_run(runs["recorded"]).workload.has_utilities
    assert watched.summary() == (
        "3 runs recorded; Slurm started 2 jobs; of the 2 seen waiting before, easy would"
        " have started 1 earlier"
    )


def test_a_cluster_that_does_not_answer_changes_nothing(tmp_path: Path, shadows: Shadows) -> None:
    script = Script((1, 0, 0, 100, 10))
    watched = shadows(tmp_path, script)
    watched.look(BEGAN)
    script.away = True
    with pytest.raises(SlurmError, match="Unable to contact"):
        watched.look(BEGAN + 50)
    script.away, script.now = False, 110
    watched.look(BEGAN + 110)

    assert len(watched.journal) == 1


def test_what_ended_between_two_watches_is_recorded(tmp_path: Path, shadows: Shadows) -> None:
    script = Script((1, 0, 0, 100, 10), (2, 0, 0, 20, 2))
    script.now = 50
    first = shadows(tmp_path, script)
    first.look(BEGAN + 50)
    first.__exit__()

    script.now = 200
    second = shadows(tmp_path, script)
    second.look(BEGAN + 200)

    assert [line.partition("|")[0] for line in second.journal.listing.read_text().splitlines()] == [
        "JobID",
        "1",
    ]


def test_nothing_has_ended_yet(tmp_path: Path, shadows: Shadows) -> None:
    watched = shadows(tmp_path, Script((1, 0, 0, 100, 10)))
    watched.look(BEGAN)

    assert watched.write_runs(lambda _: None) == {}


def test_curves_are_what_jobs_say_and_else_drawn_once_and_for_all() -> None:
    worth = worth_by("default", 7)
    silent, says = job(3), job(4, comment='{"utility": [[0, 9], [60, 0]], "checkpoint": 30}')

    assert worth(says).utility.values.tolist() == [9.0, 0.0]  # type: ignore[union-attr]
    assert worth(says).checkpoint_interval == 30.0
    drawn = worth(silent).utility
    assert drawn is not None
    assert worth_by("default", 7)(silent).utility == drawn
    assert worth_by("none", 7)(silent).utility is None
    with pytest.raises(InputError, match="no utility model"):
        worth_by("defualt", 7)


def test_a_model_that_has_nothing_for_a_job_says_so(tmp_path: Path) -> None:
    curves = tmp_path / "curves.toml"
    curves.write_text(
        '[curves.urgent]\npoints = "0:8,1h:0"\nper = "job"\n[[rules]]\nnamed_by = "comment"\n'
    )
    told: list[str] = []

    worth = worth_by(f"curves:file={curves}", 0, UTC, told.append)

    assert worth(job(3)).utility is None
    assert len(told) == 1
    assert told[0].startswith("job 3: curves:file=")
    urgent = worth(job(4, comment="urgent")).utility
    assert urgent is not None
    assert urgent.values.tolist() == [8.0, 0.0]


def test_a_comment_that_is_no_bid_is_told_and_replaced_by_the_model() -> None:
    told: list[str] = []

    said = worth_by("default", 0, UTC, told.append)(job(3, comment="deadline=soon,value=1"))

    assert said.utility == worth_by("default", 0)(job(3)).utility
    assert len(told) == 1
    assert told[0].startswith("job 3: its comment is no bid: field deadline: ")
