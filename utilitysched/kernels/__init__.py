"""Compiled loops: arrays in, arrays out, no policy and no input or output.

Every kernel has a readable twin in ``tests/reference``; property tests hold them equal.
Importing a module of this package imports numba, so nothing imports one at start-up.
"""

import swfx.kernels  # noqa: F401 - decides where compiled code is kept

__all__: list[str] = []
