"""Commands of Slurm: nothing else in the package runs any."""

import os
import pwd
import re
import secrets
import shutil
import subprocess
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Literal, NamedTuple

import numpy as np

from swfx import InputError
from swfx.base.ranges import bounds_in, ranges_text
from utilitysched_slurm.accounting import AT_ONCE, COLUMNS, seconds_of
from utilitysched_slurm.listings import (
    JOB_COLUMNS,
    NODE_COLUMNS,
    ArrayLimits,
    Row,
    format_of,
    rows_of,
)

PATIENCE = 60.0
"""s after which a command is given up: a client without its controller asks for some 10."""

_PLAIN = re.compile(r"[!-&(-\[\]-~]{0,3900}")
"""Jobs and values that scontrol reads from standard input; others take a command of their own."""

LONGEST_LIST = 3000
"""Letters of a list of jobs in one order: scontrol reads lines of 4,096."""

CHECKPOINT = "USR1"
"""Signal upon which batch scripts are to write a checkpoint."""

_ABOUT = re.compile(r"(?:\bjob |^\s*(?=\d+_[^:]*: (?!No error)))(\d+)(?:_\[?(\d[\d,-]*))?")
"""Where scontrol names a job with which something is wrong, or tasks: ``7_1-3,5: ...``; from 26.05
on ``7_[1-3,5]: ...``."""

MOST_QUOTED = 200
"""Letters of an answer that are shown and logged."""

UNREADABLE = "an answer cannot be read: "
"""Beginning of a refusal that names no job: nobody knows what was done."""

_RESERVED = re.compile(r"ReservationName=(.*?) StartTime=(\S+) EndTime=(\S+) ")

_TOLD = re.compile(r"^DBD Agent queue size: *0$", re.MULTILINE)
"""What sdiag says where nothing waits for slurmdbd."""

OWN_SETTINGS = ("SQUEUE_", "SINFO_", "SACCT_", "SCONTROL_", "SBATCH_", "SLURM_TIME_FORMAT")
"""Beginnings of what in the environment would change what is printed."""

PACKAGES = "install Slurm's clients (Debian: slurm-client), and set SLURM_CONF if need be"


Verb = Literal["hold", "describe", "release", "nice", "checkpoint", "requeue"]


class Action(NamedTuple):
    """Something that is to be done with a job.

    Attributes
    ----------
    verb : {"hold", "describe", "release", "nice", "checkpoint", "requeue"}
        Hold it as an administrator; set its AdminComment; let it start, now, or by a priority and
        at a time of its own; set what is taken from its priority; signal its script to write a
        checkpoint; end its run and hold it.
    key : str
        What users call the job: 17, or 15_3 for a task of an array.
    value : str
        The AdminComment, what is taken, or the priority of a release; empty: as Slurm would have
        it.
    """

    verb: Verb
    key: str
    value: str = ""


class SlurmError(InputError):
    """A command of Slurm that failed: it may work again later."""


class UnreadableError(SlurmError):
    """An answer of Slurm that cannot be read."""


def excerpt(text: str) -> str:
    """Return the beginning of an answer of Slurm as a line that may be shown and logged.

    Examples
    --------
    >>> excerpt("slurm_load_jobs error: " + chr(0) + "?")
    'slurm_load_jobs error:  ?'
    """
    line = "".join(each if each.isprintable() else " " for each in text[:MOST_QUOTED])
    return line if len(text) <= MOST_QUOTED else f"{line} ..."


def queue() -> list[Row]:
    """Return squeue's rows of all jobs, with jobs that ended a moment ago."""
    mark = f"|{secrets.token_hex(6)}|"
    command = ("squeue", "--noheader", "--noconvert", "--states=all", "--array", "--sort=i")
    # others can read our arguments, and might forge a listing by them
    asked = {"SQUEUE_FORMAT2": format_of(JOB_COLUMNS, mark)}
    rows = _rows(_output(command, _environment() | asked), JOB_COLUMNS, mark)
    _LIMITS.fill(rows)
    return list(rows)


def nodes() -> list[Row]:
    """Return sinfo's rows of all nodes, one for each partition of a node."""
    asked = f"--Format={format_of(NODE_COLUMNS, '|')}"
    command = ("sinfo", "--noheader", "--noconvert", "--all", "--Node", "--exact", asked)
    return list(_rows(_output(command), NODE_COLUMNS, "|"))


def _rows(text: str, columns: Sequence[str], mark: str) -> list[dict[str, str]]:
    try:
        return rows_of(text, columns, mark)
    except ValueError as error:
        program = "squeue" if columns is JOB_COLUMNS else "sinfo"
        raise UnreadableError(f"{error}: {excerpt(text)}", source=program) from error


def _shown(array: str) -> str:
    """Return what scontrol shows of the jobs of an array, nothing where they are gone."""
    done = _run(["scontrol", "show", "job", array, "--oneliner"])
    return "" if done.returncode else done.stdout


_LIMITS = ArrayLimits(_shown)


class Reservation(NamedTuple):
    """A reservation: its name, and from when to when it is (s of Unix time)."""

    name: str
    start: float
    end: float


def reservations(prefix: str) -> list[Reservation]:
    """Return the reservations whose names begin so.

    Raises
    ------
    SlurmError
        Slurm does not answer, or not with reservations.
    """
    found = []
    for line in _output(["scontrol", "show", "reservation", "--oneliner"]).splitlines():
        if line.startswith(f"ReservationName={prefix}"):
            try:
                name, *times = _RESERVED.match(line).groups()  # type: ignore[union-attr]
                found.append(Reservation(name, *map(seconds_of, times)))
            except (AttributeError, ValueError) as error:
                raise UnreadableError(excerpt(f"prints {line}"), source="scontrol") from error
    return found


def reserve(reservation: Reservation, *, there: bool) -> None:
    """Create a reservation of all nodes for root, or move the one that is there.

    Raises
    ------
    SlurmError
        There is one of this name, or none that is to be moved, or Slurm refuses.
    """
    start, end = (
        datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%dT%H:%M:%S")
        for time in (reservation.start, reservation.end)
    )
    what = (f"ReservationName={reservation.name}", f"StartTime={start}", f"EndTime={end}")
    verb = ("update",) if there else ("create", "reservation")
    more = () if there else ("Users=root", "Nodes=ALL", "Flags=IGNORE_JOBS,OVERLAP")
    _output(["scontrol", *verb, *what, *more])


def unreserve(name: str) -> None:
    """Delete a reservation.

    Raises
    ------
    SlurmError
        There is none, or Slurm refuses.
    """
    _output(["scontrol", "delete", f"ReservationName={name}"])


def configuration() -> str:
    """Return the configuration printed by scontrol."""
    return _output(["scontrol", "show", "config"])


def waits(keys: Sequence[str]) -> list[str]:
    """Return the jobs among `keys` that wait; Slurm forgets jobs that ended."""
    command = (
        "--noheader",
        "--array",
        "--states=PENDING",
        f"--jobs={','.join(keys)}",
        "--format=%i",
    )
    try:
        waiting = set(_output(["squeue", *command]).split())
        return [key for key in keys if key in waiting]
    except SlurmError as error:
        if "Invalid job id" in str(error):
            return []
        raise


class Caller(NamedTuple):
    """Who would tell Slurm what to do: name, level of accounting if any, and uid."""

    name: str
    level: str
    uid: int


def caller() -> Caller:
    """Return our user; the level is empty on a cluster without accounting."""
    uid = os.geteuid()
    name = pwd.getpwuid(uid).pw_name
    command = ("sacctmgr", "--noheader", "--parsable2", "show", "user", name, "format=AdminLevel")
    try:
        return Caller(name, _output(command).strip(), uid)
    except SlurmError:
        return Caller(name, "", uid)


def apply(actions: Sequence[Action]) -> dict[str, str]:
    """Carry out actions, signals first, and return Slurm's refusals by job.

    Nobody is to hold and release a job at once. Where an answer cannot be read, all that it may be
    about counts as refused, with a reason that begins with `UNREADABLE`.

    Raises
    ------
    SlurmError
        Slurm does not answer: nobody knows what was done.
    """
    refused: dict[str, str] = {}
    keys = [each.key for each in actions]
    signals = [each.key for each in actions if each.verb == "checkpoint"]
    for key in signals:
        done = _run(["scancel", f"--signal={CHECKPOINT}", "--batch", key])
        if done.returncode:
            refused[key] = _last_line(done)
    orders = in_one_go(by_array(actions))
    plain = [each for each in orders if _PLAIN.fullmatch(each.key + each.value)]
    if lines := [line for each in plain for line in _lines(each)]:
        refused |= _refusals(_run(["scontrol"], "".join(f"{line}\n" for line in lines)), keys)
    for each in orders:
        if not _PLAIN.fullmatch(each.key + each.value):
            for line in _lines(each):
                refused |= _refusals(_run(["scontrol", *line.split(" ", 2)]), keys)
    return refused


def by_array(actions: Iterable[Action]) -> list[Action]:
    """Return the same with one action for all tasks of an array with which the same is to be done.

    Examples
    --------
    >>> [each.key for each in by_array([Action("hold", key) for key in ("7_1", "8", "7_2", "7_9")])]
    ['7_[1-2,9]', '8']
    """
    tasks: dict[Action, list[int]] = {}
    for each in actions:
        array, separator, task = each.key.partition("_")
        same = tasks.setdefault(each._replace(key=array + separator), [])
        if task:
            same.append(int(task))
    return [each._replace(key=f"{each.key}{_tasks(mine)}") for each, mine in tasks.items()]


def in_one_go(actions: Iterable[Action]) -> list[Action]:
    """Return the same with one action for all jobs with which the same is to be done.

    Examples
    --------
    >>> [each.key for each in in_one_go([Action("hold", "7_[1-2]"), Action("hold", "8")])]
    ['7_[1-2],8']
    """
    lists: dict[Action, list[str]] = {}
    for each in actions:
        mine = lists.setdefault(each._replace(key=""), [""])
        if len(mine[-1]) + len(each.key) > LONGEST_LIST:
            mine.append("")
        mine[-1] += f",{each.key}" if mine[-1] else each.key
    return [each._replace(key=keys) for each, mine in lists.items() for keys in mine]


def _tasks(numbers: Sequence[int]) -> str:
    """Return tasks as an expression of scontrol."""
    text = ranges_text(np.unique(np.array(numbers, np.int64))).replace(" ", ",")
    return text if len(numbers) < 2 else f"[{text}]"


def submit(arguments: Sequence[str]) -> str:
    """Run sbatch as our user would, in his own environment, and return all that it says.

    Raises
    ------
    SlurmError
        It refuses.
    """
    done = _run(["sbatch", *arguments], environment=dict(os.environ))
    if done.returncode:
        lines = [line for line in done.stderr.strip().splitlines() if not line.startswith("Try ")]
        errors = [line for line in lines if "error: " in line] or lines or ["refuses"]
        message = errors[0 if "error: " in errors[0] else -1]
        message = message.removeprefix("sbatch: ").removeprefix("error: ")
        raise SlurmError(excerpt(message), source="sbatch")
    return done.stderr + done.stdout


def try_job(comment: str) -> tuple[bool, str]:
    """Return whether Slurm would take a small job with a comment, and what it says.

    What sbatch asks for besides comes from our user's environment: SBATCH_ACCOUNT and others.
    """
    job = ("--ntasks=1", "--time=1", "--wrap=true", f"--comment={comment}")
    done = _run(["sbatch", "--test-only", *job], environment=dict(os.environ))
    return done.returncode == 0, done.stderr


def comment(key: str, text: str) -> None:
    """Change the comment of a job.

    Raises
    ------
    SlurmError
        Our user may not.
    """
    done = _run(["scontrol", "update", f"JobId={key}", f"Comment={text}"])
    if done.returncode:
        raise SlurmError(_last_line(done), source="scontrol")


def default_limit(partition: str) -> str:
    """Return how long jobs of a partition may run that do not say for how long."""
    options = (f"--partition={partition}",) if partition else ()
    line = _output(["sinfo", "--noheader", *options, "--format=%L %l"]).partition("\n")[0]
    default, _, longest = line.partition(" ")
    return longest if default in {"n/a", "N/A"} else default


def _lines(action: Action) -> Iterator[str]:
    """Yield what scontrol is told; a release comes first: held jobs take no priority."""
    match action.verb:
        case "hold":
            yield f"update JobId={action.key} Priority=0"  # "hold" reads the whole array first
        case "describe":
            yield f"update JobId={action.key} AdminComment={action.value}"
        case "release":
            yield f"release {action.key}"
            if action.value:  # else it is Slurm's again, which keeps the StartTime of its user
                yield f"update JobId={action.key} StartTime=now Priority={action.value}"
        case "nice":
            yield f"update JobId={action.key} Nice={action.value}"
        case "requeue":
            yield f"requeuehold Incomplete {action.key}"  # what has ended would run once more
        case "checkpoint":
            return


def _refusals(done: subprocess.CompletedProcess[str], keys: Collection[str]) -> dict[str, str]:
    """Return scontrol's refusals by job, of jobs that it was told about.

    Raises
    ------
    SlurmError
        Slurm does not answer.
    """
    if "Unable to contact" in done.stderr:
        raise SlurmError(_last_line(done), source="scontrol")
    arrays: dict[str, list[str]] = {}
    for key in keys:
        arrays.setdefault(key.partition("_")[0], []).append(key)
    refusals = {}
    for line in done.stderr.splitlines():
        if about := _ABOUT.search(line):
            told = arrays.get(about[1], [])
            refusals.update(dict.fromkeys(_named(told, about[2] or ""), excerpt(line.strip())))
    if done.returncode and not refusals:
        return dict.fromkeys(keys, f"{UNREADABLE}scontrol: {_last_line(done)}")
    return refusals


def _named(told: Collection[str], tasks: str) -> list[str]:
    """Return the jobs of an array, told about, which an expression of tasks names; empty is all."""
    if not tasks:
        return list(told)
    try:
        low, high = bounds_in(tasks.replace(",", " "))
    except (ValueError, OverflowError):
        return list(told)
    numbers = [int(key.partition("_")[2] or -1) for key in told]
    within = [bool(np.any((low <= number) & (number < high))) for number in numbers]
    return [key for key, named in zip(told, within, strict=True) if named]


def accounted(keys: Sequence[str]) -> str:
    """Return what sacct says of all runs of some jobs, of arrays as a whole.

    The lines are those of `utilitysched_slurm.accounting`.
    """
    columns, numbers = ",".join(COLUMNS), sorted({key.partition("_")[0] for key in keys}, key=int)
    command = ("sacct", "--allusers", "--allocations", "--duplicates", "--noheader", "--parsable2")
    return "".join(
        _output([*command, f"--format={columns}", f"--jobs={','.join(numbers[i : i + AT_ONCE])}"])
        for i in range(0, len(numbers), AT_ONCE)
    )


def is_current() -> bool:
    """Return whether slurmdbd has heard of all that slurmctld has to tell it."""
    return _TOLD.search(_output(["sdiag"])) is not None


def _output(command: Sequence[str], environment: Mapping[str, str] | None = None) -> str:
    """Return what a command prints.

    Raises
    ------
    SlurmError
        It is not there, takes too long, or fails.
    """
    done = _run(command, environment=environment)
    if done.returncode:
        raise SlurmError(_last_line(done), source=" ".join(command[:2]))
    return done.stdout


def _last_line(done: subprocess.CompletedProcess[str]) -> str:
    lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
    return excerpt(lines[-1])


def _run(
    command: Sequence[str], stdin: str = "", environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command, which is told something on standard input, by default with plain output.

    Raises
    ------
    SlurmError
        It is not there, or takes too long.
    """
    path = shutil.which(command[0])
    if path is None:
        raise SlurmError("is not on this machine", source=command[0], remedy=PACKAGES)
    try:
        return subprocess.run(
            [path, *command[1:]],
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            env=_environment() if environment is None else environment,
            timeout=PATIENCE,
            check=False,
            process_group=0,  # a second Ctrl-C would end what releases the jobs
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SlurmError(excerpt(str(error)), source=command[0]) from error


def _environment() -> dict[str, str]:
    """Return our environment, with plain output in UTC and array tasks in full."""
    kept = {key: text for key, text in os.environ.items() if not key.startswith(OWN_SETTINGS)}
    return kept | {"LC_ALL": "C.UTF-8", "TZ": "UTC", "SLURM_BITSTR_LEN": "0"}
