"""Processor numbers handed out lowest free first, and ranges of them as text."""

import numpy as np
from numpy.typing import NDArray

from utilitysched.kernels.compiling import inner, kernel
from utilitysched.model.state import Integers


@inner
def _longer(column: Integers) -> Integers:
    """Return a copy with room for twice as many."""
    longer = np.empty(2 * len(column), np.int64)
    longer[: len(column)] = column
    return longer


@kernel
def hand_out(
    span: Integers, starting: NDArray[np.bool_], size: Integers, machine_size: int
) -> tuple[Integers, Integers, Integers, Integers]:
    """Hand out processors from 0 on, the lowest free ones first.

    Parameters
    ----------
    span : (2k,) int64
        Whose start or end each event is, in order of time.
    starting : (2k,) bool
        Whether it is a start.
    size : (k,) int64
        Processors of each span.
    machine_size : int
        Processors in all.

    Returns
    -------
    first, last : (k,) int64
        The ranges of each span: ``low[first:last]`` and ``high[first:last]``.
    low, high : (r,) int64
        Ranges of processors, up to but without `high`.
    """
    first, last = np.zeros(len(size), np.int64), np.zeros(len(size), np.int64)
    low, high = np.empty(len(size) + 1, np.int64), np.empty(len(size) + 1, np.int64)
    given = 0
    # what is free: ascending ranges that never touch
    begin, end = np.empty(machine_size + 1, np.int64), np.empty(machine_size + 1, np.int64)
    begin_merged, end_merged = np.empty_like(begin), np.empty_like(end)
    begin[0], end[0] = 0, machine_size
    free = 1
    for event in range(len(span)):
        who = span[event]
        merged = 0
        # a start takes the lowest free ranges
        if starting[event]:
            first[who] = given
            wanted = size[who]
            used = 0
            while wanted > 0:
                if given == len(low):
                    low, high = _longer(low), _longer(high)
                low[given] = begin[used]
                high[given] = min(end[used], begin[used] + wanted)
                wanted -= high[given] - low[given]
                begin[used] = high[given]
                used += begin[used] == end[used]
                given += 1
            last[who] = given
            for i in range(used, free):
                begin[i - used] = begin[i]
                end[i - used] = end[i]
            free -= used
            continue
        # an end merges its ranges with the free ones, which then never touch
        i, k = 0, first[who]
        while i < free or k < last[who]:
            if k == last[who] or (i < free and begin[i] < low[k]):
                one, other = begin[i], end[i]
                i += 1
            else:
                one, other = low[k], high[k]
                k += 1
            if merged > 0 and end_merged[merged - 1] == one:
                end_merged[merged - 1] = other
            else:
                begin_merged[merged], end_merged[merged] = one, other
                merged += 1
        begin, begin_merged = begin_merged, begin
        end, end_merged = end_merged, end
        free = merged
    return first, last, low[:given], high[:given]


def texts(first: Integers, last: Integers, low: Integers, high: Integers) -> list[str]:
    """Return the processors of each span as text, for instance ``0-7 9``.

    Parameters
    ----------
    first, last, low, high
        See `hand_out`.
    """
    pairs = zip(low.tolist(), (high - 1).tolist(), strict=True)
    pieces = [str(least) if least == most else f"{least}-{most}" for least, most in pairs]
    spans = zip(first.tolist(), last.tolist(), strict=True)
    return [" ".join(pieces[begin:end]) for begin, end in spans]
