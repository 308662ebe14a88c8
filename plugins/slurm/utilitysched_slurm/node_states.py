"""States of nodes in which Slurm gives them to jobs, as of 22.05 to 25.05.

They are those by which slurmctld keeps its set of available nodes; power_save.html and sinfo(1)
describe them. A node that is powered down is woken by the job that gets it, and one that is
powering up takes jobs, which wait for it in state CONFIGURING; Slurm counts neither as missing,
though a node that is powering up does not respond. A node that is powering down takes no job until
it is down, after SuspendTimeout. One that is to power down takes jobs only as long as it is not
idle: with PowerDownOnIdle that is every node in use. POWER_DOWN_ASAP drains the node, too. A node
that Slurm's backfill has planned for a job takes any other that ends before.
"""

from collections.abc import Iterable

_NEVER = {
    "BLOCKED", "DOWN", "DRAIN", "DRAINED", "DRAINING", "DYNAMIC_FUTURE", "ERROR", "EXTERNAL",
    "FAIL", "FAILING", "FUTURE", "INVAL", "INVALID", "INVALID_REG", "MAINT", "MAINTENANCE",
    "POWERING_DOWN", "POWER_DOWN_ASAP", "POWER_DRAIN", "REBOOT", "REBOOT_ISSUED", "RESERVED",
    "UNKNOWN",
}  # fmt: skip
_SILENT = {"NOT_RESPONDING", "NO_RESPOND"}
_IN_USE = {"ALLOCATED", "MIXED", "COMPLETING"}

_SUFFIXES = {
    "*": "NOT_RESPONDING",
    "~": "POWERED_DOWN",
    "#": "POWERING_UP",
    "!": "POWER_DOWN",
    "%": "POWERING_DOWN",
    "$": "MAINTENANCE",
    "@": "REBOOT_REQUESTED",
    "^": "REBOOT_ISSUED",
    "-": "PLANNED",
}
"""Last letters of sinfo's State; StateComplete has all flags, State the first one only."""


def takes_jobs(states: Iterable[str]) -> bool:
    """Return whether Slurm gives idle processors of a node in these states to jobs.

    Examples
    --------
    >>> takes_jobs({"IDLE", "CLOUD", "POWERED_DOWN"}), takes_jobs({"IDLE", "POWERING_DOWN"})
    (True, False)
    """
    found = set(states)
    if found & _NEVER or (found & _SILENT and "POWERING_UP" not in found):
        return False
    return "POWER_DOWN" not in found or bool(found & _IN_USE)


def states_of(text: str) -> set[str]:
    """Return the states in sinfo's State or StateComplete of a node.

    Examples
    --------
    >>> sorted(states_of("idle~")), sorted(states_of("MIXED+CLOUD+POWERING_UP"))
    (['IDLE', 'POWERED_DOWN'], ['CLOUD', 'MIXED', 'POWERING_UP'])
    """
    words = text.upper().split("+")
    flag = _SUFFIXES.get(words[-1][-1:])
    if flag is not None:
        words = [*words[:-1], words[-1][:-1], flag]
    return {word for word in words if word}
