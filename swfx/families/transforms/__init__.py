"""Transformations of workloads, one file each; the registry imports every module of this folder."""

from swfx.families.transformation import (
    TRANSFORMS,
    Transformation,
    Transformed,
    apply_all,
    make_transforms,
)

__all__ = [
    "TRANSFORMS",
    "Transformation",
    "Transformed",
    "apply_all",
    "make_transforms",
]
