"""Truthfulness audit: what users would gain by lying about their jobs.

A trunk is the simulation of the truth, stopped at the submission of one sampled job after the
other. From there courses branch off: one under the truth, one for every lie. They are followed
until they are the same again, or to a horizon.

A lie is one module in `lies`; see `lie`.
"""

from utilitysched.market.audit.audit import Audit, audit
from utilitysched.market.audit.design import MECHANISMS, TOLD, Design
from utilitysched.market.audit.game import Game, Reply, respond
from utilitysched.market.audit.summary import MEASURES, Row, summarise

__all__ = [
    "MEASURES",
    "MECHANISMS",
    "TOLD",
    "Audit",
    "Design",
    "Game",
    "Reply",
    "Row",
    "audit",
    "respond",
    "summarise",
]
