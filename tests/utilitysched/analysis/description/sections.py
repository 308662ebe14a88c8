"""One section of a description of a few jobs."""

from __future__ import annotations

from typing import Any

import numpy as np

from swfx import Header, Workload
from utilitysched.analysis.description.tally import Section
from utilitysched.analysis.documents import ColumnChart, ResultTable

HOUR = 3_600
DAY = 24 * HOUR
HEADER = Header((" MaxProcs: 8", " UnixStartTime: 31536000", " TimeZoneString: Europe/Paris"))


def jobs(**columns: Any) -> Workload:
    """Jobs of one processor and one hour each, unless said otherwise."""
    count = len(next(iter(columns.values())))
    default = {
        "submit": np.zeros(count),
        "run": np.full(count, HOUR),
        "processors": np.ones(count, np.int64),
    }
    return Workload.from_columns(**(default | columns))


def panels(section: Section, *parts: Workload) -> dict[str, Any]:
    """What the section shows of the parts, as JSON has it."""
    for part in parts:
        section.add(part)
    return {panel.key: panel.to_dict() for panel in section.panels()}


def captions(section: Section) -> dict[str, str]:
    """Captions of what a section shows now."""
    shown = section.panels()
    notes = {p.key: " ".join(p.notes) for p in shown if isinstance(p, ResultTable)}
    return notes | {p.key: p.caption for p in section.panels() if isinstance(p, ColumnChart)}
