"""Figures of the market in command: read as Prometheus reads them, by the parser of its package."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from urllib.request import urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families

from swfx import InputError
from utilitysched_slurm.driver import CycleReport
from utilitysched_slurm.metrics import Metrics

FIRST = CycleReport(
    now=1_795_464_000.0, seconds=0.3, queued=7, running=4, released=2, preempted=1, left=1,
    refused=0, drift=3, held_money=40.5,
)  # fmt: skip
SECOND = FIRST._replace(now=1_795_464_030.0, seconds=1.5, queued=5, released=3, held_money=12.25)


@pytest.fixture
def metrics() -> Iterator[Metrics]:
    with Metrics(0) as served:
        yield served


def figures(metrics: Metrics) -> dict[str, float]:
    with urlopen(f"http://127.0.0.1:{metrics.port}/metrics") as answer:
        text = answer.read().decode()
    families = list(text_string_to_metric_families(text))
    assert all(family.documentation and family.type != "unknown" for family in families)
    return {
        sample.name.removeprefix("utilitysched_slurm_") + sample.labels.get("le", ""): sample.value
        for family in families
        for sample in family.samples
    }


def test_counters_add_up_and_gauges_say_the_last(metrics: Metrics) -> None:
    metrics.cycle(FIRST)
    metrics.cycle(SECOND)

    served = figures(metrics)

    gauges = {"queued": 5, "running": 4, "left": 1, "refused": 0, "held_money": 12.25}
    counters = {"released_total": 5, "preempted_total": 2, "drift_total": 6}
    assert {name: served[name] for name in (*gauges, *counters)} == gauges | counters
    assert served["last_cycle_timestamp_seconds"] == SECOND.now
    assert served["cycle_seconds_sum"] == 1.8
    assert [served[f"cycle_seconds_bucket{each}"] for each in ("0.2", "0.5", "2.0")] == [0, 1, 2]


def test_nobody_else_hears_of_it(metrics: Metrics) -> None:
    with socket.socket() as other:
        other.settimeout(1)
        assert other.connect_ex(("127.0.0.2", metrics.port)) != 0


def test_a_port_that_is_taken_is_refused(metrics: Metrics) -> None:
    with pytest.raises(InputError, match="cannot be listened on"):
        Metrics(metrics.port)


def test_the_port_is_free_again() -> None:
    with Metrics(0) as served:
        port = served.port
    with Metrics(port) as again:
        assert again.port == port
