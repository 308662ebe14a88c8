import json
import tracemalloc

import numpy as np
import pytest

from swfx.reading.report import RULES, LoadReport, rule_code


def report() -> LoadReport:
    rules = ["negative-run", "processors-missing", "run-over-request", "negative-run"]
    return LoadReport(
        source="a.swf",
        lines=12,
        comment_lines=2,
        file_job_lines=10,
        job_lines=5,
        kept=3,
        line=np.array([4, 5, 5, 9]),
        rule=np.array([rule_code(name) for name in rules], np.int8),
        notes=("a note",),
    )


def test_counts_by_action():
    assert report().counts() == {"negative-run": 2, "processors-missing": 1, "run-over-request": 1}
    assert report().counts("dropped") == {"negative-run": 2}
    assert report().counts("noted") == {"run-over-request": 1}
    assert report().dropped == 2
    assert report().repaired == 1


def test_jobs_that_were_repaired_are_counted_once_and_only_if_they_are_kept():
    rules = ["processors-missing", "requested-processors-missing", "processors-missing"]
    codes = [rule_code(name) for name in (*rules, "negative-run", "processors-missing")]
    line = np.array([4, 4, 5, 5, 6])

    assert LoadReport("a", 3, 0, 3, 3, 2, line, np.array(codes, np.int8)).repaired == 2


def test_dict_is_json_with_every_listed_line():
    read_back = json.loads(json.dumps(report().to_dict()))
    assert read_back["kept"] == 3
    assert read_back["dropped"] == 2
    assert read_back["notes"] == ["a note"]
    assert [(e["rule"], e["count"], e["lines"]) for e in read_back["rules"]] == [
        ("negative-run", 2, "4 9"),
        ("processors-missing", 1, "5"),
        ("run-over-request", 1, "5"),
    ]


def test_rule_names_are_unique_and_known():
    assert len({rule.name for rule in RULES}) == len(RULES)
    with pytest.raises(ValueError, match="not in list"):
        rule_code("no-such-rule")


@pytest.mark.slow
def test_many_lines_take_little_memory_on_their_way_to_json():
    listed = 150_000  # every second line: nothing to fold into ranges
    line = np.arange(1, 2 * listed, 2)
    long = LoadReport(
        "a", 2 * listed, 0, listed, listed, listed, line, np.full(listed, 11, np.int8)
    )
    tracemalloc.start()
    size = len(json.dumps(long.to_dict()))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert size < 9 * listed
    assert peak < 64 * listed  # bytes; as a list of numbers they took 200
