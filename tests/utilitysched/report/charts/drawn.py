"""What is in a picture: its rows, and what is written; and a job to be explained."""

from __future__ import annotations

import re
from base64 import b64decode
from decimal import Decimal
from pathlib import Path
from typing import Any

from pricing.evidence import Loss
from tests.pricing.jobs import three_charges, three_jobs
from utilitysched.counterfactual.explanation import Explanation
from utilitysched.report.charts.picture import Picture
from utilitysched.runs import StoredRun


def rows(picture: Picture, layer: int) -> list[dict[str, Any]]:
    """Rows of the data of a layer."""
    whole = picture.on_page()
    values: list[dict[str, Any]] = whole["layer"][layer].get("data", whole.get("data"))["values"]
    return values


def texts(picture: Picture) -> list[str]:
    """What is written in the picture, each text once."""
    [image] = re.findall(r"base64,([^\"]+)", picture.element())
    written = re.findall(r"<(?:text|tspan)[^>]*>([^<]+)</", b64decode(image).decode())
    return list(dict.fromkeys(written))


def explained(losers: list[Loss], causes: list[Loss]) -> Explanation:
    """A job, by whom others lost, and who lost by it."""
    charges = three_charges("vcg").rounded()
    losers, causes = (
        [each._replace(amount=round(Decimal(each.loss), 2)) for each in side]
        for side in (losers, causes)
    )
    run = StoredRun(three_jobs(), charges.outcome.start, charges.outcome.end, {})
    return Explanation(Path("run"), run, charges, (), None, 0, losers, causes)
