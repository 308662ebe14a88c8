"""Compiling orderings and placements so that one event loop can call any of them.

A score or a placement is an ordinary Python function. It is compiled on first use, to a fixed
signature, and handed to the event loop as a first-class function: the loop itself is compiled
once for all of them. (Compiled with ``njit`` instead, each would be a type of its own, and the
loop would be compiled anew for each.)

A tuple with such a function in it is looked at field by field at every call from Python, which
takes longer than most calls; so the types of these tuples are declared here, too.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from numba import cfunc, njit, types
from numba.extending import typeof_impl

from utilitysched.kernels.policy import Policy, Ranking, ReserveRule
from utilitysched.model.forecast import Forecast
from utilitysched.model.scheduling_pass import (
    Limits,
    Plan,
    Profile,
    Queue,
    Releases,
    SchedulingPass,
)
from utilitysched.model.state import JobTable

_floats = types.float64[::1]
_integers = types.int64[::1]
_flags = types.boolean[::1]

_columns = [_floats, _floats, _integers, _floats, _integers, _integers]
_curves = [_integers, _floats, _floats]
_known = types.NamedTuple([types.int64, *_columns, *_curves], JobTable)
_forecast = types.NamedTuple([types.float64[:, ::1], _floats], Forecast)
_moment = types.NamedTuple([types.float64, types.int64, _integers], SchedulingPass)
_profile = types.NamedTuple([_floats, _integers, _integers], Profile)
_plan = types.NamedTuple([_floats, _profile], Plan)
_queue = types.NamedTuple([_integers, _floats, _floats], Queue)
_releases = types.NamedTuple([_floats, _integers], Releases)
_limits = types.NamedTuple([types.int64, types.float64], Limits)

SCORE = types.void(_moment, _integers, _known, _forecast, _floats, _floats)
PLACEMENT = types.float64(_moment, _queue, _releases, _known, _limits, _plan, _flags)

_float, _integer, _flag = types.float64, types.int64, types.boolean
_ranking = types.NamedTuple([_floats, types.FunctionType(SCORE), _floats], Ranking)
_rule = types.Tuple([_integer, _float, _integer])
_reserve = types.NamedUniTuple(_float, 2, ReserveRule)
_policy = types.NamedTuple(
    [
        *(_ranking, _ranking, _flag, types.FunctionType(PLACEMENT), _flag),
        *(_limits, _integer, _float, _rule, _flag, _reserve),
    ],
    Policy,
)

for declared in (_ranking, _policy):
    typeof_impl.register(declared.instance_class, lambda *_, declared=declared: declared)


@cache
def compiled_score(function: Callable[..., None]) -> Any:
    """Return an ordering's score function, to be called from compiled code only."""
    return _compiled(SCORE, function)


@cache
def score_called_from_python(function: Callable[..., None]) -> Any:
    """Return an ordering's score function, to be called from Python."""
    # numba takes half a millisecond to see what a tuple with a first-class function is
    return njit(cache=_is_kept(function), error_model="numpy")(function)


@cache
def compiled_placement(function: Callable[..., float]) -> Any:
    """Return a placement function, to be called from compiled code only."""
    return _compiled(PLACEMENT, function)


def _compiled(signature: Any, function: Callable[..., Any]) -> Any:
    # Called from compiled code it cannot raise: a division by zero must give infinity or NaN, as
    # numpy's does, not leave the function and its scores half done.
    return cfunc(signature, cache=_is_kept(function), error_model="numpy")(function)


def _is_kept(function: Callable[..., Any]) -> bool:
    """Say whether there is a file beside which numba can keep compiled code."""
    return Path(function.__code__.co_filename).is_file()  # not of what was typed at a prompt
