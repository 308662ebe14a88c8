"""Strategies: what users tell, by what became of earlier jobs."""

from __future__ import annotations

import numpy as np
import pytest

from utilitysched.market.agents.strategies.exp3 import FACTORS
from utilitysched.market.agents.strategy import (
    LEAST,
    MOST,
    STRATEGIES,
    Agent,
    Ended,
    Purse,
    make_strategy,
)
from utilitysched.market.audit.misreports.scale import Scale

RICH = Purse(balance=30.0, grant=30.0, days=30.0, spent=1.0, daily=1.0)


def agent_of(text: str) -> Agent:
    return make_strategy(text).agent(np.random.default_rng(1))


def told(agent: Agent, day: int = 0, purse: Purse = RICH) -> float:
    lie = agent.tell(day, purse)
    assert isinstance(lie, Scale)
    return lie.factor


def ended(day: int, left: float, jobs: int = 1) -> Ended:
    """Return jobs of that day, worth 1 each, of which so much is left."""
    ones = np.ones(jobs)
    return Ended(np.full(jobs, day), ones, ones * left, np.zeros(jobs))


def test_every_strategy_has_a_label_that_makes_it_again() -> None:
    for name in STRATEGIES.names():
        assert make_strategy(name).label == name
    assert make_strategy("cliff").label == "cliff"
    assert told(agent_of("truth")) == 1
    assert told(agent_of("scale:factor=3")) == 3


def test_a_climber_turns_round_when_less_is_left() -> None:
    agent = agent_of("climb:step=1,jobs=2")

    assert told(agent, 0) == 1
    agent.learn(ended(0, 0.5))
    assert told(agent, 1) == 1  # one job says too little
    agent.learn(ended(0, 0.5))
    assert told(agent, 2) == 0.5  # less is tried first
    agent.learn(ended(1, 0.0, 2))  # told before: says nothing of a half
    assert told(agent, 3) == 0.5
    agent.learn(ended(2, 0.6, 2))
    assert told(agent, 4) == 0.25  # better: on
    agent.learn(ended(4, 0.4, 2))
    assert told(agent, 5) == 0.5  # worse: back
    for day in range(5, 20):
        agent.learn(ended(day, float(day), 2))
        told(agent, day + 1)
    assert told(agent, 21) == MOST


def test_a_bandit_comes_to_draw_the_factor_that_leaves_most() -> None:
    agent = agent_of("exp3:explore=0.2")
    drawn = []
    for day in range(2000):
        factor = told(agent, day)
        drawn.append(factor)
        agent.learn(ended(day, 1.0 if factor == 0.25 else -1.0))

    assert set(drawn[:100]) == set(FACTORS)
    assert np.mean(np.array(drawn[-500:]) == 0.25) > 0.7


def test_a_pacer_bids_less_when_more_is_spent_than_granted() -> None:
    agent = agent_of("pace:step=0.5")

    assert told(agent, 0) == 1
    assert told(agent, 1, RICH._replace(spent=3.0)) == 1 / 2  # mu = 0.5 (3 - 1)
    assert told(agent, 2, RICH._replace(spent=2.0)) == 1 / 2.5
    assert told(agent, 3, RICH._replace(spent=0.0)) == 1 / 2
    for day in range(4, 9):
        found = told(agent, day, RICH._replace(spent=0.0))
    assert found == 1  # never above the truth
    assert told(agent, 9, RICH._replace(spent=1e9)) == pytest.approx(LEAST)


def test_a_spender_bids_so_that_nothing_is_left() -> None:
    agent = agent_of("spend:step=0.5")

    assert told(agent, 0) == 1
    assert told(agent, 1, RICH._replace(spent=0.0)) == 2  # doubled, where nothing was charged
    assert told(agent, 2, RICH._replace(spent=4.0)) == 1  # (30 / 30 / 4) ** 0.5
    assert told(agent, 3, RICH._replace(days=10.0, spent=2.0)) == 1.5**0.5
    assert told(agent, 4, RICH._replace(spent=1e9)) == 1.5**0.5 / 2
    assert told(agent, 5, RICH._replace(balance=-1.0)) == 1.5**0.5 / 2
