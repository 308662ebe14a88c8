"""The logs of the Parallel Workloads Archive, as a table."""

from swfx.archive import catalogue
from swfx.archive.cache import ArchiveCache
from swfx.archive.catalogue import ARCHIVE, ArchiveLog
from utilitysched.report.console import console, grid, print_json, show
from utilitysched.report.numbers import UNKNOWN, whole

CITE = """\
jobs: job lines; MB: unpacked; a log with these is checked against the SHA-256 of its content.
The archive asks to be named as the source, to cite Feitelson, Tsafrir and Krakov, "Experience with
using the Parallel Workloads Archive", J. Parallel Distrib. Comput. 74(10), 2014, and to thank who
gave the log: its header says who."""

MEGABYTE = 1e6


def print_logs(cache: ArchiveCache, *, json: bool = False) -> None:
    """Print the logs known, and which of them are in the cache."""
    if json:
        print_json({"archive": ARCHIVE, "logs": [_document(log, cache) for log in catalogue.LOGS]})
        return
    to = console()
    table = grid(["name", "file", "jobs", "MB", "here"], left=2)
    for log in catalogue.LOGS:
        jobs, size = (log.content.jobs, log.content.size) if log.content else (None, None)
        megabytes = UNKNOWN if size is None else f"{size / MEGABYTE:.1f}"
        here = "yes" if cache.holds(log) else ""
        table.add_row(log.name, log.file, whole(jobs), megabytes, here)
    show(to, table)
    to.print()
    to.print(f"archive: {ARCHIVE}", soft_wrap=True)
    to.print(f"kept in: {cache.folder}", soft_wrap=True)
    to.print()
    to.print(CITE)


def _document(log: ArchiveLog, cache: ArchiveCache) -> dict[str, object]:
    return {
        "name": log.name,
        "file": log.file,
        "url": log.url(ARCHIVE),
        "jobs": log.content.jobs if log.content else None,
        "size": log.content.size if log.content else None,
        "sha256": log.content.sha256 if log.content else None,
        "path": str(cache.path(log)) if cache.holds(log) else None,
    }
