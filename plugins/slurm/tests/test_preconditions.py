"""What the configuration of a Slurm must say."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import groupby

import pytest

from plugins.slurm.tests.clusters import RECORDED
from swfx import InputError
from utilitysched_slurm.commands import Caller, SlurmError
from utilitysched_slurm.installed_files import script_release
from utilitysched_slurm.preconditions import Precondition, demand, preconditions
from utilitysched_slurm.script import ScriptInForce, ScriptMarket, ScriptProbe, read_probe

CONFIG = (RECORDED / "config.txt").read_text()
NOW = datetime(2026, 11, 23, 20, 54, 53, tzinfo=UTC).timestamp()
ROOT = Caller("root", "", 0)
FILES = "beside slurm.conf what utilitysched slurm files writes"
ANSWER = ScriptInForce(script_release(), True, [0], [])


def failed(
    config: str = CONFIG, caller: Caller = ROOT, now: float = NOW, answer: ScriptInForce = ANSWER
) -> list[Precondition]:
    found = preconditions(config, caller, now, ScriptProbe(answer))
    return [each for each in found if each.verdict == "FAILED"]


def changed(setting: str, value: str) -> str:
    lines = CONFIG.splitlines()
    new = [f"{setting} = {value}" if line.split(" ")[0] == setting else line for line in lines]
    assert new != lines
    return "\n".join(new)


def test_a_private_cluster_meets_them_all() -> None:
    assert failed() == []
    found = preconditions(CONFIG, ROOT, NOW, ScriptProbe(ANSWER))
    purposes = {purpose: [each.name for each in group] for purpose, group in grouped(found)}
    assert purposes == {
        "watch": ["version", "MinJobAge", "PrivateData", "clock"],
        "command": [
            "SchedulerType",
            "PriorityType",
            "PreemptType",
            "JobRequeue",
            "cred_expire",
            "JobSubmitPlugins",
            "job_submit.lua",
            "operators",
            "rights",
        ],
        "charge": ["AccountingStorageType"],
    }


def grouped(found: list[Precondition]) -> Iterator[tuple[str, Iterator[Precondition]]]:
    return groupby(found, lambda each: each.purpose)


@pytest.mark.parametrize(
    ("setting", "value", "line"),
    [
        ("SLURM_VERSION", "21.08.8-2", "install Slurm 22.05 or a later one"),
        ("SchedulerType", "sched/builtin", "SchedulerType=sched/backfill"),
        ("PriorityType", "priority/site", "PriorityType=priority/basic"),
        ("PreemptType", "preempt/qos", "PreemptType=preempt/none"),
        ("JobRequeue", "0", "JobRequeue=1"),
        ("JobSubmitPlugins", "(null)", f"JobSubmitPlugins=lua, and {FILES}"),
        ("JobSubmitPlugins", "pbs", f"JobSubmitPlugins=pbs,lua, and {FILES}"),
        ("AuthInfo", "(null)", "AuthInfo=cred_expire=10"),
        ("AuthInfo", "socket=/run/m,cred_expire=1", "AuthInfo=socket=/run/m,cred_expire=10"),
        ("AuthInfo", "cred_expire=soon", "AuthInfo=cred_expire=10"),
        ("MinJobAge", "2 sec", "MinJobAge=300"),
        ("MinJobAge", "(null)", "MinJobAge=300"),
        ("PrivateData", "jobs,usage", "PrivateData=usage"),
        ("AccountingStorageType", "(null)", "AccountingStorageType=accounting_storage/slurmdbd"),
    ],
)
def test_each_that_fails_comes_with_its_line(setting: str, value: str, line: str) -> None:
    assert [each.line for each in failed(changed(setting, value))] == [line]


@pytest.mark.parametrize("version", ["22.05.8", "23.11.4", "24.11.5", "25.05.8", "25.11.1"])
def test_versions_since_22_05_are_read(version: str) -> None:
    found = preconditions(changed("SLURM_VERSION", version), ROOT, NOW, ScriptProbe())[0]

    assert found.problem == ""
    assert ("not tried" in found.found) == (version == "25.11.1")


@pytest.mark.parametrize(
    ("version", "parameters", "line"),
    [
        ("25.11.0", "bf_continue,requeue_delay=7", None),
        ("25.11.0", "requeue_delay=99,bf_continue", "bf_continue,requeue_delay=10"),
        ("25.11.0", "requeue_delay=nan", "requeue_delay=10"),
        ("25.05.8", "requeue_delay=99", None),
    ],
)
def test_a_pause_of_requeued_jobs_may_be_said_from_25_11_on(
    version: str, parameters: str, line: str | None
) -> None:
    config = changed("SLURM_VERSION", version) + f"\nSchedulerParameters = {parameters}\n"

    assert [each.line for each in failed(config)] == (
        [] if line is None else [f"SchedulerParameters={line}"]
    )


def test_users_need_the_level_of_an_operator() -> None:
    assert failed(caller=Caller("market", "Operator", 0)) == []
    [with_accounts] = failed(caller=Caller("market", "None", 0))
    assert with_accounts.line == "sacctmgr modify user market set AdminLevel=Operator"
    alone = changed("AccountingStorageType", "accounting_storage/none")
    without = failed(alone, Caller("market", "", 0))[0]
    assert without.line == "run it as root, or set SlurmUser=market"


MARKET = Caller("market", "Operator", 64030)


def about(name: str, found: ScriptProbe, config: str = CONFIG) -> Precondition:
    return next(each for each in preconditions(config, MARKET, NOW, found) if each.name == name)


def test_the_script_must_let_the_market_release_jobs() -> None:
    refused = about("operators", ScriptProbe(ANSWER))
    assert refused.problem == (
        "job_submit.lua lets market, uid 64030, release no job that the market holds"
    )
    assert refused.line == "utilitysched.operators = { 0, 64030 }, in job_submit.lua"
    assert about("operators", ScriptProbe(ANSWER._replace(operators=[0, 64030]))).verdict == "ok"


def test_a_script_in_force_must_call_both_functions() -> None:
    passes = about("job_submit.lua", ScriptProbe(taken=True))
    assert passes.problem == "new jobs start past the market"
    assert "utilitysched_submit(job, partitions, user)" in passes.line
    half = about("job_submit.lua", ScriptProbe(ANSWER._replace(modify=False)))
    assert half.verdict == "FAILED"
    assert "utilitysched_modify(job, record, partitions, user)" in half.line
    old = about("job_submit.lua", ScriptProbe(ANSWER._replace(release="0.0.9")))
    assert old.verdict == "FAILED"
    assert about("job_submit.lua", ScriptProbe(ANSWER)).verdict == "ok"


def test_what_could_not_be_checked_is_not_ok() -> None:
    unknown = ScriptProbe(message="allocation failure: Invalid account")
    for name in ("job_submit.lua", "operators"):
        found = about(name, unknown)
        assert (found.verdict, bool(found.problem)) == ("not checked", True)
    assert about("job_submit.lua", unknown).found == "allocation failure: Invalid account"
    with pytest.raises(InputError, match="SBATCH_ACCOUNT"):
        demand(preconditions(CONFIG, ROOT, NOW, unknown), "command")
    none = about("job_submit.lua", ScriptProbe(), changed("JobSubmitPlugins", "(null)"))
    assert none.line == "set JobSubmitPlugins first"


def test_answers_of_the_script_are_read() -> None:
    market = '{"partition":"gpu","heartbeat":"/m/heartbeat","silence":3}'
    told = f'{{"utilitysched":"1","modify":true,"operators":[0,7],"markets":[{market}]}}'
    known = [ScriptMarket("gpu", "/m/heartbeat", 3)]

    found = read_probe(f"sbatch: error: {told}\nallocation failure: no\n", taken=False)

    assert found.script == ScriptInForce("1", True, [0, 7], known)
    for text in (told.replace("true,", ""), told[:-1], told.replace('"silence":3', '"x":3')):
        other = read_probe(f"sbatch: error: {text}", taken=False)
        assert other.script is None
        assert "cannot be read" in other.message
    assert read_probe("", taken=False).message == "nothing"


def test_clocks_must_agree() -> None:
    assert failed(now=NOW + 2.9) == []
    [late] = failed(now=NOW + 600)
    assert late.found == "+600 s from the controller's"


def test_what_is_demanded_must_be_there() -> None:
    found = preconditions(changed("JobRequeue", "0"), ROOT, NOW, ScriptProbe(ANSWER))

    demand(found, "watch", "charge")
    with pytest.raises(InputError, match=r"JobRequeue.*only jobs submitted.*JobRequeue=1"):
        demand(found, "watch", "command")


def test_what_is_no_configuration_is_refused() -> None:
    with pytest.raises(SlurmError, match="prints no configuration"):
        failed("no")
    with pytest.raises(SlurmError, match="what time it is"):
        failed(CONFIG.partition("\n")[2])
