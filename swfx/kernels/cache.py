"""Where compiled code is kept between processes."""

from __future__ import annotations

import atexit
import logging
import os
import shutil
import tempfile

import numba

__all__ = ["ensure_folder"]

NOTE = (
    "compiled code cannot be kept: neither the packages' folder nor the home directory can be "
    "written to, so every start compiles anew; set NUMBA_CACHE_DIR to a folder that can be"
)


def ensure_folder() -> None:
    """Give this process a temporary folder if numba finds none that it can write to.

    Otherwise numba would refuse to compile whatever is to be kept.
    """
    try:
        numba.njit(cache=True)(_probe)  # looks for a folder, compiles nothing
    except RuntimeError:
        folder = tempfile.mkdtemp(prefix="numba-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        os.environ["NUMBA_CACHE_DIR"] = folder
        numba.config.reload_config()
        logging.getLogger(__name__).warning(NOTE)


def _probe() -> None:
    """Do nothing."""
