"""`utilitysched token`."""

from typing import Annotated

from swfx.base.document_values import seconds
from swfx.base.typed import Typed
from utilitysched_web.cli import KeyFile

EPILOG = """\b
Examples:
  utilitysched token alice --for 30d
  utilitysched token root --role operator --key-file /etc/utilitysched/key
"""


def token(
    user: Annotated[str, Typed("USER")],
    role: Annotated[str, Typed("--role NAME")] = "user",
    valid: Annotated[float, seconds(gt=0), Typed("--for TIME", shown="7d")] = 7 * 86_400.0,
    key_file: KeyFile = None,
) -> None:
    """Make a token by which somebody signs in.

    That is, at utilitysched serve. It is signed with the server's key, and kept nowhere. Operators
    take one back on the page of sign-ins; to take all back, remove the key and start the server
    again.

    Parameters
    ----------
    user : str
        Name of a user in the log, or their number if it has no names.
    role : str
        user, who sees what is theirs, or operator.
    valid : float
        How long it is good.
    """
    import time

    from utilitysched_web.tokens import issue, role_of, signing_key

    print(issue(signing_key(key_file), user, role_of(role), time.time() + valid))
