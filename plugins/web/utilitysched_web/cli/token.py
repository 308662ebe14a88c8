"""`utilitysched token`."""

from pathlib import Path

from utilitysched.cli.options import argument, option, positive_duration
from utilitysched_web.cli import KEY_FILE

EPILOG = """\b
Examples:
  utilitysched token alice --for 30d
  utilitysched token root --role operator --key-file /etc/utilitysched/key
"""


def token(
    user: str = argument("USER", "Name of a user in the log, or their number if it has no names."),
    role: str = option("--role NAME", "user, who sees what is theirs, or operator.", "user"),
    valid: float = option("--for TIME", "How long it is good.", "7d", parser=positive_duration),
    key_file: Path | None = KEY_FILE,
) -> None:
    """Make a token by which somebody signs in.

    That is, at utilitysched serve. It is signed with the server's key, and kept nowhere: to take
    all tokens back, remove the key and start the server again.
    """
    import time

    from utilitysched_web.tokens import issue, role_of, signing_key

    print(issue(signing_key(key_file), user, role_of(role), time.time() + valid))
