"""The way of docs/centre.md, word by word on a fresh cluster, with the unit of systemd."""

from __future__ import annotations

import json
import os
import pwd
import re
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.request import urlopen

import pytest

from plugins.slurm.tests.private.cluster import PATIENCE, PrivateCluster
from tests.warm import programs

pytestmark = pytest.mark.slurm

ROOT = Path(__file__).parents[2]
COMMANDS = re.findall(r"^\$ (.*)$", (ROOT / "docs/centre.md").read_text(), re.MULTILINE)
INSTALLS = 3
"""Commands with which the page begins, and of which the tests themselves are the outcome."""

JOB = "#!/bin/bash\n#SBATCH --ntasks=1 --time=1\nsleep 1\n"
PAID = re.compile(r"account:physics +9,960\.00 +0\.00")
LOOK = "--every 1s --for 4s"
"""In place of days and minutes."""


class Centre:
    """A machine on which the page is followed: its folders lie in another place."""

    def __init__(self, cluster: PrivateCluster, folder: Path) -> None:
        self.cluster, self.folder = cluster, folder
        self._places = {
            "/etc/slurm": f"{cluster.folder}/etc",
            "/etc/systemd/system": f"{folder}/system",
            "/etc/default": f"{folder}/default",
            "/var/lib/utilitysched": f"{folder}/market",
            "/opt/utilitysched/bin/utilitysched": f"{sys.executable} -m utilitysched",
            "METRICS=9817": f"METRICS={_free_port()}",
        }
        for name in ("default", "system", "market"):
            (folder / name).mkdir()
        (folder / "job.sh").write_text(JOB)
        places = (programs(), Path(sys.executable).parent, cluster.environment()["PATH"])
        path = os.pathsep.join(map(str, places))
        ours = ("NUMBA", "PYTHONPATH")
        kept = {key: text for key, text in os.environ.items() if key.startswith(ours)}
        self.environment = kept | cluster.environment() | {"PATH": path, "HOME": str(folder)}
        self._service: subprocess.Popen[bytes] | None = None

    def follow(self, command: str) -> subprocess.CompletedProcess[str]:
        """Do what the page says."""
        if command.startswith("systemctl"):
            return self.start() if "enable" in command else self.stop()
        quick = re.sub(r"--for \w+", LOOK, self._placed(command))
        done = self._run(["bash", "-c", quick])
        if "slurm files" in command:
            for file in (Path(line.partition(": ")[0]) for line in done.stdout.splitlines()):
                file.write_text(self._placed(file.read_text()))
        return done

    def start(self) -> subprocess.CompletedProcess[str]:
        """Start the unit, and wait until it says that it is there."""
        words = self._said("ExecStart")
        with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as manager:
            manager.settimeout(PATIENCE)  # it compiles its scheduler the first time
            manager.bind(f"{self.cluster.folder}/notify")
            told = self.environment | {"NOTIFY_SOCKET": f"{self.cluster.folder}/notify"}
            with (self.folder / "journal").open("ab") as journal:
                self._service = subprocess.Popen(
                    words, stdout=journal, stderr=journal, env=told, cwd=self.folder
                )
            assert manager.recv(64).startswith(b"READY=1")
        Path(f"{self.cluster.folder}/notify").unlink()
        return subprocess.CompletedProcess(words, 0)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> subprocess.CompletedProcess[str]:
        """End the unit, as systemd does, or by a signal from elsewhere."""
        self.end(how)
        return self._run(self._said("ExecStopPost"))

    def end(self, how: signal.Signals) -> None:
        if self._service is not None:
            self._service.send_signal(how)
            self._service.wait(PATIENCE)
            self._service = None

    def cycles(self) -> list[dict[str, float]]:
        """Give the figures of each cycle in the journal."""
        lines = (self.folder / "journal").read_text().splitlines()
        events = (json.loads(line) for line in lines if line.startswith("{"))
        return [event for event in events if event["event"] == "cycle"]

    def counted(self) -> set[str]:
        """Give the metrics that are more than 0."""
        port = self._places["METRICS=9817"].partition("=")[2]
        with urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
            text = answer.read().decode()
        return set(re.findall(r"^utilitysched_slurm_(\w+) (?!0\.0)", text, re.MULTILINE))

    def balance(self) -> str:
        return self.follow("utilitysched ledger balance /var/lib/utilitysched/books.db").stdout

    def held(self) -> list[str]:
        asked = ("--noheader", "--states=PENDING", "--format=%i %r")
        return [line for line in self.cluster.run("squeue", *asked).splitlines() if "Held" in line]

    def _said(self, key: str) -> list[str]:
        """What the unit says, with the options that the file beside it has."""
        unit = (self.folder / "system/utilitysched-slurm.service").read_text()
        [line] = re.findall(rf"^{key}=(.*)$", unit, re.MULTILINE)
        own = re.findall(r'^Environment="?(\w+)=(.*?)"?$', unit, re.MULTILINE)
        more = (self.folder / "default/utilitysched-slurm").read_text()
        for name, text in dict([*own, more.strip().split("=", 1)]).items():
            line = line.replace(f"${{{name}}}", text).replace(f"${name}", text)
        return shlex.split(line)

    def _placed(self, text: str) -> str:
        for place, ours in self._places.items():
            text = text.replace(place, ours)
        return text

    def _run(self, words: list[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words,
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@pytest.fixture(scope="module")
def centre(slurm: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Centre]:
    """A centre whose slurm.conf does not do for a market."""
    nodes = {f"n{number}": "CPUs=2 RealMemory=1000" for number in (1, 2)}
    partition = "PartitionName=main Nodes=n[1-2] Default=YES MaxTime=60 State=UP"
    user = pwd.getpwuid(os.geteuid()).pw_name
    belongs = f"add user {user} account=physics", f"modify user {user} set defaultaccount=physics"
    accounts = ("add account physics", *belongs)
    with PrivateCluster(nodes, (partition, "JobRequeue=0"), (), accounts) as cluster:
        place = Centre(cluster, tmp_path_factory.mktemp("centre"))
        yield place
        place.end(signal.SIGTERM)


def test_the_page_leads_to_a_market_and_back(centre: Centre) -> None:
    checks = 0
    for command in COMMANDS[INSTALLS:]:
        if "slurm watch" in command:
            some = centre.cluster.submit("-n1", "-t1", "--array=1-90%1")
        done = centre.follow(command)
        if "slurm watch" in command:
            centre.cluster.run("scancel", str(some))
        if command == "utilitysched slurm check":
            checks += 1
            assert done.returncode == (2 if checks == 1 else 0), done.stdout
            wrong = re.findall(r"^ +-> (\w+=[^,\s]*)", done.stdout, re.MULTILINE)
            change(centre.cluster, wrong)
            continue
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        if "enable" in command:
            job = centre.cluster.submit("-n1", "-t1", "--comment=deadline=1h,value=40")
            ended(centre, job)
            centre.cluster.wait(lambda: "released_total" in centre.counted(), "for metrics")
            assert any(cycle["released"] for cycle in centre.cycles())
            centre.cluster.wait(lambda: PAID.search(centre.balance()) is not None, "for a charge")
            assert f'"event": "release", "job": "{job}"' in (centre.folder / "journal").read_text()

    assert checks == 2
    assert (centre.folder / "shadow/runs/ga").is_dir()
    assert not (centre.folder / "market/heartbeat").exists()
    ended(centre, centre.cluster.submit("-n1", "-t1"))
    assert_nothing_stays_held(centre)


def change(cluster: PrivateCluster, lines: list[str]) -> None:
    with (cluster.folder / "etc/slurm.conf").open("a") as file:
        file.writelines(f"{line}\n" for line in lines)


def ended(centre: Centre, job: int) -> None:
    centre.cluster.wait(lambda: centre.cluster.states()[str(job)] == "COMPLETED", f"for {job}")


def assert_nothing_stays_held(centre: Centre) -> None:
    """Kill the market while a job runs and another waits: whatever it dies of, they go on."""
    centre.start()
    runs, waits = (
        centre.cluster.submit("-n4", "-t1", f"--comment=0:{worth},1h:0", script="sleep 60")
        for worth in (40, 10)
    )
    centre.cluster.wait(lambda: centre.cluster.states()[str(runs)] == "RUNNING", f"for {runs}")
    centre.cluster.wait(lambda: bool(centre.held()), f"for {waits} to be held")

    assert centre.stop(signal.SIGKILL).returncode == 0

    assert centre.held() == []
    centre.cluster.run("scancel", str(runs))
    centre.cluster.wait(lambda: centre.cluster.states()[str(waits)] == "RUNNING", f"for {waits}")
