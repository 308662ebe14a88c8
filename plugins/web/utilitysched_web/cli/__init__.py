"""Commands `serve` and `token`."""

from utilitysched.cli.options import option

KEY_FILE = option(
    "--key-file FILE",
    "Key that signs tokens; made if there is none.",
    shown="utilitysched/key in XDG_STATE_HOME or ~/.local/state",
)
