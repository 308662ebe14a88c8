"""Truthfulness audit: what users would gain by lying about their jobs.

A baseline is the simulation of the truth, stopped at the submission of one sampled job after the
other. From there branches go off: one under the truth, one for every lie. They are followed until
they are the same again, or to a horizon.

A lie is one module in `misreports`; see `misreport`.
"""

from utilitysched.market.audit.audit import Audit, audit
from utilitysched.market.audit.design import MECHANISMS, TOLD, Design
from utilitysched.market.audit.run import AuditPlace
from utilitysched.market.audit.scenario import AuditSubject
from utilitysched.market.audit.summary import MEASURES, MeasureRow, summarise

__all__ = [
    "MEASURES",
    "MECHANISMS",
    "TOLD",
    "Audit",
    "AuditPlace",
    "AuditSubject",
    "Design",
    "MeasureRow",
    "audit",
    "summarise",
]
