"""Run directories: what a simulation leaves on disk, written whole or not at all, read back."""

from typing import TYPE_CHECKING

from swfx.base.lazy import imported_on_use

if TYPE_CHECKING:
    from utilitysched.model.job_columns import JOBS_HEADER, job_columns
    from utilitysched.model.versions import versions
    from utilitysched.runs.files import json_text, write_json
    from utilitysched.runs.jobs_csv import read_times, write_jobs
    from utilitysched.runs.stored import (
        RunResults,
        StoredRun,
        read_results,
        read_run,
        run_directories,
    )
    from utilitysched.runs.target import (
        Results,
        Target,
        claim,
        directory_name,
        prove_writable,
        write_run,
    )
else:  # they bring numpy, which a plan does not need
    __getattr__, __dir__ = imported_on_use(__name__)

__all__ = [
    "JOBS_HEADER",
    "Results",
    "RunResults",
    "StoredRun",
    "Target",
    "claim",
    "directory_name",
    "job_columns",
    "json_text",
    "prove_writable",
    "read_results",
    "read_run",
    "read_times",
    "run_directories",
    "versions",
    "write_jobs",
    "write_json",
    "write_run",
]
