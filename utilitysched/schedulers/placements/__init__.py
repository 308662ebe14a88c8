"""Placements: what turns an ordered queue into starts, one file each."""

import sys

from utilitysched.model.plugins import import_family
from utilitysched.schedulers.placements.registry import PLACEMENTS, Placement, placement

__all__ = ["Placement", "placement", "placements"]


def placements() -> dict[str, Placement]:
    """Return all placements by name."""
    import_family(sys.modules[__name__], "utilitysched.placements")
    return dict(sorted(PLACEMENTS.items()))
