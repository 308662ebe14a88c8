"""How to try a scheduling idea of your own.

Covers: any object with `decide(state)`; a new ordering, compiled like the built-in ones.

Scenario: the packaged workload. Two ideas against EASY:

- *knapsack*: at every pass start the set of jobs that fits and earns most per second, whatever
  their order. A decision in plain Python; nothing is reserved for anybody.
- *earliest deadline*: the job whose value ends soonest goes first, jobs that are worth nothing any
  more go last. An ordering: it gets easy placement and every option of the built-in ones.

Run: python examples/02_own_scheduler.py
"""

from __future__ import annotations

import numpy as np

from swfx import open_workload
from utilitysched import Decision, QueueState, metrics, simulate
from utilitysched.model.forecast import Forecast
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import Floats, Integers, JobTable
from utilitysched.schedulers.orderings import ordering


class Knapsack:
    """Start the queued jobs that fit together and are worth most per second of request."""

    label = "knapsack"

    def decide(self, state: QueueState) -> Decision:
        """Return the jobs to start; they are named by their place in the columns of `known`."""
        size = state.known.size[state.queued]
        best = np.zeros(state.free + 1)  # SU/s that can be earned, by processors used
        take = np.zeros((len(size), state.free + 1), dtype=np.bool_)
        for i, job in enumerate(state.queued):
            with_job = self.worth(state, job) + best[: max(0, len(best) - size[i])]
            take[i, size[i] :] = with_job > best[size[i] :]
            best[size[i] :] = np.maximum(best[size[i] :], with_job)
        starts, left = [], state.free
        for i in reversed(range(len(size))):
            if take[i, left]:
                starts.append(state.queued[i])
                left -= size[i]
        return Decision(np.array(starts, dtype=np.int64))

    def worth(self, state: QueueState, job: int) -> float:
        """SU per second; a little above 0 for jobs past their deadline, so that they run, too."""
        curve = slice(state.known.offsets[job], state.known.offsets[job + 1])
        age = state.now - state.known.submit[job]
        value = np.interp(age, state.known.times[curve], state.known.values[curve], right=0.0)
        return float(value / state.known.request[job]) + 1e-9


@ordering("earliest-deadline", summary="soonest deadline first, worthless jobs last", dynamic=True)
def earliest_deadline(
    moment: SchedulingPass,
    queue: Integers,
    known: JobTable,
    forecast: Forecast,  # noqa: ARG001 - every score has these parameters
    parameters: Floats,  # noqa: ARG001
    out: Floats,
) -> None:
    """Score by the end of the utility function on the log's clock, infinite once it has passed."""
    for i, job in enumerate(queue):
        last = known.offsets[job + 1] - 1
        deadline = known.submit[job] + known.times[last]
        out[i] = deadline if deadline > moment.now else np.inf


def main() -> None:
    """Simulate both beside EASY."""
    workload = open_workload("sample:").workload
    print(f"{'':40}{'wait (s): mean':>16}{'longest':>12}{'utility (SU)':>14}")
    for idea in ("easy", Knapsack(), "earliest-deadline", "earliest-deadline:threshold=1x"):
        schedule = simulate(workload, idea)
        wait = schedule.wait(workload)
        utility = metrics.aggregate_utility(workload, schedule)
        print(f"{schedule.scheduler:40}{wait.mean():16,.0f}{wait.max():12,.0f}{utility:14,.0f}")


if __name__ == "__main__":
    main()
