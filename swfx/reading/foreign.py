"""Files that no importer reads: what each is, and what to export or unpack instead."""

from __future__ import annotations

import re
from typing import NamedTuple

from swfx.slurm.table import EXPORT

__all__ = ["JSON", "PARQUET", "TEXT", "WITHOUT_NAMES", "Foreign", "foreign_kind"]


class Foreign(NamedTuple):
    """A kind of file that no importer reads as it is.

    Attributes
    ----------
    what : str
        The kind, behind "is" in messages.
    mark : str
        Regular expression of bytes of such a file, searched for among the first ones.
    remedy : str
        What to do, with `{file}`, the file as a word of a shell, `{given}`, the format that was
        named for it with a colon or nothing, and `{csv}`, `{txt}`, `{json}`, the file with another
        suffix. Commands stand behind "write: " and ", then: ".
    format : str
        Format that reads the file after all, if one does.
    """

    what: str
    mark: str
    remedy: str
    format: str = ""

    def fits(self, head: bytes) -> bool:
        """Whether a line of text among the first bytes of a file is one of this kind."""
        return bool(re.search(self.mark.encode(), head, re.MULTILINE | re.IGNORECASE))


_UNPACKED = " {file} | utilitysched check {given}-"
_AS_CSV = "its table of jobs as CSV with column names ({csv})"
_READ_CSV = ", then: utilitysched check accounting-csv:{csv}"
_SACCT = (
    f"{EXPORT.replace('export with', 'write:')} > {{txt}}, then: utilitysched check slurm:{{txt}}"
)
_QSTAT = "write: qstat -x -f -F json > {json}, then: utilitysched check pbs:{json}"
_QACCT = "write: qacct -j > {txt}, then: utilitysched check sge:{txt}"
_BACCT = "write: bacct -l > {txt}, then: utilitysched check lsf:{txt}"
_HISTORY = "write: condor_history -json > {json}, then: utilitysched check htcondor:{json}"
_FORMATS = "get the log itself; for the formats that are read write: utilitysched list formats"

_PACKED = (
    Foreign("packed by bzip2", r"\ABZh[1-9]", f"write: bzip2 -dc{_UNPACKED}"),
    Foreign("packed by lz4", r"\A\x04\x22\x4d\x18", f"write: lz4 -dc{_UNPACKED}"),
    Foreign("packed by compress", r"\A\x1f\x9d", f"write: gzip -dc{_UNPACKED}"),
    Foreign("packed by 7-Zip", r"\A7z\xbc\xaf\x27\x1c", f"write: 7z x -so{_UNPACKED}"),
    Foreign("packed by RAR", r"\ARar!", f"write: unrar p -inul{_UNPACKED}"),
    Foreign("a tar archive", r"\A.{257}ustar", f"write: tar -xOf{_UNPACKED}"),
    Foreign(
        "an Excel workbook",
        r"\APK\x03\x04.*(\[Content_Types\]|xl/|_rels/|docProps/)|\A\xd0\xcf\x11\xe0",
        f"save {_AS_CSV}{_READ_CSV}",
    ),
    Foreign(
        "an OpenDocument spreadsheet",
        r"\APK\x03\x04.*mimetypeapplication/vnd\.oasis",
        f"save {_AS_CSV}{_READ_CSV}",
    ),
    Foreign("a zip archive", r"\APK\x03\x04", f"write: unzip -p{_UNPACKED}"),
)

_BINARY = (
    Foreign("a PDF document", r"\A%PDF-", _FORMATS),
    Foreign("an image", r"\A(\x89PNG|\xff\xd8\xff|GIF8)", _FORMATS),
    Foreign("a database of SQLite", r"\ASQLite format 3", f"export {_AS_CSV}{_READ_CSV}"),
    Foreign("an HDF5 file", r"\A\x89HDF\r\n", f"write {_AS_CSV}{_READ_CSV}"),
    Foreign("an ORC file", r"\AORC", f"write {_AS_CSV}{_READ_CSV}"),
    Foreign("an Avro file", r"\AObj\x01", f"write {_AS_CSV}{_READ_CSV}"),
    Foreign("a Feather file", r"\A(ARROW1|FEA1)", f"write {_AS_CSV}{_READ_CSV}"),
    Foreign("a pickled Python object", r"\A\x80[\x02-\x05]", f"write {_AS_CSV}{_READ_CSV}"),
)

_TABLES = (
    Foreign(
        "sacct's listing for people", r"^ *JobID\w*( +[\w%]+)+ *\r?\n *-+( +-+)+ *\r?$", _SACCT
    ),
    Foreign("squeue's list of the queue", r"^ *JOBID +PARTITION +\S", _SACCT),
    Foreign("sinfo's list of nodes", r"^PARTITION +AVAIL +\S", _SACCT),
    Foreign(
        "a report of sreport", r"^-{20,}\r?\n(Cluster|Top|Job|User|Account).*\(\d+ sec", _SACCT
    ),
    Foreign("qstat's list of a queue of PBS", r"^Job [Ii][Dd] +(Name|Username)\b", _QSTAT),
    Foreign("qstat's list of a queue of Grid Engine", r"^job-ID +prior\b", _QACCT),
    Foreign("qacct's sum of use", r"^(Total System Usage|[A-Z ]+ WALLCLOCK +UTIME\b)", _QACCT),
    Foreign("bjobs' list of jobs", r"^JOBID +USER +STAT\b", _BACCT),
    Foreign(
        "a list of HTCondor for people",
        r"^ *(OWNER +BATCH_NAME|ID +OWNER) +SUBMITTED\b",
        _HISTORY,
    ),
    Foreign("XML of qstat of Grid Engine", r"^ *<job_info\b", _QACCT),
    Foreign("XML of qstat of PBS", r"<Data>\s*<Job>", _QSTAT),
    Foreign("a web page", r"\A\s*<(!doctype html|html|head)\b", _FORMATS),
    Foreign("XML", r"\A\s*<\?xml\b", _FORMATS),
    Foreign("TOML, as rules and experiments are written in", r"\A(#.*\n)*\[+[\w.]+\]+$", _FORMATS),
    Foreign(
        "a dump of SQL",
        r"^(-- (MySQL|MariaDB|PostgreSQL)|/\*!\d|INSERT INTO |CREATE TABLE )",
        f"load it into its database, export {_AS_CSV}{_READ_CSV}",
    ),
    Foreign(
        "a table that a client of a database drew",
        r"^(\+(-+\+){2,}|-+(\+-+)+)\r?$",
        f"print {_AS_CSV}{_READ_CSV}",
    ),
)

WITHOUT_NAMES = Foreign(
    "what sacct printed without column names",
    r"^(?=(.*\|)?(COMPLETED|FAILED|TIMEOUT|CANCELLED)\b)(?=.*\d{4}-\d\d-\d\dT)(.*\|){3}",
    _SACCT,
)
PARQUET = Foreign("", r"\APAR1", "write: utilitysched check parquet:{file}", "parquet")
JSON = Foreign("JSON of no format that is read", r"\A\s*(\{|\[\s*[\[{\"\d])", _FORMATS)
TEXT = Foreign("text of no format that is read", r"\A", _FORMATS)


def foreign_kind(head: bytes) -> Foreign | None:
    """Return the kind of a file by its first bytes, None if an importer may read it.

    Parameters
    ----------
    head : bytes
        First bytes, unpacked.

    Examples
    --------
    >>> foreign_kind(b"%PDF-1.7").what, foreign_kind(b"JobID|User|Start")
    ('a PDF document', None)
    """
    for kind in (*_PACKED, *_BINARY):
        if re.search(kind.mark.encode(), head, re.DOTALL):
            return kind
    return next((kind for kind in _TABLES if kind.fits(head)), None)
