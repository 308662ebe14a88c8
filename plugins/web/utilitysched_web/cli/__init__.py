"""Commands `serve` and `token`."""

from pathlib import Path
from typing import Annotated

from swfx.base.typed import Typed

KeyFile = Annotated[
    Path | None,
    Typed(
        "--key-file FILE",
        shown="utilitysched/key in XDG_STATE_HOME or ~/.local/state",
        text="Key that signs tokens; made if there is none.",
    ),
]
