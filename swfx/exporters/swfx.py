"""Extended SWF, which keeps everything a workload holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from swfx.exporters.registry import EXPORTERS, Exported, Exporter
from swfx.workload import Workload
from swfx.writer import to_bytes

__all__ = ["ExtendedSwf"]


@EXPORTERS.register("swfx")
@dataclass(frozen=True)
class ExtendedSwf(Exporter):
    """Extended SWF; plain SWF where no job has more than the 18 fields."""

    suffixes: ClassVar[tuple[str, ...]] = (".swfx",)

    def format(self, workload: Workload) -> Exported:
        """Text of the file, as `swfx.write` puts it; nothing is left out."""
        return Exported(to_bytes(workload))
