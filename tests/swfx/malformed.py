"""Files that must be refused, each with the one line that says why.

`MALFORMED` is read with default options, by the library and by the command line alike.
"""

from __future__ import annotations

import gzip
import lzma
from dataclasses import dataclass
from pathlib import Path

import zstandard

GOOD = b"1 0 -1 10 4 -1 -1 4 60 -1 1 1 1 -1 1 -1 -1 -1"
HEADER = b"; MaxProcs: 8\n"
EXTENDED = b"; SWFX: 1.0\n; MaxProcs: 8\n"
PACKED_SOURCE = HEADER + b"".join(GOOD.replace(b"60", b"%d" % i) + b"\n" for i in range(1, 500))

CORRECT = "correct the line, or read leniently to drop it"
A_LOG = "give a log in the Standard Workload Format"
TEXT = "give SWF, plain or compressed by gzip, xz or zstd"
CHECK = "check that the file is of this format"
SIZE = "check the size of the machine (MaxProcs, `machine_size`)"
LIST = "get the log itself; for the formats that are read write: utilitysched list formats"
AGAIN = "fetch the file again"
LIMIT = "is beyond the limit of 2^53 = 9007199254740992"


@dataclass(frozen=True)
class Malformed:
    """A file's content and what must be said about it, after the file's path."""

    name: str
    content: bytes
    message: str

    def write_to(self, folder: Path) -> Path:
        """Make the file."""
        path = folder / f"{self.name}.swf"
        path.write_bytes(self.content)
        return path

    def expected(self, path: Path) -> str:
        """Whole line, without `error: `."""
        return f"{path}{self.message}"


def _line(field: int, token: bytes, message: str) -> tuple[bytes, str]:
    """Second of two job lines has `token` as field number `field`."""
    tokens = GOOD.split()
    tokens[field - 1] = token
    return HEADER + GOOD + b"\n" + b" ".join(tokens) + b"\n", f":3: field {message}; {CORRECT}"


def _tail(tail: bytes, message: str) -> tuple[bytes, str]:
    """Second of two job lines of an extended file ends with `tail`."""
    sound = GOOD + b" -1 -1 2 0 9 60 0\n"
    return EXTENDED + sound + GOOD + b" " + tail + b"\n", f":4: {message}; {CORRECT}"


def _estimate(tail: bytes, message: str) -> tuple[bytes, str]:
    """Second of two job lines of a file with both extra columns ends with `tail`."""
    content, expected = _tail(tail, message)
    head = EXTENDED + b"; ExtraColumns: soft_estimate confidence\n"
    sound = b"60 0\n", b"60 0 50 0.9\n"
    return content.replace(EXTENDED, head).replace(*sound, 1), expected.replace(":4:", ":5:")


def _curve(points: bytes, message: str) -> tuple[bytes, str]:
    return _tail(b"-1 -1 %d %s" % (len(points.split()) // 2, points), message)


_CASES: dict[str, tuple[bytes, str]] = {
    # whole files
    "empty": (b"", f": is empty; {A_LOG}"),
    "comments-only": (HEADER, f": holds no job lines; {A_LOG}"),
    "blank-lines-only": (b"\n \n\t\n", f": holds no job lines; {A_LOG}"),
    "binary": (b"\x7fELF\x02\x01\x01\0\0", f": is not text: byte 7 is 0; {TEXT}"),
    "utf-16": (GOOD.decode().encode("utf-16-le"), f": is not text: byte 1 is 0; {TEXT}"),
    "binary-without-nul": (
        b"\x89PNG\r\x1a\n" + GOOD,
        f": is an image; {LIST}",
    ),
    "html": (
        b"<!DOCTYPE html>\n",
        f": is a web page; {LIST}",
    ),
    "truncated-gzip": (
        gzip.compress(PACKED_SOURCE)[:-20],
        f": is truncated or broken compressed data: the end is missing; {AGAIN}",
    ),
    "gzip-wrong-checksum": (
        gzip.compress(PACKED_SOURCE)[:-8] + b"\0\0\0\0" + gzip.compress(PACKED_SOURCE)[-4:],
        (
            ": is truncated or broken compressed data: error -3 while decompressing data:"
            f" incorrect data check; {AGAIN}"
        ),
    ),
    "truncated-xz": (
        lzma.compress(PACKED_SOURCE)[:-20],
        f": is truncated or broken compressed data: the end is missing; {AGAIN}",
    ),
    "truncated-zstd": (
        zstandard.compress(PACKED_SOURCE)[:-5],
        f": is truncated or broken compressed data: the end is missing; {AGAIN}",
    ),
    "unknown-version": (
        b"; A: 1\n;SWFX: 2.0\n" + GOOD,
        ":2: field SWFX: unknown version of extended SWF: '2.0'; this reader knows 1.0",
    ),
    "unknown-extra-column": (
        EXTENDED + b"; ExtraColumns: soft_estimate mood\n" + GOOD + b" -1 -1 0 5 5\n",
        (
            ":3: field ExtraColumns: unknown column 'mood'; name each column once;"
            " the columns are soft_estimate, confidence, original_job, part_of,"
            " default_limit, suspended, eligible, submitted_before, rerunnable, labels and"
            " resources"
        ),
    ),
    "extra-column-twice": (
        b"; ExtraColumns: confidence confidence\n" + EXTENDED + GOOD + b" -1 -1 0 1 1\n",
        (
            ":1: field ExtraColumns: column 'confidence' is named twice; name each column once;"
            " the columns are soft_estimate, confidence, original_job, part_of,"
            " default_limit, suspended, eligible, submitted_before, rerunnable, labels and"
            " resources"
        ),
    ),
    # one field
    "word": _line(4, b"abc", "run (4): is not a decimal number: 'abc'"),
    "nan": _line(4, b"NaN", "run (4): is not finite: 'NaN'"),
    "infinity": _line(2, b"inf", "submit (2): is not finite: 'inf'"),
    "minus-infinity": _line(3, b"-Infinity", "wait (3): is not finite: '-Infinity'"),
    "hexadecimal": _line(5, b"0x10", "processors (5): is not a decimal number: '0x10'"),
    "underscore": _line(4, b"1_000", "run (4): is not a decimal number: '1_000'"),
    "thousands-comma": _line(4, b"1,000", "run (4): is not a decimal number: '1,000'"),
    "decimal-comma": _line(6, b"1,5", "cpu_time (6): is not a decimal number: '1,5'"),
    "two-points": _line(6, b"1.2.3", "cpu_time (6): is not a decimal number: '1.2.3'"),
    "lone-sign": _line(7, b"-", "memory (7): is not a decimal number: '-'"),
    "two-signs": _line(4, b"--1", "run (4): is not a decimal number: '--1'"),
    "lone-point": _line(7, b".", "memory (7): is not a decimal number: '.'"),
    "no-exponent": _line(4, b"1e", "run (4): is not a decimal number: '1e'"),
    "clock-time": _line(9, b"01:00:00", "requested_time (9): is not a decimal number: '01:00:00'"),
    "not-ascii": _line(12, "ä".encode(), "user (12): is not a decimal number: '\\xe4'"),
    "other-digits": _line(4, "٣".encode(), "run (4): is not a decimal number: '\\u0663'"),
    "latin-1": _line(13, b"\xe4", "group (13): is not a decimal number: '\\udce4'"),
    "missing-mark": _line(14, b"N/A", "executable (14): is not a decimal number: 'N/A'"),
    "long-word": _line(4, b"x" * 50, f"run (4): is not a decimal number: '{'x' * 40}...'"),
    "split-processors": _line(5, b"1.5", "processors (5): is not a whole number: '1.5'"),
    "fractional-user": _line(12, b"2e-1", "user (12): is not a whole number: '2e-1'"),
    "enormous-run": _line(4, b"1e300", f"run (4): {LIMIT}: '1e300'"),
    "infinite-by-exponent": _line(4, b"1e999", f"run (4): {LIMIT}: '1e999'"),
    "just-over-the-limit": _line(
        2, b"9007199254740993", f"submit (2): {LIMIT}: '9007199254740993'"
    ),
    "enormous-negative": _line(3, b"-1e16", f"wait (3): {LIMIT}: '-1e16'"),
    "wraps-64-bits": _line(
        5, b"18446744073709551617", f"processors (5): {LIMIT}: '18446744073709551617'"
    ),
    "old-mac-line-ends": (
        GOOD + b"\r" + GOOD + b"\r",
        f":1: field think_time (18): is not a decimal number: '-1\\r1'; {CORRECT}",
    ),
    # number of fields
    "short-line": (
        HEADER + GOOD + b"\n" + GOOD.rsplit(b" ", 1)[0] + b"\n",
        f":3: the line has 17 of 18 fields; {CORRECT}",
    ),
    "cut-in-the-middle": (
        HEADER + GOOD + b"\n\n" + GOOD[:3],
        f":4: the line has 2 of 18 fields; {CORRECT}",
    ),
    "after-windows-lines": (
        HEADER + GOOD + b"\r\n1 2\r\n",
        f":3: the line has 2 of 18 fields; {CORRECT}",
    ),
    # extended SWF
    "plain-line-in-extended-file": _tail(b"", "the line has 18 of 21 fields"),
    "no-number-of-points": _tail(b"-1 -1", "the line has 20 of 21 fields"),
    "interval-zero": _tail(
        b"0 5 0", "field checkpoint_interval (19): must be positive, or -1 for none: 0 s"
    ),
    "interval-negative": _tail(
        b"-2 5 0", "field checkpoint_interval (19): must be positive, or -1 for none: -2 s"
    ),
    "overhead-negative": _tail(
        b"60 -5 0", "field restart_overhead (20): must be 0 or more, or -1 for none: -5 s"
    ),
    "overhead-nan": _tail(b"60 nan 0", "field restart_overhead (20): is not finite: 'nan'"),
    "points-missing": _tail(
        b"-1 -1 3 0 9 60 0",
        "field utility points (21): 3 points take 6 fields, the line has 4 more",
    ),
    "points-left-over": _tail(
        b"-1 -1 1 0 9 60 0",
        "field utility points (21): 1 points take 2 fields, the line has 4 more",
    ),
    "odd-point": _tail(
        b"-1 -1 2 0 9 60", "field utility points (21): 2 points take 4 fields, the line has 3 more"
    ),
    "points-negative": _tail(b"-1 -1 -1", "field utility points (21): -1 points are impossible"),
    "points-fractional": _tail(
        b"-1 -1 1.5 0 9 60", "field utility points (21): is not a whole number: '1.5'"
    ),
    "points-enormous": _tail(
        b"-1 -1 1e6",
        "field utility points (21): 1000000 points take 2000000 fields, the line has 0 more",
    ),
    "one-point": _curve(
        b"0 9", "field utility time 1 (22): a utility function needs at least two points: 0"
    ),
    "late-start": _curve(b"1 9 60 0", "field utility time 1 (22): the first time must be 0: 1"),
    "times-equal": _curve(
        b"0 9 60 5 60 0", "field utility time 3 (26): times must be strictly increasing: 60"
    ),
    "times-falling": _curve(
        b"0 9 60 5 30 0", "field utility time 3 (26): times must be strictly increasing: 30"
    ),
    "values-rising": _curve(
        b"0 9 60 10", "field utility value 2 (25): values must not increase: 10"
    ),
    "value-negative": _curve(b"0 9 60 -1", "field utility value 2 (25): must not be negative: -1"),
    "value-nan": _curve(b"0 9 60 nan", "field utility value 2 (25): is not finite: 'nan'"),
    "value-enormous": _curve(b"0 1e20 60 0", f"field utility value 1 (23): {LIMIT}: '1e20'"),
    "tuples-in-extended-file": _tail(
        b"(0,9) (60,0)", "field checkpoint_interval (19): is not a decimal number: '(0,9)'"
    ),
    # extra columns
    "extra-columns-missing": _estimate(
        b"-1 -1 2 0 9 60 0",
        (
            "field utility points (21): 2 points and 2 extra columns take 6 fields, the line has 4"
            " more"
        ),
    ),
    "plain-line-under-extra-columns": _estimate(b"", "the line has 18 of 23 fields"),
    "estimate-zero": _estimate(
        b"-1 -1 0 0 1", "field soft_estimate (22): must be positive, or -1 for none: 0 s"
    ),
    "estimate-word": _estimate(
        b"-1 -1 2 0 9 60 0 soon 1", "field soft_estimate (26): is not a decimal number: 'soon'"
    ),
    "confidence-in-percent": _estimate(
        b"-1 -1 2 0 9 60 0 50 95",
        "field confidence (27): must be from 0 to 1, or -1 for none: 95",
    ),
    "confidence-negative": _estimate(
        b"-1 -1 0 50 -0.5",
        "field confidence (23): must be from 0 to 1, or -1 for none: -0.5",
    ),
    "confidence-nan": _estimate(b"-1 -1 0 50 nan", "field confidence (23): is not finite: 'nan'"),
    # nothing left after cleaning
    "all-jobs-dropped": (
        HEADER + GOOD.replace(b" 10 ", b" -1 ") + b"\n",
        f": no job is left of 1 line (negative-run 1); {CHECK}",
    ),
    "all-jobs-too-wide": (
        b"; MaxProcs: 2\n" + GOOD + b"\n",
        f": no job is left of 1 line (too-wide 1); {SIZE}",
    ),
}

MALFORMED = tuple(Malformed(name, *case) for name, case in _CASES.items())
