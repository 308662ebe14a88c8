"""A real Slurm of our own: daemons and emulated nodes on loopback, in a new folder."""

from __future__ import annotations

import math
import os
import pwd
import re
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

__all__ = ["PrivateCluster", "missing_programs"]

FILES = Path(__file__).parents[2] / "utilitysched_slurm" / "files"
SCRIPTS = [FILES / name for name in ("job_submit.lua", "utilitysched.lua")]
"""Submission script of the market, for a cluster with JobSubmitPlugins=lua."""

PROGRAMS = (
    "slurmctld", "slurmd", "slurmdbd", "munged", "mariadbd", "mariadb-install-db",
    "sbatch", "squeue", "scancel", "scontrol", "sinfo", "sacct", "sacctmgr", "sreport", "setpriv",
)  # fmt: skip
INSTALLATION = os.environ.get("UTILITYSCHED_TEST_SLURM", "")
"""Folder of a Slurm of ``make slurm-from-source``, in place of the machine's."""

OWN_PLACES = [str(Path(INSTALLATION, each).resolve()) for each in ("sbin", "bin") if INSTALLATION]
PLACES = os.pathsep.join((*OWN_PLACES, os.environ.get("PATH", ""), "/usr/sbin", "/usr/bin"))
PACKAGES = "slurmctld slurmd slurm-client munge slurmdbd slurm-wlm-mysql-plugin mariadb-server"

PATIENCE = 600.0
"""s that anything here may take before it counts as broken: more than SlurmdTimeout, for which
Slurm may wait for a node that was killed, and more than a look that compiles a scheduler takes on
a machine that runs all other tests, too."""

STOPS = 45.0
"""s after which a daemon that was asked to end is killed, and nobody waits for cancelled jobs."""

LAST_OF_LOG = 600
"""Characters of each log that are shown then."""

PAUSE = 0.05
"""s between two looks."""

ENDS_WITH_US = ("setpriv", "--pdeathsig", "TERM")
"""Before a daemon, which then ends where the tests are killed."""

SLURM_CONF = """\
ClusterName=lab
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/run/munge.socket,cred_expire=5
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SlurmctldPidFile={folder}/run/slurmctld.pid
SlurmdPidFile={folder}/run/slurmd.%n.pid
SlurmctldLogFile={folder}/log/slurmctld.log
SlurmdLogFile={folder}/log/slurmd.%n.log
PlugStackConfig={folder}/etc/plugstack.conf
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
MailProg=/bin/true
MpiDefault=none
SwitchType=switch/none
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0,\
default_queue_depth=1000,bf_interval=1,bf_resolution=1,bf_max_job_test=1000,bf_continue
JobRequeue=1
KillWait=1
MinJobAge=300
SlurmctldTimeout=30
SlurmdTimeout=60
CompleteWait=0
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort={storage}
AccountingStoragePass={folder}/run/munge.socket
AccountingStoreFlags=job_comment
AccountingStorageEnforce=associations,qos
"""

SLURMDBD_CONF = """\
AuthType=auth/munge
AuthInfo=socket={folder}/run/munge.socket
DbdHost={host}
DbdAddr=127.0.0.1
DbdPort={storage}
CommunicationParameters=NoInAddrAny
SlurmUser={user}
LogFile={folder}/log/slurmdbd.log
PidFile={folder}/run/slurmdbd.pid
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort={database}
StorageUser=slurm
StoragePass={password}
StorageLoc=slurm_acct_db
"""

DATABASE = """\
CREATE DATABASE slurm_acct_db;
CREATE USER slurm@'127.0.0.1' IDENTIFIED BY '{password}';
GRANT ALL ON slurm_acct_db.* TO slurm@'127.0.0.1';
"""


def script_for(heartbeat: Path, folder: Path) -> list[Path]:
    """Return `SCRIPTS` for a market with this heartbeat, written into a folder."""
    folder.mkdir(exist_ok=True)
    place = re.compile(r'(?<=heartbeat = ").*(?=")')
    for source in SCRIPTS:
        (folder / source.name).write_text(place.sub(str(heartbeat), source.read_text()))
    return [folder / source.name for source in SCRIPTS]


def missing_programs() -> list[str]:
    """Programs that a cluster needs and this machine lacks."""
    return [name for name in PROGRAMS if shutil.which(name, path=PLACES) is None]


class PrivateCluster:
    """A Slurm cluster called lab, with accounting, which other machines cannot reach.

    Jobs run as the user who starts it; root may submit for others, too. Every process is ended by
    its number, and the folder goes with them.

    Parameters
    ----------
    nodes : mapping of str to str
        Emulated nodes, and of each what slurm.conf says: ``{"n1": "CPUs=4 RealMemory=4000"}``.
    settings : iterable of str
        Further lines of slurm.conf: partitions, preemption, licences.
    resources : iterable of str
        Lines of gres.conf.
    accounts : iterable of str
        What sacctmgr is told before jobs may come: ``add account physics``.
    scripts : iterable of Path
        Files beside slurm.conf.

    Attributes
    ----------
    folder : Path
        Where everything of the cluster lies, its logs among it.
    started : datetime
        When it was started last.
    deadline : float
        When whoever waits for it gives up, however short the wait (s of the monotonic clock).
    """

    def __init__(
        self,
        nodes: Mapping[str, str],
        settings: Iterable[str] = (),
        resources: Iterable[str] = (),
        accounts: Iterable[str] = (),
        scripts: Iterable[Path] = (),
    ) -> None:
        self._scripts = tuple(scripts)
        self._nodes = dict(nodes)
        self._settings, self._resources = tuple(settings), tuple(resources)
        self._accounts = ("add cluster lab", *accounts)
        self._open = ExitStack()
        self._daemons: dict[str, subprocess.Popen[bytes]] = {}
        self._launched: dict[str, float] = {}
        self._commands: dict[str, Sequence[str]] = {}
        self.folder = Path()
        self.started = datetime.now(UTC)
        self.deadline = math.inf

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start all daemons, and wait until every node is idle."""
        self.started = datetime.now(UTC)
        with ExitStack() as begun:
            self.folder = Path(tempfile.mkdtemp(prefix="slurm-", dir="/tmp"))  # paths are short
            begun.callback(shutil.rmtree, self.folder)
            self._configure(begun.enter_context(_held_ports(3 + len(self._nodes))))
            begun.callback(self._end_steps)
            self._start_accounting(begun)
            self._start_nodes(begun)
            begun.callback(self._drain)
            self._open = begun.pop_all()

    def stop(self) -> None:
        """End all jobs, then all daemons, and remove the folder."""
        self.deadline = time.monotonic() + STOPS
        self._open.close()

    def run(self, program: str, *arguments: str, stdin: str = "", **environment: str) -> str:
        """Run one of Slurm's programs on this cluster, and return what it prints."""
        done = subprocess.run(
            [_path(program), *arguments],
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            env=self.environment() | environment,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, f"{program} {' '.join(arguments)}: {done.stderr}"
        return done.stdout

    def run_as(self, user: str, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run one of Slurm's programs as another user, which root may, whatever comes of it."""
        return subprocess.run(
            [_path("setpriv"), f"--reuid={user}", f"--regid={user}", "--clear-groups",
             _path(program), *arguments],
            capture_output=True,
            encoding="utf-8",
            env=self.environment(),
            cwd="/",
            timeout=PATIENCE,
            check=False,
        )  # fmt: skip

    def submit(self, *options: str, script: str = "sleep 1") -> int:
        """Submit a job with these options of sbatch, and return its number."""
        given = ("--parsable", "--chdir=/", "--output=/dev/null", *options)
        return int(self.run("sbatch", *given, stdin=f"#!/bin/bash\n{script}\n"))

    def states(self) -> dict[str, str]:
        """States of all jobs that slurmctld still knows, by number; tasks of arrays each."""
        lines = self.run("squeue", "--noheader", "--states=all", "--array", "--format=%i|%T")
        return dict(line.split("|") for line in lines.splitlines())

    def wait(self, condition: Callable[[], bool], what: str = "") -> None:
        """Wait until something holds.

        Raises
        ------
        AssertionError
            It does not within `PATIENCE` or by the deadline; the message has the ends of all logs.
        """
        until = min(time.monotonic() + PATIENCE, self.deadline)
        while not condition():
            assert time.monotonic() < until, f"waited in vain {what}\n{self._logs()}"
            time.sleep(PAUSE)

    def _configure(self, ports: list[int]) -> None:
        self.folder.chmod(0o755)  # jobs of other users read slurm.conf
        for name in ("etc", "state", "log", "spool", "run", "munge", "data"):
            (self.folder / name).mkdir(mode=0o700 if name in {"munge", "data"} else 0o755)
        self._ports = dict(zip(("controller", "storage", "database"), ports, strict=False))
        host = socket.gethostname().partition(".")[0]
        values = {
            "folder": self.folder,
            "host": host,
            "user": pwd.getpwuid(os.geteuid()).pw_name,
            "password": secrets.token_hex(),
            **self._ports,
        }
        nodes = (
            f"NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} {has}\n"
            for (name, has), port in zip(self._nodes.items(), ports[3:], strict=True)
        )
        lines = "".join(f"{line}\n" for line in self._settings)
        self._write("etc/slurm.conf", SLURM_CONF.format(**values) + lines + "".join(nodes), 0o644)
        self._write("etc/gres.conf", "".join(f"{line}\n" for line in self._resources), 0o644)
        self._write("etc/plugstack.conf", "", 0o644)
        if INSTALLATION:  # later versions look for cgroups, which 22.05 cannot be told not to do
            self._write("etc/cgroup.conf", "CgroupPlugin=disabled\n", 0o644)
        self._write("etc/slurmdbd.conf", SLURMDBD_CONF.format(**values))
        for script in self._scripts:
            shutil.copy(script, self.folder / "etc")
        self._write("munge/setup.sql", DATABASE.format(**values))
        self._write("munge/key", secrets.token_hex(128))

    def _write(self, name: str, text: str, mode: int = 0o600) -> None:
        path = self.folder / name
        path.touch(mode)
        path.write_text(text, "utf-8")

    def _start_accounting(self, begun: ExitStack) -> None:
        folder, ports = self.folder, self._ports
        socket_of = f"--socket={folder}/run/munge.socket"
        files = (
            f"--{kind}-file={folder}/{name}"
            for kind, name in (
                ("key", "munge/key"),
                ("seed", "munge/seed"),
                ("pid", "run/munged.pid"),
                ("log", "log/munged.log"),
            )
        )
        begun.enter_context(self._daemon("munged", "--force", "--foreground", socket_of, *files))
        data, user = f"--datadir={folder}/data", f"--user={pwd.getpwuid(os.geteuid()).pw_name}"
        own = f"--tmpdir={folder}/run"  # one that starts clears away the temporary tables of others
        self.run("mariadb-install-db", "--no-defaults", data, user, own, "--skip-test-db")
        begun.enter_context(
            self._daemon(
                "mariadbd",
                "--no-defaults",
                data,
                user,
                own,
                f"--socket={folder}/run/mariadb.socket",
                f"--pid-file={folder}/run/mariadb.pid",
                "--bind-address=127.0.0.1",
                f"--port={ports['database']}",
                f"--init-file={folder}/munge/setup.sql",
            )
        )
        self.wait(lambda: _answers(ports["database"]), "for the database")
        begun.enter_context(self._daemon("slurmdbd", "-D"))
        self.wait(lambda: _answers(ports["storage"]), "for slurmdbd")
        self.run("sacctmgr", "-i", stdin="".join(f"{line}\n" for line in self._accounts))

    def _start_nodes(self, begun: ExitStack) -> None:
        begun.enter_context(self._daemon("slurmctld", "-D"))
        for name in self._nodes:
            (self.folder / "spool" / name).mkdir()
            begun.enter_context(self._daemon("slurmd", "-D", "-N", name, name=name))
        self.wait(self.answers, "for slurmctld")
        idle = f"idle {len(self._nodes)}"
        said = ("--noheader", "--format=%T %D")
        self.wait(lambda: idle in self.run("sinfo", *said).splitlines(), "for the nodes")

    @contextmanager
    def paused(self, name: str) -> Iterator[None]:
        """Have a daemon do nothing meanwhile."""
        self._daemons[name].send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._daemons[name].send_signal(signal.SIGCONT)

    def kill(self, name: str) -> None:
        """Kill a daemon on the spot: slurmctld, slurmdbd, or the slurmd of a node, by its name."""
        self._daemons[name].kill()
        self._daemons[name].wait()

    def end(self, name: str) -> None:
        """Have a daemon save what it knows and end."""
        self._daemons[name].terminate()
        self._daemons[name].wait(STOPS)

    def restart(self, name: str, *more: str) -> None:
        """Start a daemon that was killed or ended, as it was, with further arguments."""
        self._launch(name, [*self._commands[name], *more])

    def have_script(self, text: str) -> None:
        """Have slurmctld ask another job_submit.lua, which must be newer for it to load it."""
        path = self.folder / "etc" / "job_submit.lua"
        newer = path.stat().st_mtime + 2
        path.write_text(text, "utf-8")
        os.utime(path, (newer, newer))

    def has_saved(self) -> bool:
        """Whether slurmctld has written down the jobs since it was started."""
        saved = self.folder / "state" / "job_state"
        return saved.exists() and saved.stat().st_mtime > self._launched["slurmctld"]

    def log(self) -> str:
        """Return what slurmctld has written down."""
        return (self.folder / "log" / "slurmctld.log").read_text(errors="replace")

    def answers(self) -> bool:
        """Whether slurmctld does."""
        return _answers(self._ports["controller"])

    @contextmanager
    def _daemon(self, program: str, *arguments: str, name: str = "") -> Iterator[None]:
        """Run a daemon in the foreground; it is killed if it does not end when it is asked to."""
        name = name or program
        self._launch(name, [*ENDS_WITH_US, _path(program), *arguments])
        try:
            yield
        finally:
            process = self._daemons.pop(name)
            process.terminate()
            try:
                process.wait(timeout=STOPS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _launch(self, name: str, command: Sequence[str]) -> None:
        self._launched[name], self._commands[name] = time.time(), command
        with (self.folder / "log" / f"{name}.out").open("ab") as log:
            self._daemons[name] = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env=self.environment(),
                start_new_session=True,
            )

    def environment(self) -> dict[str, str]:
        """Environment of programs that are to ask this cluster."""
        return {
            "PATH": PLACES,
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "SLURM_CONF": f"{self.folder}/etc/slurm.conf",
        }

    def _drain(self) -> None:
        """Cancel all jobs: what runs when slurmd ends would go on for ever."""
        self.run("scancel", "--state=PENDING")
        self.run("scancel", "--state=RUNNING")
        self.run("scancel", "--state=SUSPENDED")
        self.wait(lambda: not self.run("squeue", "--noheader"), "for the last jobs to end")

    def _end_steps(self) -> None:
        """Kill what still runs of jobs of this cluster, known by files that it holds open."""
        for process in Path("/proc").iterdir():
            if process.name.isdecimal() and self._is_step(process):
                os.kill(int(process.name), signal.SIGKILL)

    def _is_step(self, process: Path) -> bool:
        try:
            if not (process / "comm").read_text().startswith("slurmstepd"):
                return False
            return any(
                self.folder in file.readlink().parents for file in (process / "fd").iterdir()
            )
        except OSError:  # it ended meanwhile
            return False

    def _logs(self) -> str:
        logs = sorted((self.folder / "log").glob("*.log"))
        return "\n".join(
            f"{log.name}: {log.read_text(errors='replace')[-LAST_OF_LOG:]}" for log in logs
        )


def _path(program: str) -> str:
    found = shutil.which(program, path=PLACES)
    assert found is not None, program
    return found


@contextmanager
def _held_ports(count: int) -> Iterator[list[int]]:
    """Reserve ports of loopback: only who asks for one of them by number gets it, as daemons do.

    A socket that is bound and does not listen leaves its port to others that may reuse addresses.
    """
    with ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            each.bind(("127.0.0.1", 0))
        yield [each.getsockname()[1] for each in sockets]


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True
