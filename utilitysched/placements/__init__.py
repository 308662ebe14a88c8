"""Placements: what turns an ordered queue into starts, one file each."""

import sys

from utilitysched.placements.registry import PLACEMENTS, Placement, placement
from utilitysched.plugins import import_family

__all__ = ["Placement", "placement", "placements"]


def placements() -> dict[str, Placement]:
    """Return all placements by name."""
    import_family(sys.modules[__name__])
    return dict(sorted(PLACEMENTS.items()))
