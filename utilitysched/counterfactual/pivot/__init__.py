"""Pivot charges: what a job's start costs the others, by plans made in one state.

When a job starts, the plan in force is compared with the best plan of the same queue without it.
Both are made in the same state from what is known there, so nothing can drift apart as it does in
two replays of the log.

References
----------
Bergemann, D., Valimaki, J. (2010). The dynamic pivot mechanism. Econometrica 78(2), 771-789.
Parkes, D. C., Singh, S. (2003). An MDP-based approach to online mechanism design. NIPS 16.
"""

from utilitysched.counterfactual.pivot.recorder import PivotRecorder

__all__ = ["PivotRecorder"]
