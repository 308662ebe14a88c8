"""`utilitysched serve` and `token`, as a program of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.utilitysched.cli.conftest import Command
from utilitysched_web.audit import AUDIT_FILE
from utilitysched_web.sign_ins import VOID_FILE
from utilitysched_web.tokens import read, signing_key


def test_a_token_is_signed_with_the_servers_key(command: Command, tmp_path: Path) -> None:
    key = tmp_path / "key"

    text = command("token", "alice", "--for", "30d", "--key-file", key).out.strip()
    refused = command("token", "alice", "--role", "oprator", "--key-file", key)

    found = read(signing_key(key), text, 0.0)
    assert found is not None
    assert (found.user, found.role, found.once) == ("alice", "user", False)
    assert refused.code == 2
    assert "operator" in refused.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--proxy", "10.0.0.2"), "give both --proxy ADDRESS and --user-header NAME"),
        (("--operator", "root"), "give both --proxy ADDRESS and --user-header NAME"),
        (("--proxy", "here", "--user-header", "X-User"), "'here' is no address"),
        (("--base-path", "market"), "does not begin with /; write /market"),
        (("--invoices", "nowhere"), "nowhere: --invoices: is no folder"),
        (("--port", "99999"), "99999 is out of range; give at most 65535"),
    ],
)
def test_what_lets_people_in_is_whole_or_refused(
    command: Command, tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    found = command("serve", "--key-file", tmp_path / "key", *options)

    assert found.code == 2
    assert said in found.err


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder for temporary files whose path is short enough for sockets, as `tmp_path` is not."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


@pytest.mark.slow
def test_a_server_shows_the_sample_until_it_is_stopped(
    command: Command, tmp_path: Path, short: Path
) -> None:
    options = ["--key-file", str(tmp_path / "key"), "--base-path", "/m"]
    words = [sys.executable, "-m", "utilitysched", "serve", "--port", "0", *options]
    settings = os.environ | {"TMPDIR": str(short)}
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True, env=settings) as server:
        assert server.stderr is not None
        link = next(line for line in server.stderr if line.startswith("sign in: ")).split()[-1]
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        asked, _, secret = link.partition("?link=")
        form = urllib.parse.urlencode({"token": secret}).encode()
        page = opener.open(asked, form).read().decode()
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(asked, form)
        port = urllib.parse.urlsplit(link).port
        taken = command("serve", "--port", port, *options)
        kept = list(short.glob("utilitysched-*"))
        open_to_others = [path for path in short.rglob("*") if path.stat().st_mode & 0o077]
        names = {path.name for path in kept[0].iterdir()}
        server.send_signal(signal.SIGTERM)
        code = server.wait()

    assert "2,000" in page
    assert 'href="/m/bills"' in page
    assert taken.code == 2
    assert f"127.0.0.1:{port}: cannot listen: address already in use; name another" in taken.err
    assert len(kept) == 1
    assert names >= {"ledger.db", "run", AUDIT_FILE, VOID_FILE}
    assert open_to_others == []
    assert code == 128 + signal.SIGTERM
    assert list(short.glob("utilitysched-*")) == []
