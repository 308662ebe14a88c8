"""`utilitysched slurm`, on programs that print what a real cluster printed."""

from __future__ import annotations

import json
import os
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from plugins.slurm.tests.clusters import RECORDED, printed, recorded
from tests.utilitysched.cli.conftest import Command
from utilitysched_slurm import commands
from utilitysched_slurm.installed_files import script_release
from utilitysched_slurm.listings import JOB_COLUMNS, NODE_COLUMNS, ArrayLimits
from utilitysched_slurm.lock import AHEAD
from utilitysched_slurm.script import ScriptInForce
from utilitysched_slurm.store import MarketStore


@pytest.fixture
def slurm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder of programs, the only ones besides those of the system."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "jobs").write_text(printed(recorded("queue"), JOB_COLUMNS, "#"))
    (folder / "nodes").write_text(printed(recorded("nodes"), NODE_COLUMNS, "|"))
    program(folder / "squeue", f'sed "s/#/${{SQUEUE_FORMAT2##*:}}/g" {folder / "jobs"}')
    program(folder / "sinfo", f"cat {folder / 'nodes'}")
    limits = ArrayLimits(lambda _: "JobId=15 ArrayJobId=15 ArrayTaskId=3-6%2 ArrayTaskThrottle=2")
    monkeypatch.setattr(commands, "_LIMITS", limits)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return folder


def program(path: Path, line: str) -> None:
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)


WATCH = ("slurm", "watch", "--scheduler", "easy", "--for", "0.01")


def test_one_look_is_noted(command: Command, slurm: Path, tmp_path: Path) -> None:
    answer = command(*WATCH, "-o", tmp_path / "shadow")

    assert answer.code == 0, answer.err
    assert answer.out == (
        "0 runs recorded; Slurm started 0 jobs; of the 0 seen waiting before, easy would have"
        " started 0 earlier\n"
    )
    assert answer.err.splitlines()[-2:] == [
        "1 job queued, 2 processors free",
        "no job has ended yet: there are no runs to report, bill or compare",
    ]
    noted = (tmp_path / "shadow" / "decisions.csv").read_text().splitlines()
    assert [line.partition(",")[2] for line in noted[1:]] == ["1,2,,,,JobArrayTaskLimit:4 held:2"]
    assert slurm.exists()


def test_a_ctrl_c_does_not_reach_programs_of_slurm(
    command: Command, slurm: Path, tmp_path: Path
) -> None:
    program(slurm / "squeue", f"cut -d' ' -f5 /proc/$$/stat > {slurm}/group; exit 1")

    command(*WATCH, "-o", tmp_path / "shadow")

    assert int((slurm / "group").read_text()) != os.getpgrp()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("echo 'slurm_load_jobs error: Unable to contact' >&2; exit 1", "Unable to contact"),
        ("echo no", "squeue: prints another listing than known: no"),
    ],
)
def test_a_cluster_that_does_not_answer_at_all_is_refused(
    command: Command, slurm: Path, tmp_path: Path, line: str, message: str
) -> None:
    program(slurm / "squeue", line)

    answer = command(*WATCH, "-o", tmp_path / "shadow")

    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err


def test_without_slurm_it_says_what_to_install(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    answer = command(*WATCH, "-o", tmp_path / "shadow")

    assert answer.code == 2
    assert "squeue: is not on this machine" in answer.err


def test_who_decides_nothing_is_refused(command: Command, slurm: Path, tmp_path: Path) -> None:
    answer = command("slurm", "watch", "-s", "recorded", "-o", tmp_path / "shadow")

    assert answer.code == 2
    assert "recorded decides nothing" in answer.err
    assert not (tmp_path / "shadow").exists()
    assert slurm.exists()


def test_a_configuration_is_checked(command: Command, slurm: Path) -> None:
    config = (RECORDED / "config.txt").read_text().replace("sched/backfill", "sched/builtin")
    (slurm / "config").write_text(config)
    program(slurm / "scontrol", f"cat {slurm / 'config'}")

    answer = command("slurm", "check")

    assert answer.code == 2
    lines = answer.out.splitlines()
    assert lines[0] == "to watch"
    assert lines[lines.index("to command") + 1 :][:3] == [
        "  FAILED       SchedulerType          sched/builtin",
        "               sched/builtin starts jobs in order of submission",
        "               -> SchedulerType=sched/backfill",
    ]
    told = json.loads(command("slurm", "check", "--json").out)
    assert told["preconditions"][0]["found"] == "22.05.8"


def test_a_market_commands_only_what_it_can(command: Command, slurm: Path, tmp_path: Path) -> None:
    config = (RECORDED / "config.txt").read_text().replace("= lua", "= (null)")
    (slurm / "config").write_text(config.partition("\n")[2])
    now = 'echo "Configuration data as of $(date -u +%FT%T)"'
    program(slurm / "scontrol", f"{now}; cat {slurm / 'config'}")
    program(slurm / "sacctmgr", "echo Operator")

    answer = command("slurm", "run", "-s", "easy", "-o", tmp_path / "market")

    assert answer.code == 2
    assert answer.err.splitlines()[-1].startswith(
        "error: slurm.conf: field JobSubmitPlugins, job_submit.lua, operators: (null): new jobs may"
    )
    assert not (tmp_path / "market").exists()


@pytest.mark.parametrize("verb", ["run", "open"])
def test_a_second_market_of_a_cluster_is_refused(
    command: Command, slurm: Path, tmp_path: Path, verb: str
) -> None:
    start, end = (
        datetime.fromtimestamp(time.time() + AHEAD + later, UTC).strftime("%Y-%m-%dT%H:%M:%S")
        for later in (-3600, 200)
    )
    (slurm / "config").write_text((RECORDED / "config.txt").read_text().partition("\n")[2])
    (slurm / "lock").write_text(
        f"ReservationName=utilitysched:other:/market StartTime={start} EndTime={end} Duration=9\n"
    )
    now = 'echo "Configuration data as of $(date -u +%FT%T)"'
    show = f"*config*) {now}; cat {slurm / 'config'};; *show*reservation*) cat {slurm / 'lock'};;"
    program(slurm / "scontrol", f'case "$*" in {show} *) exit 1;; esac')
    program(slurm / "sacctmgr", "echo Operator")
    script = ScriptInForce(script_release(), True, [os.geteuid()], [])._asdict()
    told = json.dumps({"utilitysched": script.pop("release"), **script}, separators=(",", ":"))
    program(slurm / "sbatch", f"echo 'sbatch: error: {told}' >&2; exit 1")
    with MarketStore(tmp_path / "market", 0.0):
        pass

    own = ("-s", "easy") if verb == "run" else ()
    answer = command("slurm", verb, *own, "-o", tmp_path / "market")

    assert (answer.code, answer.out) == (2, "")
    assert "the market of other:/market commands this cluster since 20" in answer.err
    assert "stop it there: systemctl stop utilitysched-slurm; if it is dead" in answer.err


def test_a_folder_without_a_market_opens_nothing(
    command: Command, slurm: Path, tmp_path: Path
) -> None:
    answer = command("slurm", "open", "-o", tmp_path / "other")

    assert (answer.code, answer.out) == (2, "")
    assert "other: no market was here" in answer.err
    assert not (tmp_path / "other").exists()
    assert slurm.exists()


SAID = """\
sbatch: defined options
sbatch: comment             : 0:40,1h:40,2h:0
sbatch: ntasks              : 2
sbatch: time                : 01:30:00
sbatch: end of defined options
sbatch: Job 21 to start at 2026-11-23T23:23:07 using 2 processors on nodes n1 in partition main
"""

BIDS = [
    (("--value", "40", "--deadline", "4h"), "--comment=value=40,deadline=4h"),
    (("--curve", "0:40,1h:0", "--", "-n", "2"), "-n 2 --comment=0:40,1h:0"),
    (("--curve", "urgent"), "--comment=urgent"),
    ((), ""),
]


@pytest.fixture
def sbatch(slurm: Path) -> Path:
    """Give what a program notes that answers as sbatch does."""
    (slurm / "said").write_text(SAID)
    noted = slurm / "noted"
    tests = f'case "$*" in *--test-only*) cat {slurm / "said"} >&2; exit;; esac'
    program(
        slurm / "sbatch", f'{tests}\nprintf "%s\\n" "$@" >> {noted}\necho Submitted batch job 21'
    )
    return noted


@pytest.mark.parametrize(("options", "given"), BIDS)
def test_a_bid_is_the_comment_of_the_job(
    command: Command, sbatch: Path, options: tuple[str, ...], given: str
) -> None:
    answer = command("slurm", "submit", "job.sh", *options)

    assert (answer.code, answer.out) == (0, "Submitted batch job 21\n")
    assert sbatch.read_text().split() == [*given.split(), "job.sh"]


def test_a_quote_comes_before_the_submission(command: Command, sbatch: Path) -> None:
    answer = command(
        *("slurm", "submit", "job.sh", "--quote", "--scheduler", "easy", "--utilities", "none"),
        *("--mechanism", "first-price:reading=end", "--samples", "3"),
    )

    assert answer.code == 0, answer.err
    assert "\n2 processors for at most 1 h 30 min, submitted at " in answer.out
    assert "easy; 1 job queued, 4 running, 2 of 16 processors free" in answer.out
    assert answer.out.count(" 20.00") == 7
    assert answer.out.endswith("Submitted batch job 21\n")
    assert sbatch.read_text() == "job.sh\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--value", "40"), "value=40: a value needs a deadline"),
        (("--curve", "0:1,1h:2"), "rise"),
        (("--curve", "0:1,1h:0", "--value", "1"), "--curve and --value exclude each other"),
        (("--quote", "--samples", "0"), "samples"),
        (("--quote", "--scheduler", "nobody"), "nobody"),
        (("--timezone", "Berlin"), "Berlin"),
    ],
)
def test_what_cannot_be_is_not_submitted(
    command: Command, sbatch: Path, options: tuple[str, ...], message: str
) -> None:
    answer = command("slurm", "submit", "job.sh", *options)

    assert answer.code == 2
    assert message in answer.err
    assert len(answer.err.splitlines()) == 1
    assert not sbatch.exists()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("echo 'sbatch: error: comment: no point' >&2; exit 1", "error: sbatch: comment: no point"),
        ("echo 'sbatch: oops' >&2; echo 'Try sbatch --help' >&2; exit 255", "sbatch: oops"),
        ("exit 0", "does not say how many processors"),
    ],
)
def test_what_sbatch_refuses_is_told_in_its_words(
    command: Command, slurm: Path, line: str, message: str
) -> None:
    program(slurm / "sbatch", line)

    answer = command("slurm", "submit", "job.sh", "--quote", "--scheduler", "easy")

    assert answer.code == 2
    assert message in answer.err
    assert len(answer.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("14", "--value", "40", "--deadline", "4h"), "job 14 is not admitted"),
        (("16", "--value", "40", "--deadline", "4h"), "error: job 16 has ended\n"),
        (("99", "--value", "40", "--deadline", "4h"), "there is no job 99"),
        (("14",), "no bid"),
        (("14", "--curve", "urgent"), "no bid"),
        (("14", "--value", "40"), "a value needs a deadline"),
    ],
)
def test_terms_that_cannot_be_asked_for(
    command: Command, slurm: Path, options: tuple[str, ...], message: str
) -> None:
    answer = command("slurm", "amend", *options)

    assert answer.code == 2
    assert message in answer.err
    assert len(answer.err.splitlines()) == 1
    assert not (slurm / "scontrol").exists()
