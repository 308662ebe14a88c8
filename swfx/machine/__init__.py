"""Machines as centres run them: pools of resources, limits, a calendar, shares and weights."""

from swfx.machine.machine import (
    PROCESSORS,
    Limit,
    Machine,
    Pool,
    PriorityWeights,
    Share,
    Window,
    account_parents,
    read_machine,
)

__all__ = [
    "PROCESSORS",
    "Limit",
    "Machine",
    "Pool",
    "PriorityWeights",
    "Share",
    "Window",
    "account_parents",
    "read_machine",
]
