"""The logs of the Parallel Workloads Archive, and the digests that downloads must have."""

from __future__ import annotations

from typing import NamedTuple

from swfx.base.errors import InputError
from swfx.base.options import nearest

__all__ = ["ARCHIVE", "LOGS", "ArchiveLog", "Content", "find_log"]

ARCHIVE = "http://www.cs.huji.ac.il/labs/parallel/workload"
"""Where the archive is (Feitelson, Tsafrir, Krakov, J. Parallel Distrib. Comput. 74(10), 2014)."""


class Content(NamedTuple):
    """What is in a log's file once it is unpacked.

    Attributes
    ----------
    jobs : int
        Job lines.
    size : int
        Bytes.
    sha256 : str
        Digest (hex).
    """

    jobs: int
    size: int
    sha256: str


class ArchiveLog(NamedTuple):
    """One log of the archive.

    Attributes
    ----------
    name : str
        Name for people.
    version : str
        What follows it in the name of the file: year, version, and whether it is cleaned.
    folder : str
        Folder of the file in the archive.
    content : Content or None
        What must come out of a download; None if that is not known here.
    """

    name: str
    version: str
    folder: str
    content: Content | None = None

    @property
    def file(self) -> str:
        """Name of its file.

        >>> find_log("KTH-SP2").file
        'KTH-SP2-1996-2.1-cln.swf.gz'
        """
        return f"{self.name}-{self.version}.swf.gz"

    def url(self, base: str) -> str:
        """Address of its file in the archive or a mirror; a base ending in .gz is the file's."""
        return base if base.endswith(".gz") else f"{base.rstrip('/')}/{self.folder}/{self.file}"


LOGS: tuple[ArchiveLog, ...] = (
    ArchiveLog(
        "CEA-Curie",
        "2011-2.1-cln",
        "l_cea_curie",
        Content(
            312_826, 29_099_943, "b732a04aea71e2f154c8feee580be549d0bba1462bc91ec581944cb3dd6d442d"
        ),
    ),
    ArchiveLog(
        "KTH-SP2",
        "1996-2.1-cln",
        "l_kth_sp2",
        Content(
            28_476, 2_620_495, "fba36494c4e4257f72182e8b629ebb0bcb054b3b82851ef957445bd627adcc87"
        ),
    ),
    ArchiveLog(
        "LANL-CM5",
        "1994-4.1-cln",
        "l_lanl_cm5",
        Content(
            122_060, 11_354_840, "4766a62dabcc7403ec0a55534aff297203e692ddbf6637bd40100a3800f6354a"
        ),
    ),
    ArchiveLog(
        "LLNL-Atlas",
        "2006-2.1-cln",
        "l_llnl_atlas",
        Content(
            43_778, 4_059_977, "8b3aaab739fa0bda8abaccc37c207d0b19d9d147b19e7f47a1641133a56fd07f"
        ),
    ),
    ArchiveLog(
        "LLNL-Thunder",
        "2007-1.1-cln",
        "l_llnl_thunder",
        Content(
            121_039, 11_267_879, "aad5a3120a6adf0342d46fb4830e022121cdfbd3de9ecdd9cf10145b8864b6a5"
        ),
    ),
    ArchiveLog(
        "LPC-EGEE",
        "2004-1.2-cln",
        "l_lpc",
        Content(
            234_889, 20_203_886, "c1ddb989e9ed9a5ad8eb29c9b5d809a1db82b3271fa141e6e118e41753f8093b"
        ),
    ),
    ArchiveLog(
        "NASA-iPSC",
        "1993-3.1-cln",
        "l_nasa_ipsc",
        Content(
            18_239, 1_678_956, "9d997a2c20a7f7b0b6d81638d756ce8b2c524c4f2e9ec78da36001743ca33d76"
        ),
    ),
    ArchiveLog(
        "OSC-Clust",
        "2000-3.1-cln",
        "l_osc",
        Content(
            36_097, 3_321_819, "0ed54b81ccb10b11fbead557af8a37dd135e07e27756f1016c80ebceb7c8f79a"
        ),
    ),
    ArchiveLog(
        "Sandia-Ross",
        "2001-1.1-cln",
        "l_sandia_ross",
        Content(
            57_882, 5_375_406, "acee6b96aa76f815d9a6a81ee6d3e3026f462b6e0c340f9f4ef465e05b3c22b3"
        ),
    ),
    ArchiveLog(
        "SDSC-BLUE",
        "2000-4.2-cln",
        "l_sdsc_blue",
        Content(
            243_306, 22_531_816, "13892839f430583231a14bb811fd50a31b5b529eb37faacdbbefb71e73390e3e"
        ),
    ),
    ArchiveLog(
        "SDSC-DS",
        "2004-2.1-cln",
        "l_sdsc_ds",
        Content(
            96_069, 8_856_328, "76814a412fa415e68ffb8cc0ae801c870988e5577e60275588050332f6b1e690"
        ),
    ),
    ArchiveLog(
        "SDSC-Par",
        "1996-3.1-cln",
        "l_sdsc_par",
        Content(
            32_135, 2_958_414, "fcb46fa6462b7ac460963025749f604f28b2e813101edd082a720842e80a7aa8"
        ),
    ),
    ArchiveLog(
        "SDSC-SP2",
        "1998-4.2-cln",
        "l_sdsc_sp2",
        Content(
            59_715, 5_601_165, "2bb635f4b5793f52bd49ccb8fd913d95f9c5be6346925162cadcaf0117e28cf2"
        ),
    ),
    ArchiveLog("ANL-Intrepid", "2009-1", "l_anl_int"),
    ArchiveLog("CIEMAT-Euler", "2008-1", "l_ciemat_euler"),
    ArchiveLog("CTC-SP2", "1996-3.1-cln", "l_ctc_sp2"),
    ArchiveLog("DAS2-fs0", "2003-1", "l_das2"),
    ArchiveLog("DAS2-fs1", "2003-1", "l_das2"),
    ArchiveLog("DAS2-fs2", "2003-1", "l_das2"),
    ArchiveLog("DAS2-fs3", "2003-1", "l_das2"),
    ArchiveLog("DAS2-fs4", "2003-1", "l_das2"),
    ArchiveLog("HPC2N", "2002-2.2-cln", "l_hpc2n"),
    ArchiveLog("KIT-FH2", "2016-1", "l_kit_fh2"),
    ArchiveLog("LANL-O2K", "1999-2", "l_lanl_o2k"),
    ArchiveLog("LCG", "2005-1", "l_lcg"),
    ArchiveLog("LLNL-T3D", "1996-2", "l_llnl_t3d"),
    ArchiveLog("LLNL-uBGL", "2006-2", "l_llnl_ubgl"),
    ArchiveLog("METACENTRUM", "2009-2", "l_metacentrum"),
    ArchiveLog("METACENTRUM-2013", "3", "l_metacentrum2"),
    ArchiveLog("PIK-IPLEX", "2009-1", "l_pik_iplex"),
    ArchiveLog("RICC", "2010-2", "l_ricc"),
    ArchiveLog("SDSC-Par-1995", "3.1-cln", "l_sdsc_par"),
    ArchiveLog("SHARCNET", "2005-2", "l_sharcnet"),
    ArchiveLog("SHARCNET-Whale", "2006-2", "l_sharcnet"),
    ArchiveLog("UniLu-Gaia", "2014-2", "l_unilu_gaia"),
)
"""Logs of the archive, first those whose content is known, then the others, each by name."""


def find_log(name: str) -> ArchiveLog:
    """Return the log of this name, in any case, or of this file's name with or without suffix.

    Raises
    ------
    InputError
        There is none; the message has the nearest name.
    """
    wanted = name.lower().removesuffix(".gz").removesuffix(".swf")
    for log in LOGS:
        if wanted in (log.name.lower(), log.file.lower().removesuffix(".swf.gz")):
            return log
    names = [log.name for log in LOGS]
    raise InputError(
        f"the archive has no log that is named {name!r} here",
        source="archive",
        remedy=nearest(name, names),
    )
