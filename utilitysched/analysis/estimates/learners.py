"""Learners of run times, trained again at intervals on the jobs that had ended by then."""

from collections.abc import Iterator

import numpy as np

from swfx import InputError
from swfx.base.columns import Floats, Ints
from utilitysched.analysis.estimates.forecasts import LEVELS, Known, Watch

try:
    from sklearn.ensemble import HistGradientBoostingRegressor
    from sklearn.neighbors import NearestNeighbors
    from threadpoolctl import threadpool_limits
except ImportError as error:  # the extra is not installed
    raise InputError(
        "forecasts need scikit-learn, which is not installed",
        remedy="install utilitysched[forecasts]",
    ) from error

EVERY = 1000
"""Submissions between two trainings."""

LATEST = 10_000
"""Ended jobs that are learnt from."""

LEAST = 100
"""Ended jobs before which nothing is learnt."""

NEIGHBOURS = 16


def neighbours(known: Known, watch: Watch) -> Floats:
    """Return quantiles (s) of the run times of the most similar jobs.

    Of all features but the user and the queue, whose numbers are no distances, each in its
    standard deviations.
    """
    found = known.keyed.copy()
    columns = [0, 1, *range(4, known.features.shape[1])]
    features = known.features[:, columns]
    for block, past in _trainings(known, watch):
        spread = np.nan_to_num(np.nanstd(features[past], axis=0))
        scaled = np.nan_to_num(features / np.where(spread > 0, spread, 1.0))
        near = NearestNeighbors(n_neighbors=NEIGHBOURS).fit(scaled[past])
        similar = past[near.kneighbors(scaled[block], return_distance=False)]
        found[block] = np.quantile(known.run[similar], LEVELS, axis=1).T
    return _at_most(found, known)


def boosting(known: Known, watch: Watch) -> Floats:
    """Return quantiles (s) by gradient-boosted trees, one model each.

    References
    ----------
    `HistGradientBoostingRegressor` of scikit-learn, loss `quantile`, of logarithms.
    """
    found = known.keyed.copy()
    target = np.log(np.maximum(known.run, 1.0))
    for block, past in _trainings(known, watch):
        for place, level in enumerate(LEVELS):
            model = HistGradientBoostingRegressor(
                loss="quantile", quantile=level, max_iter=50, random_state=0
            )
            # threads wait for one another by spinning, which on a busy machine takes minutes
            with threadpool_limits(1):
                model.fit(known.features[past], target[past])
                found[block, place] = np.exp(model.predict(known.features[block]))
    return _at_most(np.sort(found, axis=1), known)


def _trainings(known: Known, watch: Watch) -> Iterator[tuple[slice, Ints]]:
    """Yield which jobs are forecast, and which had ended before the first of them came."""
    count = len(known.submit)
    for first in range(0, count, EVERY):
        ended = np.flatnonzero(known.ended[:first] <= known.submit[first])
        if len(ended) >= LEAST:
            latest = np.argsort(known.ended[ended], kind="stable")[-LATEST:]
            yield slice(first, first + EVERY), ended[latest]
        watch(min(first + EVERY, count) / count)


def _at_most(found: Floats, known: Known) -> Floats:
    return np.minimum(found, known.request[:, np.newaxis])
