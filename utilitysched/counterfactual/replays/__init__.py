"""Replay charges: the log played again from a job's submission on, with and without the job.

A baseline is the simulation that made the schedule, played again up to the submission of one job
after the other. From there a branch goes off, in which the job never comes. It is followed until it
is the same again as the one with the job, which is known: it is what happened. From there on both
are equal for ever.

References
----------
Lee, C. B. (2009). On the user-scheduler relationship in high-performance computing. Dissertation,
University of California, San Diego. Section 3.4.3.
"""

from utilitysched.counterfactual.replays.bill import replay_jobs
from utilitysched.counterfactual.replays.question import Question

__all__ = ["Question", "replay_jobs"]
