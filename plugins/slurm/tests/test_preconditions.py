"""What the configuration of a Slurm must say."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path

import pytest

from plugins.slurm.tests.clusters import RECORDED
from swfx import InputError
from utilitysched_slurm.commands import Caller, SlurmError
from utilitysched_slurm.preconditions import Precondition, demand, preconditions

CONFIG = (RECORDED / "config.txt").read_text()
NOW = datetime(2026, 11, 23, 20, 54, 53, tzinfo=UTC).timestamp()
ROOT = Caller("root", "", 0)
SCRIPT = "contrib/job_submit.lua beside it"


def failed(config: str = CONFIG, caller: Caller = ROOT, now: float = NOW) -> list[Precondition]:
    return [each for each in preconditions(config, caller, now) if each.problem]


def changed(setting: str, value: str) -> str:
    lines = CONFIG.splitlines()
    new = [f"{setting} = {value}" if line.split(" ")[0] == setting else line for line in lines]
    assert new != lines
    return "\n".join(new)


def test_a_private_cluster_meets_them_all() -> None:
    assert failed() == []
    found = preconditions(CONFIG, ROOT, NOW)
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
            "OPERATORS",
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
        ("JobSubmitPlugins", "(null)", f"JobSubmitPlugins=lua, and {SCRIPT}"),
        ("JobSubmitPlugins", "pbs", f"JobSubmitPlugins=pbs,lua, and {SCRIPT}"),
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


@pytest.mark.parametrize("version", ["22.05.8", "23.11.4", "25.05.8", "25.11.1"])
def test_versions_since_22_05_are_read(version: str) -> None:
    found = preconditions(changed("SLURM_VERSION", version), ROOT, NOW)[0]

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
    assert failed(caller=Caller("market", "Operator", 7)) == []
    [with_accounts] = failed(caller=Caller("market", "None", 7))
    assert with_accounts.line == "sacctmgr modify user market set AdminLevel=Operator"
    alone = changed("AccountingStorageType", "accounting_storage/none")
    without = failed(alone, Caller("market", "", 7))[0]
    assert without.line == "run it as root, or set SlurmUser=market"


MARKET = Caller("market", "Operator", 64030)
LUA = (Path(__file__).parents[1] / "contrib/job_submit.lua").read_text()


def operators(script: str, caller: Caller = MARKET) -> Precondition:
    found = preconditions(CONFIG, caller, NOW, script)
    return next(each for each in found if each.name == "OPERATORS")


def test_the_script_must_let_the_market_release_jobs() -> None:
    refused = operators(LUA)
    assert refused.problem == (
        "/etc/slurm/job_submit.lua lets market, uid 64030, release no job that the market holds"
    )
    line = "local OPERATORS = { [0] = true, [64030] = true }"
    assert refused.line == f"{line}, in job_submit.lua"
    before = "local OPERATORS = { [0] = true }"
    assert LUA.count(before) == 1
    assert operators(LUA.replace(before, line)).problem == ""
    assert operators(LUA, ROOT).problem == ""
    for text in (f"-- {line}", f"--[[\n{line}\n]]"):
        assert operators(LUA.replace(before, f"{text}\n{before}")).problem
    assert operators(LUA.replace(before, line.replace("true }", "false }"))).problem


@pytest.mark.parametrize(
    ("script", "why"), [("", "could not be read here"), ("return 0", "has no such line")]
)
def test_another_script_or_none_is_not_known(script: str, why: str) -> None:
    found = operators(script)
    assert (found.problem, found.found) == ("", f"not known: /etc/slurm/job_submit.lua {why}")


def test_clocks_must_agree() -> None:
    assert failed(now=NOW + 2.9) == []
    [late] = failed(now=NOW + 600)
    assert late.found == "+600 s from the controller's"


def test_what_is_demanded_must_be_there() -> None:
    found = preconditions(changed("JobRequeue", "0"), ROOT, NOW)

    demand(found, "watch", "charge")
    with pytest.raises(InputError, match=r"JobRequeue.*only jobs submitted.*JobRequeue=1"):
        demand(found, "watch", "command")


def test_what_is_no_configuration_is_refused() -> None:
    with pytest.raises(SlurmError, match="prints no configuration"):
        failed("no")
    with pytest.raises(SlurmError, match="what time it is"):
        failed(CONFIG.partition("\n")[2])
