"""Formats that workloads are written in, one file each; the registry imports every module here."""

from swfx.families.exporters.registry import EXPORTERS, Exported, Exporter, export, find_exporter

__all__ = ["EXPORTERS", "Exported", "Exporter", "export", "find_exporter"]
