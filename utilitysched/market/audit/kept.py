"""Trials kept of a long audit, in a file beside its results until these are complete."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, fields
from pathlib import Path

import numpy as np

from swfx.base.atomic import append
from utilitysched.market.audit.design import Design
from utilitysched.market.audit.scenario import AuditScenario
from utilitysched.market.audit.trial import Trial
from utilitysched.model.versions import versions

KEPT = "trials.kept"


def question(scenario: AuditScenario, design: Design) -> str:
    """Return the sha256 (hex) of all that decides what lies about a job bring."""
    asked: dict[str, object] = {
        field.name: str(getattr(scenario, field.name)) for field in fields(scenario)
    }
    asked["workload"] = scenario.workload.digest()
    asked["failures"] = "" if scenario.failures is None else scenario.failures.digest
    asked |= {"design": asdict(design), "versions": versions()}
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


class TrialKeeper:
    """Keeps trials in a file, one a line: what was asked, and what came of it.

    A line that was cut short is not taken up, nor are answers to other questions.

    Parameters
    ----------
    path : Path
        The file, in a directory that exists.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def kept(self, asked: Iterable[str]) -> dict[tuple[str, int], Trial]:
        """Return the trials that are there, by question and job."""
        try:
            lines = self.path.read_text("utf-8").splitlines()
        except (OSError, ValueError):
            return {}
        wanted = set(asked)
        found = (_read(line) for line in lines if line[:64] in wanted)
        return {(line[0], line[1].job): line[1] for line in found if line is not None}

    def keep(self, asked: str, trials: Iterable[Trial]) -> None:
        """Add trials.

        Raises
        ------
        InputError
            The file cannot be written.
        """
        # a line before these may have been cut short
        lines = "".join(f"\n{asked} {_written(trial)}\n" for trial in trials)
        append(self.path, lines.encode(), "audit where what is finished can be kept")


def _written(trial: Trial) -> str:
    return json.dumps([part.tolist() if isinstance(part, np.ndarray) else part for part in trial])


def _read(line: str) -> tuple[str, Trial] | None:
    asked, _, answer = line.partition(" ")
    try:
        job, value, *parts = json.loads(answer)
        return asked, Trial(job, value, *(np.array(part) for part in parts))
    except (ValueError, TypeError):
        return None
