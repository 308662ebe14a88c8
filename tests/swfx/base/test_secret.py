from pathlib import Path

import pytest

from swfx import InputError
from swfx.base.secret import read_secret, write_secret

VARIABLE = "A_SECRET_OF_OURS"
LONG = b"sixteen bytes or more"


def test_a_secret_is_in_the_environment_or_in_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert read_secret(VARIABLE) is None
    monkeypatch.setenv(VARIABLE, LONG.decode())
    assert read_secret(VARIABLE) == LONG
    write_secret(tmp_path / "secret", LONG)
    monkeypatch.setenv(VARIABLE, f"@{tmp_path}/secret")
    assert read_secret(VARIABLE) == LONG


def test_a_secret_that_is_short_or_cannot_be_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "fifteen letters")
    with pytest.raises(InputError, match=f"field {VARIABLE}: has 15 bytes, fewer than 16"):
        read_secret(VARIABLE)
    monkeypatch.setenv(VARIABLE, f"@{tmp_path}/secret")
    with pytest.raises(InputError, match=f"cannot be read: .*; see {VARIABLE}"):
        read_secret(VARIABLE)
    write_secret(tmp_path / "secret", b"short")
    with pytest.raises(InputError, match="has 5 bytes"):
        read_secret(VARIABLE)


def test_only_its_owner_reads_a_secret(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_text("of before, which all could read")

    write_secret(path, LONG)

    assert path.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["secret"]
