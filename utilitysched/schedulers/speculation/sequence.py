"""Sequences of requests: what to ask for first, and what next where that was not enough."""

from typing import NamedTuple

import numpy as np

from utilitysched.model.state import Floats


class RequestCost(NamedTuple):
    """Cost of one request of t seconds, of which a job uses u <= t: alpha t + beta u + gamma.

    Attributes
    ----------
    alpha : float
        Of each second that is asked for.
    beta : float
        Of each second in which the job runs.
    gamma : float
        Of each request (s).
    """

    alpha: float = 1.0
    beta: float = 0.0
    gamma: float = 0.0


ASKED = RequestCost()
"""What is asked for, as a machine is paid that is reserved."""

QUEUED = RequestCost(alpha=0.95, beta=1.0, gamma=3780.0)
"""Wait and run time: Aupy et al. find waits of 1.05 h and 0.95 of the request."""


def expected_cost(
    sequence: Floats, runs: Floats, chances: Floats, cost: RequestCost = ASKED
) -> float:
    """Return what a job is expected to cost that is stopped at the end of each request.

    With t_0 = 0 it is beta E[X] + sum over i of (alpha t_{i+1} + beta t_i + gamma) P(X > t_i).

    Parameters
    ----------
    sequence : (k,) float64
        Requests t_1 < ... < t_k (s), the last at least the longest run time.
    runs : (n,) float64
        Run times that X may take (s).
    chances : (n,) float64
        Their probabilities.
    cost : RequestCost
        Of each request.

    References
    ----------
    G. Aupy, A. Gainaru, V. Honoré, P. Raghavan, Y. Robert, H. Sun, Reservation strategies for
    stochastic jobs, IPDPS 2019.

    Examples
    --------
    >>> expected_cost(np.array([1.0, 10.0]), np.array([1.0, 10.0]), np.array([0.9, 0.1]))
    2.0
    """
    before = np.concatenate([[0.0], sequence[:-1]])
    beyond = (runs > before[:, None]) @ chances
    each = cost.alpha * sequence + cost.beta * before + cost.gamma
    return float(cost.beta * (runs @ chances) + each @ beyond)


def best_sequence(runs: Floats, chances: Floats, cost: RequestCost = ASKED) -> Floats:
    """Return the requests that are expected to cost least, by dynamic programming in O(n^2).

    Requests of the best sequence are run times that occur. Given X > v_{i-1}, the next request is
    the v_j that minimises its own cost and that of what follows, W_{j+1}:
    W_i = min over j >= i of (alpha v_j + gamma) P(X >= v_i) + beta (E[X; v_i <= X <= v_j]
    + v_j P(X > v_j)) + W_{j+1}.

    Parameters
    ----------
    runs : (n,) float64
        Run times, ascending (s); n >= 1.
    chances : (n,) float64
        Their probabilities, or anything in proportion to them.
    cost : RequestCost
        Of each request.

    Returns
    -------
    (k,) float64
        Ascending; the last is the longest run time. Of equal costs the longer request is taken.

    References
    ----------
    As of `expected_cost`; A. Gainaru, G. Pallez, H. Sun, P. Raghavan, Speculative
    scheduling for stochastic HPC applications, ICPP 2019.

    Examples
    --------
    >>> best_sequence(np.array([1.0, 10.0]), np.array([0.9, 0.1])).tolist()
    [1.0, 10.0]
    >>> best_sequence(np.array([9.0, 10.0]), np.array([0.9, 0.1])).tolist()
    [10.0]
    """
    n = len(runs)
    least = np.append(chances[::-1].cumsum()[::-1], 0.0)  # P(X >= v_i)
    partial = np.append(0.0, (runs * chances).cumsum())  # E[X; X < v_i]
    following, choice = np.zeros(n + 1), np.empty(n, np.int64)
    for i in range(n - 1, -1, -1):
        used = partial[i + 1 :] - partial[i] + runs[i:] * least[i + 1 :]
        asked = (cost.alpha * runs[i:] + cost.gamma) * least[i]
        costs = asked + cost.beta * used + following[i + 1 :]
        choice[i] = n - 1 - int(np.argmin(costs[::-1]))
        following[i] = costs[choice[i] - i]
    found = [int(choice[0])]
    while found[-1] < n - 1:
        found.append(int(choice[found[-1] + 1]))
    best: Floats = runs[found]
    return best
