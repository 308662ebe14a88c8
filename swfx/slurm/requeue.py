"""Consent to be requeued, from the command that submitted a job."""

from __future__ import annotations

import re

from swfx.fields import MISSING

__all__ = ["allows_requeue"]

_OPTION = re.compile(r"(?:^|\s)--(?P<no>no-)?requeue(?=\s|$)")


def allows_requeue(submit_line: str) -> int:
    """1 with ``--requeue``, 0 with ``--no-requeue``, whichever comes last; -1 without either.

    Examples
    --------
    >>> allows_requeue("sbatch --requeue job.sh"), allows_requeue("sbatch --no-requeue job.sh")
    (1, 0)
    """
    found = _OPTION.findall(submit_line) if "requeue" in submit_line else []
    return int(not found[-1]) if found else MISSING
