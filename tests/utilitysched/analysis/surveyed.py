"""Jobs that tests of the estimate study share."""

from __future__ import annotations

from swfx import Workload


def surveyed() -> Workload:
    """Ten jobs, the first five of user 1, four of user 2 and one of nobody.

    In order: LEE's example (two hours requested, one guessed, 50 s run); a guess of three quarters
    that was exceeded; the request repeated twice; no answer; no request; a short request; killed
    at its limit; a guess above the request; no answer.
    """
    return Workload.from_columns(
        user=[1, 1, 1, 1, 1, 2, 2, 2, 2, -1],
        run=[50, 3600, 21600, 43200, 3600, 50, 30, 3600, 1800, 600],
        requested_time=[7200, 4000, 43200, 86400, 36000, -1, 60, 3600, 3600, 6000],
        soft_estimate=[3600, 3000, 43200, 86400, -1, -1, 30, 3600, 7200, -1],
        confidence=[0.6, 0.2, 1, 0.8, -1, -1, 0.4, 1, 0, -1],
    )
