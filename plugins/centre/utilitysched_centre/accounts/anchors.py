"""Anchors: seals kept outside of a ledger, so that it cannot be made anew unnoticed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from pricing.properties import Check
from swfx import InputError
from swfx.base.atomic import atomic_write
from swfx.base.errors import failed


class Anchor(NamedTuple):
    """Seal of a posting, kept outside the ledger.

    Attributes
    ----------
    posting : int
        The last one then.
    seal : str
        Of this posting, and so of all before it.
    sealed_at : str
        When it was written down, in UTC.
    """

    posting: int
    seal: str
    sealed_at: str


def read_anchors(path: Path) -> list[Anchor]:
    """Read a file of anchors, a JSON object on each line.

    Raises
    ------
    InputError
        It cannot be read, or a line is none.
    """
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, ValueError) as error:
        remedy = "make one with: utilitysched ledger seal LEDGER --to FILE"
        raise failed("cannot be read", error, path, remedy) from error
    anchors = []
    for number, line in enumerate(lines, start=1):
        try:
            cells = json.loads(line)
            anchors.append(
                Anchor(int(cells["posting"]), str(cells["seal"]), str(cells["sealed_at"]))
            )
        except (ValueError, KeyError, TypeError) as error:
            problem = "is no anchor of a ledger"
            raise InputError(problem, source=str(path), line=number) from error
    return anchors


def write_anchor(path: Path, anchor: Anchor) -> None:
    """Add an anchor to a file, which is complete or as it was.

    Raises
    ------
    InputError
        It cannot be read or written.
    """
    before = read_anchors(path) if path.exists() else []
    with atomic_write(path) as stream:
        for each in [*before, anchor]:
            stream.write((json.dumps(each._asdict()) + "\n").encode())


def check_anchors(anchors: Sequence[Anchor], seals: Mapping[int, str]) -> Check:
    """Say whether a ledger still has the seals that were written down.

    Parameters
    ----------
    anchors : sequence of Anchor
        As they were read.
    seals : mapping of int to str
        Of the ledger's postings, by number.
    """
    for anchor in anchors:
        if anchor.posting not in seals:
            problem = f"posting {anchor.posting} of {anchor.sealed_at} is missing"
            return Check("anchors", holds=False, detail=problem)
        if seals[anchor.posting] != anchor.seal:
            problem = f"posting {anchor.posting} had another seal on {anchor.sealed_at}"
            return Check("anchors", holds=False, detail=problem)
    latest = max((anchor.posting for anchor in anchors), default=0)
    problem = f"{len(anchors):,} kept, the latest of posting {latest}"
    return Check("anchors", bool(anchors), problem if anchors else "the file has none")
