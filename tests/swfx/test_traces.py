"""All logs of the trace collection, held to the numbers in its README."""

import gzip
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from swfx import InputError, Loaded, read


@dataclass(frozen=True)
class Log:
    """Numbers from the README's tables; `machine` is given by hand where the file has none."""

    jobs: int
    size: int
    kept: int
    run_negative: int = 0
    processors_missing: int = 0
    requested_missing: int = 0
    request_missing: int = 0
    run_over_request: int = 0
    unusable: int = 0
    machine: int | None = None


# jobs, procs; kept; then the columns "run -1", "procs <= 0", "req. procs <= 0", "req. time <= 0",
# "run > req. time" of the data quality table, and jobs less "usable"
LOGS = {
    "SDSC-BLUE-2000-4.2-cln": Log(243306, 1152, 232562, 10744, 19516, 0, 0, 23434, 243306 - 232536),
    "CEA-Curie-2011-2.1-cln": Log(312826, 93312, 312807, 0, 10912, 84604, 3, 5416, 312826 - 295540),
    "SDSC-SP2-1998-4.2-cln": Log(59715, 128, 54044, 5671, 5669, 0, 66, 4134, 59715 - 54034),
    "KTH-SP2-1996-2.1-cln": Log(28476, 100, 28475, 0, 1, 1, 0, 475, 28476 - 28467),
    "SDSC-DS-2004-2.1-cln": Log(96069, 1664, 85045, 11024, 0, 0, 0, 10658, 96069 - 84893),
    "UniLu-Gaia-2014-1": Log(51987, 2004, 51860, 127, 0, 0, 0, 1500, 51987 - 51859),
    "Sandia-Ross-2001-1.1-cln": Log(57882, 1524, 57867, 0, 15, 15, 339, 3688, 57882 - 55595),
    "LANL-CM5-1994-4.1-cln": Log(122060, 1024, 122057, 0, 3, 11329, 11290, 40180, 122060 - 122055),
    "LPC-EGEE-2004-1.2-cln": Log(234889, 140, 220695, 14194, 14194, 0, 14194, 755, 234889 - 214322),
    "LLNL-Atlas-2006-2.1-cln": Log(43778, 9216, 39207, 0, 4588, 4572, 8233, 3351, 43778 - 36600),
    "LLNL-Thunder-2007-1.1-cln": Log(
        121039, 4008, 118791, 1190, 2248, 2252, 82437, 1101, 121039 - 113613
    ),
    "SDSC-Par-1996-3.1-cln": Log(32135, 400, 32135, 0, 0, 32135, 32135, 0, 32135 - 32128),
    "OSC-Clust-2000-3.1-cln": Log(36097, 178, 36097, 0, 0, 0, 36097, 0, 36097 - 35592),
    "NASA-iPSC-1993-3.1-cln": Log(18239, 128, 18239, 0, 0, 18239, 18239, 0, 18239 - 18066),
    "LCG": Log(188041, 24515, 188041, 0, 0, 188041, 0, 0, 188041 - 187520),
    "RICC-2010-2": Log(447794, 8192, 447794, 0, 0, 2, 2, 7092, 10, machine=8192),
    "METACENTRUM-2009-2": Log(
        103656, 806, 103656, 0, 0, 103656, 103656, 0, 103656 - 99944, machine=806
    ),
    "theta_2022": Log(23911, 4360, 23911, 0, 0, 0, 0, 6264, 0),
    "theta_argonne": Log(23387, 4392, 23387, 0, 0, 23387, 23387, 0, 0),
    "DOST-ASTI_COARE-Saliksik-2020-cln": Log(19760, 1728, 19760, 0, 0, 0, 0, 1375, 0),
    "wagap-2013": Log(17900, 2176, 17898, 2, 0, 0, 2, 702, 2, machine=2176),
    "lublin_256": Log(10000, 256, 10000, 0, 0, 10000, 10000, 0, 0),
    "lublin_256_new2": Log(10000, 256, 10000, 0, 0, 10000, 10000, 0, 0),
}


def load(traces: Path, name: str, cleaning="standard") -> Loaded:
    path = traces / f"{name}.swf.gz"
    return read(path, machine_size=LOGS[name].machine, cleaning=cleaning)


def test_every_log_of_the_collection_is_here(traces):
    assert {path.name.removesuffix(".swf.gz") for path in traces.glob("*.swf.gz")} == set(LOGS)


@pytest.mark.slow
@pytest.mark.parametrize("name", LOGS)
def test_log_as_it_is(traces, name):
    w, report = load(traces, name, cleaning="none")
    log = LOGS[name]
    with_run = w.requested_time > 0
    assert len(w) == log.jobs
    assert w.machine_size == log.size
    assert report.lines_accounted()
    assert int((w.run < 0).sum()) == log.run_negative
    assert int((w.processors <= 0).sum()) == log.processors_missing
    assert int((w.requested_processors <= 0).sum()) == log.requested_missing
    assert int((w.requested_time <= 0).sum()) == log.request_missing
    assert int((w.run > w.requested_time)[with_run].sum()) == log.run_over_request
    assert int(((w.run <= 0) | (w.size <= 0)).sum()) == log.unusable


@pytest.mark.slow
@pytest.mark.parametrize("name", LOGS)
def test_log_with_standard_cleaning(traces, name):
    w, report = load(traces, name)
    assert report.lines_accounted()
    assert report.job_lines == LOGS[name].jobs
    assert report.kept == len(w) == LOGS[name].kept
    assert (w.submit >= 0).all()
    assert (w.run >= 0).all()
    assert (w.size > 0).all()
    assert (w.size <= LOGS[name].size).all()
    assert len(np.unique(report.lines_of("negative-run"))) <= LOGS[name].run_negative


@pytest.mark.slow
def test_counts_by_rule(traces):
    assert load(traces, "SDSC-BLUE-2000-4.2-cln").report.counts() == {
        "negative-run": 10744,
        "processors-missing": 8899,
        "run-over-request": 23434,
    }
    assert load(traces, "LLNL-Thunder-2007-1.1-cln").report.counts("dropped") == {
        "negative-submit": 1190,
        "no-processors": 1058,
    }


def test_narrow_machine_drops_wide_jobs(traces):
    w, report = read(traces / "KTH-SP2-1996-2.1-cln.swf.gz", machine_size=64)
    assert report.counts("dropped") == {"no-processors": 1, "too-wide": 320}
    assert w.size.max() == 64


def test_logs_without_header_say_that_the_machine_is_unknown(traces):
    report = read(traces / "RICC-2010-2.swf.gz", jobs=slice(0, 100)).report
    assert report.notes == ("the machine size is unknown: no job could be checked against it",)


def test_own_fields_of_a_log_are_ignored_and_reported(traces):
    own, link = load(traces, "wagap-2013").report.notes
    assert own.startswith("17,900 lines have fields after the 18th, up to field 21: ignored")
    assert link == "1 job waits for itself, directly or through others (field 17)"


def test_unsorted_log_is_kept_in_file_order_and_reported(traces):
    report = load(traces, "theta_argonne").report
    assert report.notes == ("8,056 jobs were submitted before the job of the line above",)


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("KTH-SP2-1996-2.1-cln", ":27323: field processors (5): neither allocated nor requested"),
        ("LLNL-Thunder-2007-1.1-cln", ":325: field submit (2): the submit time is negative: -1"),
    ],
)
def test_strict_reading_names_the_line(traces, name, place):
    with pytest.raises(InputError) as caught:
        load(traces, name, cleaning="strict")
    assert str(caught.value).startswith(f"{traces}/{name}.swf.gz{place}")


def test_strict_reading_accepts_a_clean_log(traces):
    assert len(load(traces, "theta_2022", cleaning="strict").workload) == 23911


@pytest.mark.parametrize("name", ["SDSC-SP2-1998-4.2-cln", "theta_argonne"])
def test_numbers_are_those_of_another_parser(traces, name):
    text = gzip.decompress((traces / f"{name}.swf.gz").read_bytes())
    table = np.loadtxt(text.decode("utf-8").splitlines(), comments=";")
    frame = load(traces, name, cleaning="none").workload.to_frame()
    assert np.array_equal(frame.to_numpy(float), table)


def test_positions_of_job_lines(traces):
    w, report = read(traces / "SDSC-BLUE-2000-4.2-cln.swf.gz", jobs=slice(5000, 10000))
    assert report.job_lines == 5000
    assert (
        w.job_id[0]
        == read(
            traces / "SDSC-BLUE-2000-4.2-cln.swf.gz", jobs=slice(5000, 5001), cleaning="none"
        ).workload.job_id[0]
    )
