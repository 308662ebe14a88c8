"""Graphs of who lost how much because of whom."""

from __future__ import annotations

import math

import pytest

import pricing
from pricing import evidence_graph
from tests.pricing.jobs import END, START, KnownAnswers, three_charges, three_jobs
from tests.pricing.test_recomputation import run_of
from tests.scale import many
from utilitysched.counterfactual.charges import Counterfactuals


def test_edges_go_from_jobs_to_those_that_lose_by_them() -> None:
    graph = evidence_graph(three_charges("vcg"))

    assert dict(graph.nodes(data=True)) == {
        0: {"job_id": 1, "charge": 5.0},
        1: {"job_id": 2, "charge": 0.0},
        2: {"job_id": 3, "charge": 2.5},
    }
    assert list(graph.edges(data=True)) == [
        (0, 1, {"weight": 5.0, "delay": 1800.0}),
        (2, 0, {"weight": 2.5}),
    ]


def test_around_a_job_there_are_its_losers_and_those_it_loses_by() -> None:
    graph = evidence_graph(three_charges("vcg"), around=1)

    assert list(graph.edges) == [(0, 1)]
    assert set(graph) == {0, 1}


def test_jobs_that_do_not_pay_cause_nothing_but_may_lose() -> None:
    jobs = three_jobs().replace(status=[0, 1, 1])
    charges = pricing.charge(
        jobs, START, END, "vcg", exclude_statuses=[0], counterfactual=KnownAnswers()
    )

    graph = evidence_graph(charges)

    assert list(graph.edges) == [(2, 0)]
    assert graph.nodes[0] == {"job_id": 1}


@pytest.mark.parametrize("mechanism", ["first-price:reading=end", "single-price", "second-price"])
def test_prices_that_rest_on_no_losses_have_no_edges(mechanism: str) -> None:
    graph = evidence_graph(three_charges(mechanism))

    assert (len(graph), graph.size()) == (3, 0)


@pytest.mark.parametrize(
    "mechanism", ["vcg:players=jobs", "vcg:players=jobs,reservations=true", "vcg:method=replay"]
)
@pytest.mark.slow
def test_what_others_lose_is_what_a_job_is_charged(mechanism: str) -> None:
    charged = 0.0
    for seed in range(many(4)):
        jobs, schedule = run_of(seed, "easy")
        charges = pricing.charge(
            jobs,
            schedule.start,
            schedule.end,
            mechanism,
            counterfactual=Counterfactuals.of(jobs, schedule),
        )
        graph = evidence_graph(charges)

        for job, amount in enumerate(charges.charge.tolist()):
            lost = math.fsum(edge["weight"] for *_, edge in graph.out_edges(job, data=True))
            assert amount == max(lost, 0.0)
        charged += charges.total
    assert charged > 0
