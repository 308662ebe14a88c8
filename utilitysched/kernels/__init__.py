"""Compiled loops: arrays in, arrays out, no policy and no input or output.

Every kernel has a readable twin in ``tests/reference``; property tests hold them equal.
Importing a module of this package imports numba, so nothing imports one at start-up.
"""

from swfx.kernels.cache import ensure_folder
from utilitysched.kernels.freshness import drop_stale

__all__: list[str] = []

drop_stale()
ensure_folder()
