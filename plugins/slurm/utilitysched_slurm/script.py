"""The submission script that slurmctld runs: what is in force, by its answer to a probe.

A file beside some slurm.conf says little: slurmctld may run on another machine, with another file,
or one that it has not loaded again. So a job is tried, not submitted, whose comment only
`utilitysched_submit` answers, by a refusal that says what it was told.
"""

import json
from pathlib import Path
from typing import NamedTuple

from swfx import InputError
from utilitysched_slurm import commands
from utilitysched_slurm.commands import SlurmError

PROBE = "utilitysched?"
"""Comment of the job that is tried."""

BEAT = 60
"""s after which the script takes a market that gives no sign of life to be no more."""


class ScriptMarket(NamedTuple):
    """A market that the script knows.

    Attributes
    ----------
    partition : str
        Its only partition, if any.
    heartbeat : str
        File in which it gives signs of life.
    silence : int
        Time since the last one (s), -1 if there is none.
    """

    partition: str
    heartbeat: str
    silence: int


class ScriptInForce(NamedTuple):
    """A submission script that gives jobs to the market.

    Attributes
    ----------
    release : str
        Release of its functions.
    modify : bool
        Whether it gives changes of jobs to them, too.
    operators : list of int
        Uids of those who may release what a market holds.
    markets : list of ScriptMarket
        Markets that it knows.
    """

    release: str
    modify: bool
    operators: list[int]
    markets: list[ScriptMarket]


class ScriptProbe(NamedTuple):
    """Outcome of a probe.

    Attributes
    ----------
    script : ScriptInForce or None
        What is in force, None if nothing answers.
    taken : bool
        Whether Slurm would take the job: then no function of ours is asked.
    message : str
        What Slurm says instead of an answer.
    """

    script: ScriptInForce | None = None
    taken: bool = False
    message: str = ""


def probe() -> ScriptProbe:
    """Return what slurmctld makes of a job that is tried; no job is submitted."""
    try:
        taken, text = commands.try_job(PROBE)
    except SlurmError as error:
        return ScriptProbe(message=str(error))
    return read_probe(text, taken=taken)


def read_probe(text: str, *, taken: bool) -> ScriptProbe:
    """Return the outcome of a probe by what ``sbatch --test-only`` says.

    Examples
    --------
    >>> read_probe("allocation failure: Invalid account specified", taken=False).message
    'allocation failure: Invalid account specified'
    """
    if taken:
        return ScriptProbe(taken=True)
    for line in text.splitlines():
        start = line.find('{"utilitysched":')
        if start >= 0:
            try:
                return ScriptProbe(_script(json.loads(line[start:])))
            except (ValueError, KeyError, TypeError):
                return ScriptProbe(message=f"an answer that cannot be read: {line[start:]}")
    lines = text.strip().splitlines() or ["nothing"]
    return ScriptProbe(message=lines[0].removeprefix("sbatch: ").removeprefix("error: "))


def _script(document: dict[str, object]) -> ScriptInForce:
    operators, markets = document["operators"], document["markets"]
    if not isinstance(operators, list) or not isinstance(markets, list):
        raise TypeError("no lists")
    known = [ScriptMarket(**each) for each in markets]
    release, modify = str(document["utilitysched"]), document["modify"] is True
    return ScriptInForce(release, modify, [int(uid) for uid in operators], known)


def require_heartbeat(partition: str, heartbeat: Path) -> None:
    """Refuse a script in force that does not see a market, which has just given a sign of life.

    Parameters
    ----------
    partition : str
        Only partition of the market, if any.
    heartbeat : Path
        File in which it gives signs of life.

    Raises
    ------
    InputError
        New jobs would start past the market, or wait for one that does not take them.
    """
    found = probe()
    known = [] if found.script is None else found.script.markets
    mine = [each for each in known if each.partition == partition and 0 <= each.silence < BEAT]
    if any(Path(each.heartbeat).resolve() == heartbeat.resolve() for each in mine):
        return
    own = f'partition = "{partition}", ' if partition else ""
    raise InputError(
        f"the script in force sees no sign of life of a market of {partition or 'all partitions'}"
        f" in {heartbeat}",
        source="job_submit.lua",
        remedy=f'utilitysched.markets = {{ {{ {own}heartbeat = "{heartbeat.resolve()}" }} }} there,'
        " in a folder that SlurmUser may enter",
    )
