"""Preconditions of the market on a Slurm: what its configuration must say, and what to change."""

import math
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from swfx import InputError
from utilitysched_slurm import commands
from utilitysched_slurm.commands import Caller, SlurmError
from utilitysched_slurm.installed_files import script_release
from utilitysched_slurm.script import ScriptInForce, ScriptProbe, probe

WATCH, COMMAND, CHARGE = "watch", "command", "charge"
"""What conditions are there for: reading the queue; starting and preempting jobs; a ledger."""

OLDEST, NEWEST = (22, 5), (25, 5)
"""Versions whose answers are read: 22.05.8 and 24.11.5 on private clusters, 25.05.8 as recorded."""

DELAYS = (25, 11)
"""Version from which on Slurm takes the pause of requeued jobs from requeue_delay, too."""

PAUSES = (5.0, 30.0)
"""s from and to which a requeued job may wait: cred_expire below that is ignored by Slurm, above
it nobody's preempted job would be back soon."""

DRIFT = 2.0
"""s by which our clock may differ from the controller's: curves fall by the second."""

REMEMBERED = 120.0
"""s for which Slurm must at least remember jobs that ended: two looks at 30 s may be missed."""

_PLUGINS = {
    "SchedulerType": (("sched/backfill",), "sched/builtin starts jobs in order of submission"),
    "PriorityType": (
        ("priority/basic", "priority/multifactor"),
        "others do not keep the priorities they are given",
    ),
    "PreemptType": (
        ("preempt/none", "(null)"),
        "Slurm would preempt jobs that the market has started",
    ),
    "AccountingStorageType": (
        ("accounting_storage/slurmdbd",),
        "charges are made from what sacct lists",
    ),
}
"""What will do, the first of it put forward, and why nothing else will."""


class Precondition(NamedTuple):
    """A condition, and what was found.

    Attributes
    ----------
    name : str
        What it is about, as slurm.conf calls it where it does.
    found : str
        What there is.
    problem : str
        Why that will not do, or why nobody knows; empty if it will.
    line : str
        What to put into slurm.conf or another file that it names, or to do.
    purpose : str
        What it is there for; what a ledger needs presupposes command, and command the watch.
    known : bool
        Whether it could be checked; what could not is no better than what fails.
    """

    name: str
    found: str
    problem: str = ""
    line: str = ""
    purpose: str = ""
    known: bool = True

    @property
    def verdict(self) -> str:
        """Word for people: ok, FAILED or not checked."""
        return "not checked" if not self.known else "FAILED" if self.problem else "ok"


SCRIPT = "job_submit.lua"
"""Beside the slurm.conf of slurmctld: what it asks of each job that is submitted or changed."""


def checked(now: float) -> list[Precondition]:
    """Return all conditions of the cluster here, met or not.

    Parameters
    ----------
    now : float
        The time (s of Unix time).

    Raises
    ------
    SlurmError
        Slurm does not answer, or not with a configuration.
    """
    text = commands.configuration()
    found = probe() if "lua" in _submit_plugins(_settings(text)) else ScriptProbe()
    return preconditions(text, commands.caller(), now, found)


def preconditions(text: str, caller: Caller, now: float, found: ScriptProbe) -> list[Precondition]:
    """Return all conditions, met or not.

    Parameters
    ----------
    text : str
        What ``scontrol show config`` prints, with times in UTC.
    caller : Caller
        Who asks.
    now : float
        When it was printed (s of Unix time).
    found : ScriptProbe
        What slurmctld made of a job that was tried.

    Raises
    ------
    SlurmError
        It is no configuration.
    """
    settings = _settings(text)
    plugins = {name: _plugin(name, settings) for name in _PLUGINS}
    charge = plugins.pop("AccountingStorageType")
    submission = [_submission(settings), _script(settings, found), _operators(caller, found)]
    command = [_requeue(settings), _pause(settings), *submission, _rights(settings, caller)]
    results = {
        WATCH: [_version(settings), _memory(settings), _privacy(settings), _clock(text, now)],
        COMMAND: [*plugins.values(), *command],
        CHARGE: [charge],
    }
    return [each._replace(purpose=purpose) for purpose, some in results.items() for each in some]


def demand(results: Iterable[Precondition], *purposes: str) -> None:
    """Refuse to go on where a condition of one of these purposes is not met.

    Raises
    ------
    InputError
        It names those that are not, and what to change for the first.
    """
    failed = [each for each in results if each.problem and each.purpose in purposes]
    if failed:
        raise InputError(
            f"{failed[0].found}: {failed[0].problem}",
            source="slurm.conf",
            field=", ".join(each.name for each in failed),
            remedy=f"{failed[0].line}; utilitysched slurm check says all",
        )


def cluster_name(text: str) -> str:
    """Return what a cluster calls itself, by what ``scontrol show config`` prints."""
    return _settings(text).get("ClusterName", "")


def require_multifactor(text: str) -> None:
    """Refuse a cluster that orders jobs by their arrival alone.

    Raises
    ------
    InputError
        It does, by what ``scontrol show config`` prints.
    """
    found = _settings(text).get("PriorityType", "")
    if found != "priority/multifactor":
        raise InputError(
            f"{found}: Slurm would order jobs by their arrival",
            source="slurm.conf",
            field="PriorityType",
            remedy="PriorityType=priority/multifactor, or leave --order priority out",
        )


def _settings(text: str) -> dict[str, str]:
    pairs = (line.partition("=") for line in text.splitlines() if "=" in line)
    settings = {name.strip(): value.strip() for name, _, value in pairs}
    if "SLURM_VERSION" not in settings:
        raise SlurmError("prints no configuration", source="scontrol show config")
    return settings


def _number_of(settings: Mapping[str, str]) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", settings["SLURM_VERSION"])[:2])


def _version(settings: Mapping[str, str]) -> Precondition:
    version, number = settings["SLURM_VERSION"], _number_of(settings)
    if number < OLDEST:
        return Precondition(
            "version", version, "its answers are not read", "install Slurm 22.05 or a later one"
        )
    later = " (versions after 25.05 were not tried)" if number > NEWEST else ""
    return Precondition("version", version + later)


def _plugin(name: str, settings: Mapping[str, str]) -> Precondition:
    wanted, why = _PLUGINS[name]
    plugin = settings.get(name, "")
    if plugin in wanted:
        return Precondition(name, plugin)
    return Precondition(name, plugin, why, f"{name}={wanted[0]}")


def _submit_plugins(settings: Mapping[str, str]) -> list[str]:
    plugins = settings.get("JobSubmitPlugins", "(null)").split(",")
    return [each for each in plugins if each not in {"", "(null)"}]


def _submission(settings: Mapping[str, str]) -> Precondition:
    """Check that new jobs are held until the market has seen them."""
    plugins = _submit_plugins(settings)
    found = ",".join(plugins) or "(null)"
    if "lua" in plugins:
        return Precondition("JobSubmitPlugins", found)
    return Precondition(
        "JobSubmitPlugins",
        found,
        "new jobs may start before the market has seen them",
        f"JobSubmitPlugins={','.join([*plugins, 'lua'])}, and beside slurm.conf what"
        " utilitysched slurm files writes",
    )


def _script(settings: Mapping[str, str], found: ScriptProbe) -> Precondition:
    """Check that the script in force gives jobs, and changes of them, to the market."""
    if "lua" not in _submit_plugins(settings):
        return Precondition(
            SCRIPT, "none", "there is none yet", "set JobSubmitPlugins first", known=False
        )
    if found.taken:
        return Precondition(
            SCRIPT,
            "does not call utilitysched_submit",
            "new jobs start past the market",
            "return what utilitysched_submit(job, partitions, user) returns, last in its"
            " slurm_job_submit; utilitysched slurm files writes one that does",
        )
    if found.script is None:
        return Precondition(
            SCRIPT,
            found.message,
            "a job that is tried is refused by others before utilitysched_submit is asked",
            "set what they ask for (SBATCH_ACCOUNT, SBATCH_PARTITION, ...), and check again",
            known=False,
        )
    return _calls(found.script)


def _calls(script: ScriptInForce) -> Precondition:
    """Check what a script does that asks us about submissions."""
    name = f"utilitysched.lua {script.release}"
    if script.release != script_release():
        return Precondition(
            SCRIPT,
            name,
            f"the market is of release {script_release()}",
            f"utilitysched slurm files --replace DIR utilitysched.lua; touch DIR/{SCRIPT}",
        )
    if not script.modify:
        return Precondition(
            SCRIPT,
            f"{name}, submissions only",
            "users may release what the market holds, and change what they bid for",
            "return what utilitysched_modify(job, record, partitions, user) returns, last in its"
            " slurm_job_modify",
        )
    return Precondition(SCRIPT, f"{name}, submissions and changes")


def _operators(caller: Caller, found: ScriptProbe) -> Precondition:
    """Check that the script lets our user release what the market holds."""
    if found.script is None:
        remedy = f"set right what {SCRIPT} needs first"
        why = "no script of the market answers"
        return Precondition("operators", "not known", why, remedy, known=False)
    uids = found.script.operators
    if caller.uid in uids:
        return Precondition("operators", ", ".join(map(str, uids)))
    return Precondition(
        "operators",
        ", ".join(map(str, uids)) or "none",
        f"{SCRIPT} lets {caller.name}, uid {caller.uid}, release no job that the market holds",
        f"utilitysched.operators = {{ {', '.join(map(str, [*uids, caller.uid]))} }}, in {SCRIPT}",
    )


def _requeue(settings: Mapping[str, str]) -> Precondition:
    value = settings.get("JobRequeue", "")
    if value == "1":
        return Precondition("JobRequeue", value)
    return Precondition(
        "JobRequeue", value, "only jobs submitted with --requeue can be preempted", "JobRequeue=1"
    )


def _pause(settings: Mapping[str, str]) -> Precondition:
    """Check the time that requeued jobs wait: as long as a credential lasts, or as is said."""
    setting, name = "AuthInfo", "cred_expire"
    if _number_of(settings) >= DELAYS and "requeue_delay=" in settings.get(
        "SchedulerParameters", ""
    ):
        setting, name = "SchedulerParameters", "requeue_delay"
    options = [each for each in settings.get(setting, "").split(",") if each not in {"", "(null)"}]
    stated = dict(each.partition("=")[::2] for each in options)
    seconds = _figure(stated.get(name) or "120")
    pause = f"{seconds:.0f} s"
    if PAUSES[0] <= seconds <= PAUSES[1]:
        return Precondition(name, pause)
    others = [each for each in options if not each.startswith(f"{name}=")]
    return Precondition(
        name,
        pause,
        "a requeued job waits so long before it can start again",
        f"{setting}={','.join([*others, f'{name}=10'])}",
    )


def _figure(text: str) -> float:
    """Return a number; NaN, which meets no condition, if it cannot be read."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def _memory(settings: Mapping[str, str]) -> Precondition:
    age = settings.get("MinJobAge", "")
    if _figure(age.split(" ")[0]) >= REMEMBERED:
        return Precondition("MinJobAge", age)
    problem = "jobs that end between two looks would be missed"
    return Precondition("MinJobAge", age, problem, "MinJobAge=300")


def _privacy(settings: Mapping[str, str]) -> Precondition:
    data = settings.get("PrivateData", "none")
    hidden = [each for each in data.split(",") if each in {"all", "jobs", "nodes"}]
    if not hidden:
        return Precondition("PrivateData", data)
    rest = [each for each in data.split(",") if each not in hidden]
    problem = "only operators see the jobs of others"
    return Precondition("PrivateData", data, problem, f"PrivateData={','.join(rest) or 'none'}")


def _rights(settings: Mapping[str, str], caller: Caller) -> Precondition:
    owner = settings.get("SlurmUser", "").partition("(")[0]
    if caller.name in {"root", owner} or caller.level in {"Operator", "Administrator"}:
        return Precondition("rights", caller.level or caller.name)
    accounted = settings.get("AccountingStorageType") == "accounting_storage/slurmdbd"
    promote = f"sacctmgr modify user {caller.name} set AdminLevel=Operator"
    return Precondition(
        "rights",
        f"{caller.name} is no operator",
        "only operators may hold, release and requeue jobs of others",
        promote if accounted else f"run it as {owner}, or set SlurmUser={caller.name}",
    )


def _clock(text: str, now: float) -> Precondition:
    date = re.search(r"as of (\S+)", text)
    try:
        theirs = datetime.fromisoformat(date[1] if date else "").replace(tzinfo=UTC).timestamp()
    except ValueError as error:
        raise SlurmError("does not say what time it is", source="scontrol show config") from error
    ahead = int(now) - theirs
    offset = f"{ahead:+.0f} s from the controller's"
    if abs(ahead) <= DRIFT:
        return Precondition("clock", offset)
    return Precondition(
        "clock",
        offset,
        "curves would be read at other times",
        "run chrony or ntpd on both machines",
    )
