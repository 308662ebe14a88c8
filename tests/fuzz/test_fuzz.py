"""A few files of what `make fuzz` does for longer."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.campaign import Campaign
from tests.fuzz.mutation import mutated
from tests.fuzz.targets import FORMATS, Target, check_swf, targets
from tests.scale import many

FILES = 150  # of each target
TARGETS = targets()


def test_every_log_format_is_fuzzed():
    missing = set(FORMATS) - set(TARGETS)
    assert missing == set(), "give these formats a file to mutate, in tests/fuzz/targets.py"


@pytest.mark.parametrize("name", TARGETS)
def test_files_that_are_mutated_are_accepted(name):
    target = TARGETS[name]
    assert any(target.check(seed, choice) for seed in target.seeds for choice in range(9))


@pytest.mark.parametrize("name", TARGETS)
def test_mutated_files_are_read_or_refused(name):
    campaign = Campaign(TARGETS[name], seed=1)
    campaign.run(files=many(FILES))
    assert campaign.files == many(FILES)
    assert [(finding.number, finding.problem) for finding in campaign.findings] == []


@settings(max_examples=many(150))
@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode), st.integers(0, 999))
def test_anything_is_read_or_refused(data, choice):
    assert check_swf(data, choice) in {True, False}


def test_a_mutation_can_be_repeated():
    campaign = Campaign(TARGETS["swf"], seed=3)
    assert campaign.file(7) == campaign.file(7)
    assert campaign.file(7) != campaign.file(8)
    assert mutated(Random(1), TARGETS["swf"].seeds) == mutated(Random(1), TARGETS["swf"].seeds)


def fails(data: bytes, choice: int) -> bool:
    if b"9" in data:
        raise KeyError(data)
    return True


def test_a_mistreated_file_is_found_and_kept(tmp_path):
    campaign = Campaign(Target("digits", (b"1 2 3 4 5 6 7 8\n" * 3,), fails))
    campaign.run(files=500)
    first = campaign.findings[0]
    assert campaign.files == campaign.accepted + len(campaign.findings) == 500
    assert first.problem.splitlines()[-1].startswith("KeyError: b'")
    assert first.data == campaign.file(first.number)
    assert first.save(tmp_path).read_bytes() == first.data
