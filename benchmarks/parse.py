"""Reading a log: ours, with every check and cleaning, against pandas merely reading it."""

from collections.abc import Iterator

import pandas as pd

import swfx
from benchmarks.logs import BLUE, path
from benchmarks.row import Row
from benchmarks.timing import peak_bytes, race
from swfx import FIELD_NAMES, FIELDS

LINES, KEPT = 243306, 232562


def measure() -> Iterator[Row]:
    """Compare the two on SDSC-BLUE, packed by gzip."""
    source = path(BLUE)
    timed = race({"ours": lambda: swfx.read(source), "pandas": _with_pandas})
    loaded, frame = timed.results["ours"], timed.results["pandas"]
    assert (loaded.report.job_lines, len(loaded.workload)) == (LINES, KEPT)
    assert frame.shape == (LINES, len(FIELDS))
    unclean = swfx.read(source, cleaning="none").workload
    assert all((frame[name] == getattr(unclean, name)).all() for name in FIELD_NAMES)
    yield Row(
        "parse SDSC-BLUE, to pandas",
        timed.ratio("ours", "pandas"),
        "x",
        1.0,
        note=f"{timed.median('ours'):.3f} s, pandas {timed.median('pandas'):.3f} s",
    )
    columns = LINES * len(FIELDS) * 8
    peak = peak_bytes(lambda: swfx.read(source))
    note = f"{peak / 1e6:.0f} MB, the 18 columns {columns / 1e6:.0f} MB"
    yield Row("parse SDSC-BLUE, peak memory to columns", peak / columns, "x", 4.0, note=note)


def _with_pandas() -> pd.DataFrame:
    names = list(FIELD_NAMES)
    return pd.read_csv(path(BLUE), comment=";", sep=r"\s+", header=None, names=names, engine="c")
