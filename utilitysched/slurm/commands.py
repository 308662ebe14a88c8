"""Commands of Slurm: nothing else in the package runs any."""

import json
import os
import pwd
import shutil
import subprocess
from collections.abc import Sequence
from typing import Any

from swfx import InputError

PATIENCE = 60.0
"""s after which a command is given up: a client without its controller asks for some 10."""

OWN_SETTINGS = ("SQUEUE_", "SINFO_", "SACCT_", "SCONTROL_", "SBATCH_", "SLURM_TIME_FORMAT")
"""Beginnings of what in the environment would change what is printed."""

PACKAGES = "install Slurm's clients (Debian: slurm-client), and set SLURM_CONF if need be"


class SlurmError(InputError):
    """A command of Slurm that failed: it may work again later."""


def queue() -> dict[str, Any]:
    """Return what squeue says of all jobs, those that ended a moment ago among them."""
    return _json("squeue", "--states=all", "--json")


def nodes() -> dict[str, Any]:
    """Return what sinfo says of all nodes."""
    return _json("sinfo", "--all", "--Node", "--exact", "--json")


def configuration() -> str:
    """Return what scontrol says of the configuration."""
    return _output(["scontrol", "show", "config"])


def caller() -> tuple[str, str]:
    """Return who we are, and which level accounting gives us; none where there is no accounting."""
    name = pwd.getpwuid(os.geteuid()).pw_name
    asked = ("sacctmgr", "--noheader", "--parsable2", "show", "user", name, "format=AdminLevel")
    try:
        return name, _output(asked).strip()
    except SlurmError:
        return name, ""


def _json(*command: str) -> dict[str, Any]:
    text = _output(command)
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SlurmError(f"prints no JSON: {error}", source=command[0]) from error
    if not isinstance(found, dict):
        raise SlurmError("prints no JSON object", source=command[0])
    return found


def _output(command: Sequence[str]) -> str:
    """Return what a command prints.

    Raises
    ------
    SlurmError
        It is not there, takes too long, or fails.
    """
    path = shutil.which(command[0])
    if path is None:
        raise SlurmError("is not on this machine", source=command[0], remedy=PACKAGES)
    try:
        done = subprocess.run(
            [path, *command[1:]],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            env=_environment(),
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SlurmError(str(error), source=command[0]) from error
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise SlurmError(said[-1], source=" ".join(command))
    return done.stdout


def _environment() -> dict[str, str]:
    """Return our environment, with plain output in UTC and array tasks in full."""
    kept = {key: text for key, text in os.environ.items() if not key.startswith(OWN_SETTINGS)}
    return kept | {"LC_ALL": "C.UTF-8", "TZ": "UTC", "SLURM_BITSTR_LEN": "0"}
