"""The packaged workload is what its maker makes."""

from __future__ import annotations

import gzip
import itertools
from pathlib import Path

import numpy as np
import pytest

import swfx
from examples import make_sample
from swfx.writer import to_bytes


@pytest.fixture(scope="module")
def shipped() -> swfx.Workload:
    return swfx.read(make_sample.TARGET).workload


def test_maker_gives_the_shipped_bytes() -> None:
    made = to_bytes(make_sample.make_sample())

    assert made == gzip.decompress(make_sample.TARGET.read_bytes())


def test_writing_it_again_keeps_the_packed_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "market.swfx.gz"
    monkeypatch.setattr(make_sample, "TARGET", target)

    make_sample.main()

    assert swfx.read(target).workload.digest() == swfx.open_workload("sample:").workload.digest()


def test_it_is_what_its_header_says(shipped: swfx.Workload) -> None:
    assert len(shipped) == 2000
    assert shipped.machine_size == 256
    load = np.sum(shipped.size * shipped.run) / (256 * shipped.submit[-1])
    assert load == pytest.approx(0.9, abs=0.05)
    shares = [np.mean(shipped.queue == queue) for queue in (1, 2, 3)]
    assert shares == pytest.approx([0.2, 0.3, 0.5], abs=0.04)
    assert len(set(shipped.user.tolist())) == 40
    assert len(set(shipped.group.tolist())) == 8
    assert (shipped.request >= shipped.run).all()
    assert 0.3 <= np.mean(shipped.run / shipped.request) <= 0.5
    assert shipped.utility.defined.all()


def test_queues_form(shipped: swfx.Workload) -> None:
    waiting = shipped.wait.sum() / shipped.submit[-1]

    assert waiting == pytest.approx(27, abs=1)
    assert 0.3 < np.mean(shipped.wait > 0) < 0.7


def test_priority_user_decay_and_size_are_independent(shipped: swfx.Workload) -> None:
    """Streams of one seed must not repeat each other: no two columns may move together."""
    columns = {
        "queue": shipped.queue,
        "user": np.minimum(shipped.user, 5),
        "is step": shipped.utility.points == 5,
        "size": np.log2(shipped.size),
        "run": np.argsort(np.argsort(shipped.run / shipped.request)),
        "gap": np.diff(np.log1p(shipped.submit), prepend=0),
    }

    for a, b in itertools.combinations(columns, 2):
        correlation = np.corrcoef(columns[a], columns[b])[0, 1]
        # accuracy follows the run time, whose mixture depends on the size
        allowed = 0.3 if {a, b} == {"size", "run"} else 4 / np.sqrt(2000)
        assert abs(correlation) < allowed, (a, b)
