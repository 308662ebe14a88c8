"""Commitments: honest workloads pass, and whatever is changed afterwards is found."""

from __future__ import annotations

import hashlib
import re
import struct
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pricing.commitments import (
    Commitments,
    changed_jobs,
    commit,
    levels_of,
    path_of,
    read_commitments,
    require_unchanged,
    root_by,
    root_of,
    user_key,
    write_commitments,
)
from swfx import Header, InputError, UtilityFunction, UtilityTable, Workload

SECRET = b"a secret of the centre"
DAY = 86_400


def workload(rng: Random, jobs: int = 12) -> Workload:
    """Return random jobs of four days, some of the same number, user or time, some worth nothing.

    Curves are of few values, as users like them, so that they can be guessed.
    """
    curves = [
        UtilityFunction([0, rng.choice([60, 3600])], [rng.choice([1, 10, 100]), 0])
        if rng.random() < 0.8
        else None
        for _ in range(jobs)
    ]
    names = (" User: 1 alice", " User: 2 bob") if rng.random() < 0.5 else ()
    clock = (" UnixStartTime: 1769385600", f" TimeZoneString: {rng.choice(['UTC', 'US/Pacific'])}")
    return Workload.from_columns(
        header=Header((*(clock if rng.random() < 0.8 else ()), *names)),
        job_id=[rng.choice([n + 1, n + 1, 1]) for n in range(jobs)],
        submit=[rng.choice([0.0, 0.5, 1.0]) + rng.randrange(4) * DAY for _ in range(jobs)],
        run=[100] * jobs,
        processors=[rng.randrange(1, 5) for _ in range(jobs)],
        requested_time=[rng.choice([100, 200]) for _ in range(jobs)],
        user=[rng.randrange(-1, 4) for _ in range(jobs)],
        utility=UtilityTable.from_functions(curves),
    )


workloads = st.integers(0, 10_000).map(lambda seed: workload(Random(seed)))


def line_by_hand(jobs: Workload) -> str:
    """Return the last line as the documentation defines it: an independent computation."""

    def keyed(key: bytes, message: bytes) -> bytes:
        return hashlib.blake2b(message, key=key, digest_size=32).digest()

    def sha(*parts: bytes) -> bytes:
        return hashlib.sha256(b"".join(parts)).digest()

    def tree(leaves: list[bytes]) -> bytes:
        if len(leaves) == 1:
            return leaves[0]
        half = 1
        while 2 * half < len(leaves):
            half *= 2
        return sha(b"\x01", tree(leaves[:half]), tree(leaves[half:]))

    def digest(row: int) -> bytes:
        user = jobs.labels.in_field("user").name(jobs.user.item(row)).encode()
        curve = jobs.utility[row]
        points = [] if curve is None else [*curve.times.tolist(), *curve.values.tolist()]
        begin = b"%s\n%d\n" % (user, jobs.job_id.item(row))
        begin += struct.pack("<d", jobs.submit.item(row))
        terms = float(jobs.size.item(row)), jobs.request.item(row), *points
        salt = keyed(keyed(sha(SECRET), b"user " + user), begin)
        return sha(b"\x00", salt, begin, struct.pack(f"<{len(terms)}d", *terms))

    def date(row: int) -> str:
        seconds, start = jobs.submit.item(row), jobs.header.unix_start_time
        if start is None:
            return f"day {int(seconds // DAY):05d}"
        zone = ZoneInfo(jobs.header.get("TimeZoneString") or "UTC")
        return datetime.fromtimestamp(start + seconds, zone).date().isoformat()

    rows = sorted(range(len(jobs)), key=date)
    line = keyed(sha(SECRET), b"secret of commitments")
    for day in sorted({date(row) for row in rows}):
        leaves = [digest(row) for row in rows if date(row) == day]
        line = sha(b"\x02", line, f"{day} {len(leaves)}\n".encode(), tree(leaves))
    return line.hex()


@given(workloads)
def test_the_last_line_is_as_documented(jobs: Workload) -> None:
    assert commit(jobs, SECRET).line.hex() == line_by_hand(jobs)


@given(workloads)
def test_an_honest_workload_passes(jobs: Workload) -> None:
    assert changed_jobs(jobs, commit(jobs, SECRET), SECRET) == []


def test_the_same_jobs_in_another_order_are_refused() -> None:
    flat = UtilityFunction([0, 9], [5, 1])
    jobs = Workload.from_columns(
        submit=[3, 3],
        run=[9, 9],
        processors=[1, 2],
        utility=UtilityTable.from_functions([flat] * 2),
    )

    with pytest.raises(InputError, match="another order than the one committed to"):
        changed_jobs(jobs[[1, 0]], commit(jobs, SECRET), SECRET)


def points_of(jobs: Workload, row: int) -> list[tuple[float, float]]:
    curve = jobs.utility[row]
    assert curve is not None
    return list(zip(curve.times.tolist(), curve.values.tolist(), strict=True))


def with_curve(jobs: Workload, row: int, points: list[tuple[float, float]]) -> Workload:
    curves = [jobs.utility[place] for place in range(len(jobs))]
    curves[row] = UtilityFunction(*zip(*points, strict=True))
    return jobs.replace(utility=UtilityTable.from_functions(curves))


def tripled(jobs: Workload, row: int) -> Workload:
    return with_curve(jobs, row, [(at, 3 * worth) for at, worth in points_of(jobs, row)])


def a_little_less(jobs: Workload, row: int) -> Workload:
    first, *others = points_of(jobs, row)
    return with_curve(jobs, row, [(first[0], float(np.nextafter(first[1], 0))), *others])


def later(jobs: Workload, row: int) -> Workload:
    *others, last = points_of(jobs, row)
    return with_curve(jobs, row, [*others, (float(np.nextafter(last[0], np.inf)), last[1])])


def one_point_more(jobs: Workload, row: int) -> Workload:
    """Return the jobs with a point of the same line added, and all worths unchanged."""
    (begin, high), (end, low) = points_of(jobs, row)
    return with_curve(jobs, row, [(begin, high), (end / 2, (high + low) / 2), (end, low)])


def without_curve(jobs: Workload, row: int) -> Workload:
    curves = [jobs.utility[place] for place in range(len(jobs))]
    curves[row] = None
    return jobs.replace(utility=UtilityTable.from_functions(curves))


def of_column(name: str, change: Callable[[Any], Any]) -> Callable[[Workload, int], Workload]:
    def changed(jobs: Workload, row: int) -> Workload:
        column = getattr(jobs, name).copy()
        column[row] = change(column[row])
        return jobs.replace(**{name: column})

    return changed


CHANGES = {
    "values": tripled,
    "value": a_little_less,
    "time": later,
    "point": one_point_more,
    "no curve": without_curve,
    "submission": of_column("submit", lambda at: np.nextafter(at, np.inf)),
    "day": of_column("submit", lambda at: at + DAY),
    "user": of_column("user", lambda user: user + 5),
    "processors": of_column("processors", lambda count: count + 1),
    "request": of_column("requested_time", lambda request: request / 2),
}


@pytest.mark.parametrize("change", CHANGES)
@given(workloads, st.integers(0, 11))
@settings(max_examples=25)
def test_whatever_is_changed_is_found_with_its_job(change: str, jobs: Workload, row: int) -> None:
    row = (row + int(np.argmax(np.roll(jobs.utility.defined, -row)))) % len(
        jobs
    )  # one with a curve
    kept, forged = commit(jobs, SECRET), CHANGES[change](jobs, row)

    found = changed_jobs(forged, kept, SECRET)

    assert found
    assert {each.job for each in found} == {str(jobs.job_id.item(row))}


@given(workloads, st.integers(0, 11))
def test_another_number_is_found(jobs: Workload, row: int) -> None:
    forged = of_column("job_id", lambda _: 99)(jobs, row)

    found = changed_jobs(forged, commit(jobs, SECRET), SECRET)

    assert [str(each) for each in found if each.job == "99"] == ["job 99: nothing was committed to"]
    assert {each.job for each in found} == {"99", str(jobs.job_id.item(row))}


@given(workloads, st.integers(0, 11))
def test_jobs_left_out_and_put_in_are_found(jobs: Workload, row: int) -> None:
    kept = commit(jobs, SECRET)
    fewer = jobs[np.arange(len(jobs)) != row]

    assert {each.job for each in changed_jobs(fewer, kept, SECRET)} == {str(jobs.job_id.item(row))}
    assert {each.job for each in changed_jobs(jobs, commit(fewer, SECRET), SECRET)} == {
        str(jobs.job_id.item(row))
    }


def test_a_refusal_names_jobs_and_the_day() -> None:
    jobs = workload(Random(3)).replace(job_id=range(101, 113))
    kept = commit(jobs, SECRET)
    forged = jobs
    for row in np.flatnonzero(jobs.utility.defined).tolist():
        forged = tripled(forged, row)

    with pytest.raises(InputError) as refusal:
        require_unchanged(changed_jobs(forged, kept, SECRET), "log.swfx")

    first, *others = [each.job for each in changed_jobs(forged, kept, SECRET)]
    assert re.match(
        rf"log.swfx: job {first}: its utility function is not the one committed to on"
        rf" 20\d\d-\d\d-\d\d; nor are jobs {', '.join(others[:4])} and"
        rf" {len(others) - 4} more as committed to; ",
        str(refusal.value),
    )


def test_another_secret_is_told_apart_from_changed_jobs() -> None:
    jobs = workload(Random(1))

    with pytest.raises(InputError, match="another secret"):
        changed_jobs(jobs, commit(jobs, SECRET), b"another secret of the centre")


def written(path: Path, jobs: Workload) -> list[str]:
    return write_commitments(path, commit(jobs, SECRET)).read_text().splitlines()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "commitments.csv"


def test_a_file_reads_back(file: Path) -> None:
    for seed in range(20):
        jobs = workload(Random(seed))
        written(file, jobs)

        found, made = read_commitments(file), commit(jobs, SECRET)

        assert (found.first, found.days) == (made.first, made.days)


def swapped_days(lines: list[str]) -> list[str]:
    days = [line.split(",")[0] for line in lines]
    first, second = list(dict.fromkeys(days[2:]))[:2]
    swapped = {first: second, second: first}
    middle = [line for name in (second, first) for line in lines[2:] if line.startswith(name)]
    return [*lines[:2], *middle, *(line for line in lines[2:] if line.split(",")[0] not in swapped)]


def place_of(lines: list[str], *, job: bool) -> int:
    """Return the first line behind the head that is of a job, or of a day."""
    return next(n for n, line in enumerate(lines) if n > 1 and (line.split(",")[1] != "") == job)


FORGERIES = {
    "a job is removed": lambda lines, job, _: lines[:job] + lines[job + 1 :],
    "a day has no line": lambda lines, _, day: lines[:day] + lines[day + 1 :],
    "days change places": lambda lines, *_: swapped_days(lines),
    "another date": lambda lines, job, _: [
        line.replace(lines[job].split(",")[0], "1999-01-01") for line in lines
    ],
    "another digest": lambda lines, job, _: [
        *lines[:job],
        lines[job][:-1] + ("0" if lines[job][-1] != "0" else "1"),
        *lines[job + 1 :],
    ],
    "no digest": lambda lines, job, _: [*lines[:job], lines[job][:-64] + "x", *lines[job + 1 :]],
    "no digest of the secret": lambda lines, *_: [lines[0], *lines[2:]],
    "jobs before the digest of the secret": lambda lines, job, _: [
        lines[0],
        lines[job].replace(lines[job].split(",")[0], ""),
        *lines[1:],
    ],
    "nothing": lambda lines, *_: lines[:1],
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_chain_that_does_not_hold_is_refused(forgery: str, file: Path) -> None:
    for seed in range(10):
        lines = written(file, workload(Random(seed)))
        job, day = place_of(lines, job=True), place_of(lines, job=False)
        file.write_text("\n".join(FORGERIES[forgery](lines, job, day)) + "\n")

        with pytest.raises(InputError, match="restore the file"):
            read_commitments(file)


@given(workloads, st.integers(0, 11))
def test_a_day_that_is_made_anew_changes_the_last_line(jobs: Workload, row: int) -> None:
    forged = jobs.replace(processors=jobs.processors + (np.arange(len(jobs)) == row))

    assert commit(forged, SECRET).line != commit(jobs, SECRET).line


def test_a_day_that_has_not_ended_is_vouched_for_by_nothing(file: Path) -> None:
    lines = written(file, workload(Random(1)))
    with file.open("a") as stream:
        stream.write(lines[2] + "\n")

    assert read_commitments(file).line == commit(workload(Random(1)), SECRET).line


@given(st.integers(1, 70), st.data())
def test_a_path_leads_from_its_leaf_alone_to_the_root(count: int, data: st.DataObject) -> None:
    leaves = [hashlib.sha256(bytes([number])).digest() for number in range(count)]
    place = data.draw(st.integers(0, count - 1))
    path = path_of(levels_of(leaves), place)
    other = data.draw(st.integers(0, count - 1))

    assert root_by(leaves[place], place, count, path) == root_of(leaves)
    assert len(path) <= max(0, (count - 1).bit_length())
    if other != place:
        assert root_by(leaves[other], place, count, path) != root_of(leaves)
        assert root_by(leaves[place], other, count, path) != root_of(leaves)
    assert root_by(leaves[place], place, count, [*path, leaves[0]]) is None


def test_a_curve_of_few_values_is_not_guessed_without_the_salt() -> None:
    """Who knows everything but the salt tries all curves of the log, and finds none."""
    jobs = workload(Random(5)).replace(user=[7] * 12, job_id=range(12))
    target = int(np.argmax(jobs.utility.defined))
    digest = digest_of(commit(jobs, SECRET), str(target))
    guesses = [
        with_curve(jobs, target, [(0, high), (end, 0)])
        for high in (1, 10, 100)
        for end in (60, 3600)
    ]

    def matches(secret: bytes) -> list[Workload]:
        found = (digest_of(commit(guess, secret), str(target)) for guess in guesses)
        return [guess for guess, other in zip(guesses, found, strict=True) if other == digest]

    assert [guess.utility for guess in matches(SECRET)] == [jobs.utility]
    for secret in (b"", b"7", user_key(SECRET, "8"), user_key(b"", "7")):
        assert matches(secret) == []


def digest_of(commitments: Commitments, job: str) -> bytes:
    return commitments.dates[job][0][1]
