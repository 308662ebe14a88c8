"""Who pays for a user."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

UNKNOWN = "user unknown"


def accounts_of(user: npt.NDArray[np.int64], accounts: Mapping[int, str]) -> tuple[str, ...]:
    """Return the account of every job; ``user N`` where none is listed for its user."""
    return tuple(
        accounts.get(number, f"user {number}" if number >= 0 else UNKNOWN)
        for number in user.tolist()
    )
