from __future__ import annotations

import pytest

from utilitysched.analysis.estimates import EXPLAINED, SURVEY


def test_the_means_of_the_groups_agree_with_those_of_all() -> None:
    answers, parts = SURVEY["answers"], (SURVEY["revised"], SURVEY["unchanged"])

    for figure in ("requests", "soft_estimates"):
        whole = sum(part.jobs * getattr(part, figure) for part in parts) / answers.jobs
        assert whole == pytest.approx(getattr(answers, figure), abs=0.005)
    assert sum(part.jobs for part in parts) == answers.jobs
    assert pytest.approx(0.066, abs=0.001) == EXPLAINED
