"""Downloads over HTTP that go on where an earlier attempt ended, which pooch's begin anew."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from http import HTTPStatus
from http.client import HTTPException, HTTPMessage, HTTPResponse
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from swfx.archive.partial import Partial, Version
from swfx.base.errors import InputError

__all__ = ["download"]

PATIENCE = 30.0
"""Seconds without a byte after which a server is given up."""

CHUNK = 1 << 16
"""Bytes between two reports of progress."""


def download(url: str, part: Partial, on_progress: Callable[[float], None]) -> None:
    """Bring a part up to the whole file.

    The rest is asked for on condition that the file is unchanged (``If-Range``): a server that
    has another version, or that cannot send a part of a file, sends the whole.

    Parameters
    ----------
    url : str
        Where the file is, http or https.
    part : Partial
        What is here of it; keeps what arrived if the download breaks off.
    on_progress : callable
        Called with the share received so far, where the server says how much there is.

    Raises
    ------
    InputError
        No such file, no answer, or an end before the end.
    """
    known = part.resumable(url)
    if known and part.size == known.size:
        return
    with _answer(url, part) as response:
        size = _begin(url, response, part)
        for data in _chunks(url, response):
            part.append(data)
            if size > 0:
                on_progress(part.size / size)
    if size >= 0 and part.size != size:
        raise _broken(url, f"the connection ended after {part.size:,} of {size:,} bytes")


def _answer(url: str, part: Partial) -> HTTPResponse:
    if not url.startswith(("http://", "https://")):
        raise InputError("is no address that begins with http:// or https://", source=url)
    headers = {"User-Agent": "utilitysched", "Accept-Encoding": "identity"}
    known = part.resumable(url)
    if known:
        headers |= {"Range": f"bytes={part.size}-", "If-Range": known.validator}
    try:
        response: HTTPResponse = urlopen(Request(url, headers=headers), timeout=PATIENCE)
    except HTTPError as error:
        raise InputError(
            f"the server answers {error.code} {error.reason}",
            source=url,
            remedy="is the address right? --from URL names a mirror of the archive",
        ) from error
    except (URLError, HTTPException, OSError, ValueError) as error:
        raise InputError(
            f"cannot be reached: {_reason(error)}",
            source=url,
            remedy="try again when there is a connection, or name a mirror with --from URL",
        ) from error
    return response


def _begin(url: str, response: HTTPResponse, part: Partial) -> int:
    """Start the part anew unless the answer goes on where it ends; return the file's size."""
    offset, size = _extent(response.headers)
    if response.status != HTTPStatus.PARTIAL_CONTENT:
        part.restart(Version(url, _validator(response.headers), size))
    elif offset != part.size:
        raise InputError(
            f"the server sends from byte {offset:,} on, asked for was {part.size:,}",
            source=url,
            remedy="remove the .part file and fetch again",
        )
    return size


def _extent(headers: HTTPMessage) -> tuple[int, int]:
    """Return at which byte the answer begins, and how many the whole file has, -1 if unknown."""
    found = re.fullmatch(r"bytes (\d+)-\d+/(\d+|\*)", headers.get("Content-Range", ""))
    if found:
        return int(found[1]), -1 if found[2] == "*" else int(found[2])
    length = headers.get("Content-Length", "")
    return 0, int(length) if length.isdecimal() else -1


def _validator(headers: HTTPMessage) -> str:
    """Return what identifies the version: a strong entity tag, else the date of change."""
    tag = headers.get("ETag", "")
    return tag if tag and not tag.startswith("W/") else headers.get("Last-Modified", "")


def _chunks(url: str, response: HTTPResponse) -> Iterator[bytes]:
    while True:
        try:
            data = response.read1(CHUNK)
        except (HTTPException, OSError) as error:
            raise _broken(url, f"the connection broke: {_reason(error)}") from error
        if not data:
            return
        yield data


def _broken(url: str, what: str) -> InputError:
    return InputError(what, source=url, remedy="fetch again to go on from there")


def _reason(error: Exception) -> str:
    reason = getattr(error, "reason", error)
    return (getattr(reason, "strerror", None) or str(reason) or type(reason).__name__).lower()
