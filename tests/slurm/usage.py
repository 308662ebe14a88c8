"""Seconds of resources by account and user, as sreport counts them."""

from __future__ import annotations

from collections import Counter
from typing import TypeAlias

import numpy as np

from pricing.outcome import Outcome
from swfx import Workload

__all__ = ["HOUR", "Usage", "usage_of"]

Usage: TypeAlias = Counter[tuple[str, str]]
"""Seconds by account and user."""

HOUR = 3600


def usage_of(jobs: Workload, resource: str) -> Usage:
    """Seconds of a resource that jobs of a log are billed for, whole."""
    start = jobs.submit + jobs.wait
    held = jobs.run - np.maximum(jobs.suspended, 0.0)
    hours = Outcome(jobs, start, start + jobs.run, used=held).hours_of(resource)
    accounts, users = jobs.labels.required("account"), jobs.labels.required("user")
    sums: Usage = Counter()
    columns = (accounts.numbers.tolist(), users.numbers.tolist(), hours.tolist())
    for account, user, used in zip(*columns, strict=True):
        sums[accounts.name(account), users.name(user)] += round(used * HOUR)
    return +sums
