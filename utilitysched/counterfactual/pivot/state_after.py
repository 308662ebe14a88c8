"""The state of the queue after a pass."""

from dataclasses import replace

import numpy as np

from utilitysched.model.state import Decision, QueueState


def state_after(state: QueueState, decision: Decision) -> QueueState:
    """Return the same instant with jobs running that are started, for as long as they requested.

    Those that are preempted run no more; they are in the queue from the next pass on.
    """
    known, starts = state.known, decision.starts
    stay = ~np.isin(state.running, decision.preempts)
    end = np.concatenate([state.expected_end[stay], state.now + known.request[starts]])
    freed = known.size[decision.preempts].sum() - known.size[starts].sum()
    by_end = np.argsort(end, kind="stable")
    return replace(
        state,
        free=state.free + int(freed),
        queued=state.queued[~np.isin(state.queued, starts)],
        running=np.concatenate([state.running[stay], starts])[by_end],
        expected_end=end[by_end],
    )
