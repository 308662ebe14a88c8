"""`utilitysched check`: every line accounted for."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from tests.scale import many
from tests.utilitysched.cli.conftest import Command

FLAWED = """\
; MaxProcs: 8
; Computer: a toy
1 0 -1 10 4 -1 -1 4 60 -1 1 1 1 -1 1 -1 -1 -1
2 5 -1 -1 4 -1 -1 4 60 -1 1 1 1 -1 1 -1 -1 -1
3 6 -1 10 9 -1 -1 9 60 -1 1 1 1 -1 1 -1 -1 -1
4 7 -1 10 -1 -1 -1 2 60 -1 1 1 1 -1 1 -1 -1 -1
"""


@pytest.fixture
def flawed(tmp_path: Path) -> Path:
    path = tmp_path / "flawed.swf"
    path.write_text(FLAWED)
    return path


def test_the_report(command: Command, flawed: Path) -> None:
    answer = command("check", flawed)

    assert answer.code == 0
    verdict = f"{flawed} loads: 2 of 4 job lines kept, 2 dropped; 1 of the kept repaired"
    assert " ".join(answer.out.split()).startswith(verdict)
    assert "6 lines, 2 of comment; every line is accounted for" in answer.out
    assert "machine: 8 processors" in answer.out
    assert "Computer: a toy" in answer.out
    rows = {line.split()[0]: line.split()[-1] for line in answer.out.splitlines() if line}
    assert (rows["negative-run"], rows["too-wide"], rows["processors-missing"]) == ("4", "5", "6")


def test_one_job_is_no_plural(command: Command, tmp_path: Path) -> None:
    log = tmp_path / "log.swf"
    job = "1 0 -1 9 4 -1 -1 4 60 -1 1 1 1 -1 1 -1 -1 -1"
    log.write_text(f"; SWFX: 1.0\n; MaxProcs: 8\n{job} -1 -1 2 0 5 9 0\n")

    assert "machine: 8 processors; 1 job has a utility function" in command("check", log).out


def test_every_line_on_request(command: Command, flawed: Path) -> None:
    answer = command("check", flawed, "--list")

    assert answer.out.splitlines() == [
        f"{flawed}:4: dropped: negative-run: the run time is negative",
        f"{flawed}:5: dropped: too-wide: the job is wider than the machine",
        (
            f"{flawed}:6: repaired: processors-missing: allocated processors are unknown: "
            "the requested ones are taken"
        ),
    ]


def test_lines_that_are_kept_as_they_are_are_listed_too(command: Command, tmp_path: Path) -> None:
    log = tmp_path / "log.swf"
    log.write_text("; MaxProcs: 8\n1 0 -1 99 4 -1 -1 4 60 -1 1 1 1 -1 1 -1 -1 -1\n")

    assert command("check", log, "--list").out == (
        f"{log}:2: kept: run-over-request: the job ran longer than requested: "
        "it is killed at its request\n"
    )


def test_json(command: Command, flawed: Path) -> None:
    document = json.loads(command("check", flawed, "--json").out)

    assert document["loads"] is True
    assert (document["kept"], document["dropped"], document["repaired"]) == (2, 2, 1)
    assert {rule["rule"]: rule["lines"] for rule in document["rules"]} == {
        "negative-run": "4",
        "too-wide": "5",
        "processors-missing": "6",
    }


def test_strict_refuses_what_standard_cleaning_drops(command: Command, flawed: Path) -> None:
    answer = command("check", flawed, "--strict")

    assert answer.code == 2
    assert answer.err.startswith(f"error: {flawed}:4: field run (4): the run time is negative")


def test_lenient_drops_malformed_lines(command: Command, flawed: Path) -> None:
    flawed.write_text(FLAWED + "5 8 x\n")

    assert command("check", flawed).code == 2
    answer = command("check", flawed, "--lenient")
    assert answer.code == 0
    assert "loads: 2 of 5 job lines kept, 3 dropped" in " ".join(answer.out.split())


def test_an_unknown_machine_is_said(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "log.swf"
    path.write_text("1 0 5 10 4 -1 -1 4 60 -1 1 1 1 -1 1 -1 -1 -1\n")

    assert "machine: unknown, give --machine-size N" in command("check", path).out


def test_names_of_rules_are_never_broken(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "log.swf"
    jobs = [f"{n} {n} 1 10 4 -1 -1 -1 60 -1 1 1 1 -1 1 -1 -1 -1\n" for n in range(100000, 100100)]
    path.write_text("; MaxProcs: 8\n" + "\n" * 100_000 + "".join(jobs))

    answer = command("check", path)
    assert "\nrequested-processors-missing  " in answer.out


NOTED = (
    "; MaxProcs: 8\n; UnixStartTime: 0\n; TimeZoneString: Foo/Bar\n"  # two notes
    "2 9 -1 99 4 -1 -1 4 1 -1 1 1 1 -1 1 1 7 -1\n"  # run over, partition, preceding job
    "1 8 -1 99 4 -1 -1 4 1 -1 1 1 1 -1 1 2 -1 -1\n"  # order
)


def heights(text: str, width: int) -> int:
    """Lines of a terminal that a text takes."""
    return sum(max(-(-len(line) // width), 1) for line in text.splitlines())


@pytest.mark.parametrize("seed", range(many(25)))
def test_the_report_fits_a_screen_whatever_there_is_to_say(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    random = Random(seed)
    monkeypatch.setenv("COLUMNS", "80")
    log = tmp_path / ("long name " * random.choice((0, 1, 20))) / "log.swf"
    log.parent.mkdir(exist_ok=True)
    header = "".join(
        f"; Note: {'x' * random.randint(0, 300)}\n" for _ in range(random.choice((0, 3, 90)))
    )
    flaws = "".join(random.sample(FLAWED.splitlines(keepends=True)[2:], random.randint(0, 4)))
    log.write_text(header + NOTED + flaws * random.choice((1, 9_999)))

    for options in ((), ("--machine-size", 8), ("--lenient",)):
        out = command("check", log, *options).out

        assert heights(out, 80) <= 24
        assert " loads: " in " ".join(out.split("\n")[:5])
        whole = command("check", log, *options, "--all").out
        assert (out == whole) == ("--all adds " not in out)
        assert (heights(whole, 80) <= 24) == (out == whole)


def test_all_shows_what_a_screen_has_no_room_for(command: Command, tmp_path: Path) -> None:
    log = tmp_path / "log.swf"
    notes = "".join(f"; Note: number {n}\n" for n in range(40))
    log.write_text(f"{notes}{NOTED}")

    screen, whole = command("check", log).out, command("check", log, "--all").out

    assert screen.endswith("--all adds the header (43 lines)\n")
    assert "number 39" not in screen
    assert "number 39" in whole


def test_a_log_of_another_format(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "sacct.txt"
    path.write_text(
        "JobID|Submit|Start|End|State|NCPUS\n"
        "1|2024-03-01T08:00:00|2024-03-01T08:10:00|2024-03-01T09:00:00|COMPLETED|4\n"
        "1.0|2024-03-01T08:10:00|2024-03-01T08:10:00|2024-03-01T09:00:00|COMPLETED|4\n"
        "2|2024-03-01T08:00:00|None|2024-03-01T09:00:00|CANCELLED by 1000|4\n"
        "3|2024-03-01T08:00:00|2024-03-01T08:10:00|2024-03-01T09:00:00|COMPLETED|9\n"
    )

    answer = command("check", f"slurm:{path}", "--machine-size", 8)

    assert answer.code == 0
    assert (
        "loads: 1 of 4 job lines kept, 2 dropped, 1 part of another line's job; "
        "1 of the kept repaired" in " ".join(answer.out.split())
    )
    rows = {line.split()[0]: line.split() for line in answer.out.splitlines() if line}
    assert (rows["step"][1], rows["step"][-1]) == ("folded", "3")
    assert (rows["never-started"][1], rows["never-started"][-1]) == ("dropped", "4")
    assert (rows["too-wide"][1], rows["too-wide"][-1]) == ("dropped", "5")
    assert (
        f"{path}:3: folded: step: a step of a job"
        in command("check", f"slurm:{path}", "--list").out
    )


@pytest.mark.parametrize("name", ["check", "describe"])
def test_headers_that_are_no_text_are_shown_as_far_as_they_are(
    command: Command, tmp_path: Path, name: str
) -> None:
    log = tmp_path / "log.swf"
    log.write_bytes(b"; Computer: Caf\xe9\n1 0 5 10 1 -1 -1 1 20 -1 1 1 1 -1 1 -1 -1 -1\n")

    code, out, _ = command(name, log)

    assert code == 0
    assert "Caf?" in out


def test_notes_on_the_zone_and_on_dependencies(command: Command, tmp_path: Path) -> None:
    log = tmp_path / "log.swf"
    job = "0 -1 10 4 -1 -1 4 60 -1 1 1 1 -1 1 -1"
    log.write_text(
        "; MaxProcs: 8\n; UnixStartTime: 1078605840\n; TimeZoneString: Foo/Bar\n"
        f"1 {job} 9 0\n2 {job} 3 0\n3 {job} 2 0\n"
    )

    notes = [line for line in command("check", log).out.splitlines() if line.startswith("note: ")]

    assert notes == [
        "note: no time zone is named 'Foo/Bar' (TimeZoneString): UTC is taken",
        "note: 1 job names a preceding job that is not in the log (field 17)",
        "note: 2 jobs wait for themselves, directly or through others (field 17)",
    ]
    assert "on the clock of UTC, as no zone is named 'Foo/Bar'" in command("describe", log).out


def simulated(command: Command, folder: Path, machine: dict[str, object] | None = None) -> Path:
    """Simulate two jobs; return the folder of runs, whose record says that it had a machine."""
    log = folder / "two.swf"
    job = "-1 10 4 -1 -1 4 60 -1 1 1 1 -1 1 -1 -1 -1"
    log.write_text(f"; MaxProcs: 8\n1 0 {job}\n2 5 {job}\n")
    runs = folder / "runs"
    assert command("simulate", log, "-s", "easy", "--out", runs).code == 0
    record = runs / "easy" / "run.json"
    document = json.loads(record.read_text())
    if machine is not None:
        document["simulation"]["machine"] = machine
    record.write_text(json.dumps(document))
    return runs


def test_schedules_of_runs(command: Command, tmp_path: Path) -> None:
    runs = simulated(command, tmp_path)

    answer = command("check", runs)

    assert answer.code == 0
    assert answer.out == f"{runs}/easy: 2 jobs on 1 pool: 0 violations of the machine's rules\n"


def test_schedules_that_break_rules(command: Command, tmp_path: Path) -> None:
    pools = [{"name": "all", "capacity": {"processors": 8}}]
    limit = {"of": "user", "most": {"jobs": 1}}
    runs = simulated(command, tmp_path, {"pools": pools, "limits": [limit]})

    answer = command("check", runs)

    assert answer.code == 2
    assert answer.out.splitlines() == [
        f"{runs}/easy: 2 jobs on 1 pool: 1 violation of the machine's rules",
        "  limit: at 5 s, job 2 brings user of the job to 2 jobs, the limit is 1",
    ]
    assert answer.err == f"error: {runs}: schedules break rules of their machines: 1 violation\n"
    [schedule] = json.loads(command("check", runs, "--json").out)["schedules"]
    assert [(each["rule"], each["job"]) for each in schedule["violations"]] == [("limit", "2")]


def test_violations_beyond_the_first_are_counted(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = simulated(command, tmp_path, {"pools": [{"name": "a", "capacity": {"processors": 3}}]})
    monkeypatch.setattr("utilitysched.report.check.FIRST_LINES", 1)

    assert command("check", runs).out.splitlines()[2:] == ["  and 1 more: --all shows them"]
    assert len(command("check", runs, "--all").out.splitlines()) == 3
