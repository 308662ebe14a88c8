"""The state of the queue after a pass."""

from dataclasses import replace

import numpy as np

from utilitysched.state import Integers, QueueState


def after(state: QueueState, starts: Integers) -> QueueState:
    """Return the same instant with these queued jobs running, for as long as they requested."""
    known = state.known
    end = np.concatenate([state.expected_end, state.now + known.request[starts]])
    by_end = np.argsort(end, kind="stable")
    return replace(
        state,
        free=state.free - int(known.size[starts].sum()),
        queued=state.queued[~np.isin(state.queued, starts)],
        running=np.concatenate([state.running, starts])[by_end],
        expected_end=end[by_end],
    )
