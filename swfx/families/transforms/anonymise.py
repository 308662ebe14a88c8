"""Users, accounts, job names and so on that nobody can name."""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from swfx.base.atomic import atomic_write
from swfx.base.columns import Ints
from swfx.base.configured import choice, option
from swfx.base.errors import InputError, failed
from swfx.families.generators.randomness import stream
from swfx.families.transformation import TRANSFORMS, Transformation, Transformed
from swfx.fields import MISSING
from swfx.header import Header, named
from swfx.job_names import JOB_KEY
from swfx.label_kinds import LABEL_KINDS
from swfx.labels import FIELD_KINDS, label_column, label_names
from swfx.workload import Workload

KINDS = (
    "user",
    "group",
    "executable",
    "account",
    "project",
    "department",
    "job_name",
    "cluster",
    "comment",
)
"""Kinds of labels that tell who somebody is; queues, partitions, QOS and states do not."""

NAMING = (*(LABEL_KINDS[kind].key for kind in KINDS), "Application", JOB_KEY)
"""Header keys whose lines tie numbers to names."""
NUMBERED = ("UtilityModel", "Transformation")
"""Header keys whose lines may hold numbers of users, as in ``filter:user=70``."""
ORDERS = ("appearance", "random")

TOLD = (
    "Version", "SWFX", "ExtraColumns", "UtilityUnits", "SoftEstimates", "MaxJobs", "MaxRecords",
    "MaxProcs", "MaxNodes", "MaxRuntime", "MaxMemory", "MaxQueues", "MaxPartitions",
    "AllowOveruse", "UnixStartTime", "TimeZone", "TimeZoneString", "StartTime", "EndTime",
    "Preemption", "Queues", "Queue", "Partitions", "Partition", "QOS", "State",
    *(f"{LABEL_KINDS[kind].key}Means" for kind in FIELD_KINDS),
)  # fmt: skip
"""Header keys whose lines stay beside pseudonyms; all others may say whose log it is."""

LEAST_SALT = 16
"""Bytes of a salt: a shorter one can be tried out."""

IN_ENVIRONMENT = "env:"

_DIGEST, _LETTERS = 8, 12
"""Bytes of a keyed hash, and letters of base32 that are taken of it: 60 bits."""


@TRANSFORMS.register("anonymise")
@dataclass(frozen=True)
class Anonymise(Transformation):
    """Renumber users, accounts and other labels, and drop their names.

    Lines that say how the workload was made (UtilityModel, Transformation) go, too, as they may
    hold the old numbers. Names of queues, partitions, QOS and states stay, and without a salt the
    header's free text.

    Parameters
    ----------
    order : {"appearance", "random"}
        New numbers 1, 2, ... in the order of first appearance, or shuffled by the seed. Whoever
        knows the seed can undo the shuffle, and order of appearance tells who came first.
    mapping : str, optional
        File (CSV: column, number, new) to write old and new numbers to; by default nothing is kept.
    salt : str, optional
        File that holds a secret, or ``env:NAME``: names become pseudonyms that are the same for the
        same name and salt in every log, numbers follow their order, and of the header only keys are
        left that tell of the machine, the clock and queues. The secret is written nowhere.

    Examples
    --------
    >>> log = Workload.from_columns(submit=[0, 5, 9], user=[70, -1, 3], group=[9, 9, 9])
    >>> done = Anonymise().apply(log, 0).workload
    >>> done.user.tolist(), done.group.tolist()
    ([1, -1, 2], [1, 1, 1])
    """

    order: str = choice(ORDERS, "appearance")
    mapping: str = option(str, "")
    salt: str = option(str, "")

    @property
    def stochastic(self) -> bool:
        """Only shuffling draws."""
        return self.order == "random" and not self.salt

    @property
    def label(self) -> str:
        """Text that makes this thing again, but for where the salt is."""
        text = super().label
        return text.replace(f"salt={self.salt}", "salt=...") if self.salt else text

    def apply(self, workload: Workload, seed: int) -> Transformed:
        """Give the new numbers.

        Raises
        ------
        InputError
            The salt cannot be read, or is too short.
        """
        secret = read_salt(self.salt) if self.salt else b""
        columns = _columns(workload)
        old: dict[str, Ints] = {}
        lines: list[str] = []
        for name, kind in columns.items():
            numbers = self._numbers(workload, name, seed)
            if secret:
                pseudonyms = _pseudonyms(workload.header, kind, numbers, secret)
                numbers = np.array(sorted(numbers.tolist(), key=pseudonyms.__getitem__), np.int64)
                key = LABEL_KINDS[kind].key
                lines += (
                    named(key, new, pseudonyms[number])
                    for new, number in enumerate(numbers.tolist(), 1)
                )
            old[name] = numbers
        renumbered = {name: _renumbered(workload.column(name), old[name]) for name in old}
        header = workload.header.without(*NAMING, *NUMBERED)
        if secret:
            header = Header((*header.only(*TOLD).lines, *lines))
        if self.mapping:
            with atomic_write(self.mapping) as file:
                file.write("".join(_rows(old)).encode())
        names = ", ".join(
            f"{len(numbers):,} {LABEL_KINDS[columns[name]].words}s" for name, numbers in old.items()
        )
        return Transformed(
            workload.replace(header=header, **renumbered),
            (f"new numbers for {names}; {_taken_out(workload.header, header, bool(secret))}",),
        )

    def _numbers(self, workload: Workload, name: str, seed: int) -> Ints:
        """Old numbers in the order of their new ones."""
        column = workload.column(name)
        numbers, first = np.unique(column[column >= 0], return_index=True)
        numbers = numbers[np.argsort(first, kind="stable")]
        if self.order == "random":
            numbers = stream(seed, f"anonymise {name}").permutation(numbers)
        return numbers


def read_salt(text: str) -> bytes:
    """Read a secret from a file, or from the environment (``env:NAME``).

    Raises
    ------
    InputError
        It is not there, or too short.
    """
    if text.startswith(IN_ENVIRONMENT):
        secret = os.environ.get(text.removeprefix(IN_ENVIRONMENT), "").encode()
    else:
        try:
            secret = Path(text).read_bytes()
        except OSError as error:
            raise failed("cannot be read", error, text, "give a file, or env:NAME") from error
    secret = secret.strip()
    if len(secret) < LEAST_SALT:
        raise InputError(
            f"holds {len(secret)} bytes, and can be guessed",
            source=text,
            remedy=f"give a secret of {LEAST_SALT} bytes or more; one that nobody guesses:"
            " head -c 32 /dev/urandom | base64",
        )
    return secret


def _columns(workload: Workload) -> dict[str, str]:
    """Columns that are renumbered, and the kind of each: the three that may, and what jobs have."""
    kinds = ("user", "group", "executable", *workload.labels.kinds)
    columns = ((label_column(workload.header, kind), kind) for kind in kinds if kind in KINDS)
    return {name: kind for name, kind in columns if name is not None}


def _pseudonyms(header: Header, kind: str, numbers: Ints, secret: bytes) -> dict[int, str]:
    """Pseudonyms of numbers: of their names, or of themselves where they have none."""
    names = label_names(header, kind).names
    key = hashlib.sha256(secret).digest()
    return {
        number: f"{kind}-{_pseudonym(kind, names.get(number) or str(number), key)}"
        for number in numbers.tolist()
    }


def _pseudonym(kind: str, name: str, key: bytes) -> str:
    text = f"{kind}\0{name}".encode("utf-8", "surrogateescape")
    digest = hashlib.blake2b(text, key=key, digest_size=_DIGEST).digest()
    return base64.b32encode(digest)[:_LETTERS].decode("ascii").lower()


def _taken_out(before: Header, after: Header, salted: bool) -> str:
    if salted:
        kept = len(set(before.lines) & set(after.lines))
        return f"header lines removed: {len(before.lines) - kept:,} of {len(before.lines):,}"
    gone = ((key, len(before.all(key))) for key in (*NAMING, *NUMBERED))
    return f"header lines removed: {', '.join(f'{n} {key}' for key, n in gone if n) or 'none'}"


def _renumbered(column: Ints, numbers: Ints) -> Ints:
    ascending = np.argsort(numbers, kind="stable")
    new = np.full(len(column), MISSING, np.int64)
    known = column >= 0
    new[known] = ascending[np.searchsorted(numbers[ascending], column[known])] + 1
    return new


def _rows(old: dict[str, Ints]) -> Iterator[str]:
    yield "column,number,new\n"
    for name, numbers in old.items():
        yield from (f"{name},{number},{new}\n" for new, number in enumerate(numbers.tolist(), 1))
