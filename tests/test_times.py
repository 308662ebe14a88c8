"""Wherever a time is typed, it may be typed with its unit, and plainly in seconds."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import pytest

from checkpoint.advice import Costs, Stops
from checkpoint.failing_nodes import FailingNodes
from checkpoint.registry import ANNOTATIONS
from checkpoint.rules import PreemptionRules
from pricing.counterfactual import horizon_seconds
from swfx import Workload
from swfx.base.document import check_document
from swfx.base.document_values import seconds
from swfx.clock import instant
from swfx.families.estimates.registry import ESTIMATE_MODELS
from swfx.families.formats.registry import IMPORTERS
from swfx.families.queues.registry import PRIORITY_MODELS
from swfx.families.splitting import read_length
from swfx.families.transforms import TRANSFORMS
from swfx.families.users.registry import USER_MODELS
from swfx.families.utilities.points import read_points
from utilitysched import make_scheduler
from utilitysched.market.audit.misreport import MISREPORTS
from utilitysched.market.quote.request import read_job

SECONDS: Any = Annotated[float, seconds(gt=0)]
HOURS = ("7200", "2h", "2 hours", "120min", "120 minutes")


def scheduler(text: str) -> object:
    """All that a scheduler does, its label left out."""
    made: Any = make_scheduler(text)
    return made.options


def window(text: str) -> object:
    """Jobs that a window keeps."""
    log = Workload.from_columns(submit=[0, 7199, 7200, 9000])
    return TRANSFORMS.make(text).apply(log, 0).workload.job_id.tolist()


READ: dict[str, Callable[[str], object]] = {
    "cost-of-delay tau": lambda t: scheduler(f"cost-of-delay:tau={t}"),
    "value-and-delay tau": lambda t: scheduler(f"value-and-delay:tau={t}"),
    "threshold": lambda t: scheduler(f"easy:threshold={t}"),
    "window": lambda t: scheduler(f"easy:window={t}"),
    "protection": lambda t: scheduler(f"easy:restarts=true,protection={t}"),
    "hole_tau, kill_age": lambda t: scheduler(f"easy:restarts=true,hole_tau={t},kill_age={t}"),
    "ga threshold": lambda t: scheduler(f"ga:threshold={t}"),
    "ga delays": lambda t: scheduler(f"ga:delays=0+{t}"),
    "priority-preempt minimum": lambda t: scheduler(f"priority-preempt:minimum={t}"),
    "select period": lambda t: scheduler(f"select:period={t}"),
    "preemption overhead": lambda t: PreemptionRules.from_text(f"overhead={t}"),
    "preemption on_demand": lambda t: PreemptionRules.from_text(f"on_demand={t}/processor"),
    "checkpoints": lambda t: ANNOTATIONS.make(f"all:interval={t},overhead={t}"),
    "advice": lambda t: Costs.from_texts(t, f"{t}/processor"),
    "stops": lambda t: Stops.from_texts(t, 1, t),
    "failures": lambda t: str(FailingNodes.from_text(f"nodes=8,mtbf={t},repair={t}")),
    "curves": lambda t: read_points(f"0:9,{t}:0"),
    "filter": lambda t: TRANSFORMS.make(f"filter:run={t}..,request=..{t},submit={t}"),
    "window of a log": lambda t: window(f"window:start={t}"),
    "users": lambda t: USER_MODELS.make(f"zipf:gap={t}"),
    "requests": lambda t: ESTIMATE_MODELS.make(f"tsafrir:max={t}"),
    "queues": lambda t: PRIORITY_MODELS.make(f"by-request:limits={t}/64:1"),
    "formats": lambda t: IMPORTERS.make(f"slurm:limit={t}"),
    "horizon": lambda t: horizon_seconds(t if t[-1] != "0" else f"{t}s"),
    "lies": lambda t: MISREPORTS.make(f"delay:by={t}"),
    "split": read_length,
    "moments": lambda t: instant(t, None, "--at"),
    "options": lambda t: check_document(SECONDS, t),
}
"""What makes something of a time, by where it is typed."""


@pytest.mark.parametrize("place", READ)
def test_units_and_plain_seconds_mean_the_same(place: str) -> None:
    read = READ[place]
    plain = read("7200")

    assert [read(text) for text in HOURS[1:]] == [plain] * (len(HOURS) - 1)
    assert read("3h") != plain


def test_a_job_file_may_say_its_request_in_words(tmp_path: Path) -> None:
    def read(request: object) -> float:
        path = tmp_path / "job.json"
        path.write_text(json.dumps({"processors": 4, "request": request}))
        return read_job(path).request

    assert [read(7200), read("2h"), read("120 min")] == [7200] * 3
