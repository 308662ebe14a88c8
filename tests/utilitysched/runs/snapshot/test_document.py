from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from swfx import InputError, UtilityFunction
from swfx.base.zones import find_zone, read_zone
from swfx.clock import Clock
from tests.planning import random_case
from tests.scale import many
from utilitysched.runs.snapshot import FinishedJob, QueuedJob, RunningJob, Snapshot
from utilitysched.runs.snapshot.document import from_text, to_text

MOMENT = Snapshot(
    100.0,
    4,
    (RunningJob(1, 3, 160.0),),
    (QueuedJob(2, 90.0, 2, 50.0, UtilityFunction([0, 10.5], [4, 1])),),
    (FinishedJob(3, 5.0, 2.0, 4, 0.5),),
)
PLACED = replace(
    MOMENT,
    running=(RunningJob(1, 3, 160.0, 7, 90.5),),
    scheduler="ga",
    clock=Clock(956700003, find_zone("US/Pacific")),
)
TEXT = to_text(MOMENT)


def test_what_is_written_reads_back() -> None:
    rng = Random(1)
    for moment in (MOMENT, PLACED, replace(PLACED, clock=Clock(0, read_zone("+05:30")))):
        assert from_text(to_text(moment), "queue.json") == moment
    for _ in range(many(60)):
        moment = Snapshot.of_state(random_case(rng).state)
        assert from_text(to_text(moment), "queue.json") == moment


FAILS = '"failures": {"domains": "nodes=4,mtbf=9,repair=2", "seed": 0, "since": 0}'
DOWN = '{"first": %d, "last": %d, "start": 50, "end": %d}'


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"processors": 2', '"processors": 9', "q:9: field queued[0].processors: 9 is more than"),
        ('"id": 2', '"id": 1', "q:9: field queued[0].id: 1 is running[0].id as well"),
        (
            '"user": -1, "p',
            '"usr": 1, "p',
            "q:9: field queued[0].usr: is not a known key",
        ),
        ('"submit": 90', '"submit": "x"', "q:9: field queued[0].submit: is a text"),
        ('"submit": 90', '"submit": 101', "q:9: field queued[0].submit: 101 is after now (100)"),
        (": 160,", ': 160, "start": 101,', "q:6: field running[0].start: 101 is after now (100)"),
        ('"now": 100', '"now": 100, "timezone": "UTC"', "q:1: unix_start_time is missing"),
        (
            '"now": 100',
            '"now": 100, "scheduler": 1',
            "q:3: field scheduler: is a number, not a text",
        ),
        ("[10.5, 1]", "[10.5]", "q:9: field queued[0].utility[1]: [10.5] is not [time, value]"),
        ("[10.5, 1]", "[10.5, 8]", "q:9: field queued[0].utility: "),
        (": 160,", ": 99,", "q:6: field running[0].expected_end: 99 is not after now (100)"),
        ('"run": 2', '"run": 6', "q:12: field finished[0].run: 6 is more than was requested (5)"),
        ('"now": 100,', "", "q:1: now is missing"),
        ('"now": 100', '"now": NaN', "q: NaN is no number of JSON"),
        ('"now": 100', f'"now": {"1" * 5000}', "q: holds a number of thousands of digits"),
        ('"now": 100', '"now": 100, "now": 1', "q: field now: is given twice in one place"),
        ('"format": 1', '"format": 7', "q:2: field format: 7 is not 1"),
        ('"machine_size": 4', '"machine_size": 2', "q:6: field running: running jobs hold 3"),
        ("}\n  ]\n}\n", "}\n  ]", "q:13: is no JSON: "),
        (
            ": 160,",
            ': 160, "held": "0-1",',
            "q:6: field running[0].held: '0-1' is not 3",
        ),
        (": 160,", ': 160, "held": "0-1 9",', "q:6: field running[0].held: '0-1 9' is not 3"),
        (": 160,", ': 160, "held": "a-b",', "q:6: field running[0].held: 'a-b' is no list of"),
        (": 160,", ': 160, "held": "0 0-1",', "q:6: field running[0].held: processor 0 is in"),
        ('"now": 100', f'"now": 100, {FAILS}', "q:6: field running[0]: held is missing: which"),
        ('"now": 100', '"now": 100, "failures": {}', "q:3: field failures: domains is missing"),
        ('"now": 100', f'"now": 100, "down": [{DOWN % (3, 3, 90)}]', "q:3: field down[0].end: "),
        ('"now": 100', f'"now": 100, "down": [{DOWN % (3, 4, 200)}]', "q:3: field down[0].last: "),
        (
            '"now": 100',
            f'"now": 100, "down": [{DOWN % (2, 3, 200)}]',
            "q:5: field running: running",
        ),
    ],
)
def test_refusals_say_where(old: str, new: str, message: str) -> None:
    assert old in TEXT
    with pytest.raises(InputError) as refusal:
        from_text(TEXT.replace(old, new), "q")
    text = str(refusal.value)
    assert text.startswith(message) or "machine has" in text or "hold 3" in text
