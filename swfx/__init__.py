"""Workloads: SWF and extended SWF in and out, columns, utility functions.

`read` a log, look at `Loaded.report`, work with `Loaded.workload`, `write` it again.
"""

from typing import TYPE_CHECKING

from swfx.base.lazy import imported_on_use

if TYPE_CHECKING:
    from swfx.base.errors import InputError
    from swfx.families.generators import UtilitySpec, attach_utilities
    from swfx.families.transforms import apply_all
    from swfx.fields import FIELD_NAMES, FIELDS, MISSING, Field
    from swfx.header import Header
    from swfx.priorities import priority_classes
    from swfx.reading.reader import Loaded, read
    from swfx.reading.report import LoadReport
    from swfx.reading.sources import open_workload
    from swfx.reading.streaming import Stream, stream
    from swfx.reading.workload_source import WorkloadSource
    from swfx.utility import UtilityFunction
    from swfx.utility_table import UtilityTable
    from swfx.workload import Workload
    from swfx.writer import write, write_stream
else:  # they bring numpy, which the command line does not need to print its help
    __getattr__, __dir__ = imported_on_use(__name__)

__all__ = [
    "FIELDS",
    "FIELD_NAMES",
    "MISSING",
    "Field",
    "Header",
    "InputError",
    "LoadReport",
    "Loaded",
    "Stream",
    "UtilityFunction",
    "UtilitySpec",
    "UtilityTable",
    "Workload",
    "WorkloadSource",
    "apply_all",
    "attach_utilities",
    "open_workload",
    "priority_classes",
    "read",
    "stream",
    "write",
    "write_stream",
]
