"""Series: what pictures of a schedule are drawn from, in columns; nothing is drawn here.

Functions of a workload and its schedule, in s, processors, SU and shares from 0 to 1.

- Over time, as `StepFunction`, and `thinned` to what pixels can show: `processors_in_use`,
  `utilisation`; `waiting_jobs`, `waiting_processors`; `delivered_utility`, and what bounds it,
  `undelayed_utility` and `offered_utility`.
- Over jobs, as `Distribution`: `wait_distribution`, `start_value_share_distribution`.
- By week: `weeks`; `usage_by_week`, of users and accounts against their shares. By user: `users`,
  with `fairness` and `lorenz` of any of their metrics. By whatever a bill is summed up by:
  `charges_by`.
- Processors of each job: `rectangles`, of which `largest` and `occupancy` show any number of jobs.
- Utility functions of a class of jobs: `valued`, `sample`, `normalised`, `band`.

`utilitysched.runs.read_results` gives workload, schedule, summary and bill of a run directory.
"""

from utilitysched.analysis.metrics.shares import WeeklyUsage, usage_by_week
from utilitysched.analysis.series.curves import Band, band, deadlines, normalised, sample, valued
from utilitysched.analysis.series.gantt import Rectangles, largest, occupancy, rectangles
from utilitysched.analysis.series.over_time import (
    StepFunction,
    Weeks,
    delivered_utility,
    offered_utility,
    processors_in_use,
    thinned,
    undelayed_utility,
    utilisation,
    waiting_jobs,
    waiting_processors,
    weeks,
)
from utilitysched.analysis.series.users import (
    Bill,
    Distribution,
    Fairness,
    Lorenz,
    Totals,
    Users,
    charges_by,
    fairness,
    lorenz,
    start_value_share_distribution,
    users,
    wait_distribution,
)
from utilitysched.model.segments import Spans, spans

__all__ = [
    "Band",
    "Bill",
    "Distribution",
    "Fairness",
    "Lorenz",
    "Rectangles",
    "Spans",
    "StepFunction",
    "Totals",
    "Users",
    "WeeklyUsage",
    "Weeks",
    "band",
    "charges_by",
    "deadlines",
    "delivered_utility",
    "fairness",
    "largest",
    "lorenz",
    "normalised",
    "occupancy",
    "offered_utility",
    "processors_in_use",
    "rectangles",
    "sample",
    "spans",
    "start_value_share_distribution",
    "thinned",
    "undelayed_utility",
    "usage_by_week",
    "users",
    "utilisation",
    "valued",
    "wait_distribution",
    "waiting_jobs",
    "waiting_processors",
    "weeks",
]
