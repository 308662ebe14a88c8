"""Compressed bytes in and out: gzip, xz and zstd.

Parts of a stream are unpacked by their first bytes, in bounded memory, and equal data are packed as
equal bytes; those of xopen depend on the libraries (isal, zlib-ng) that it finds.
"""

from __future__ import annotations

import gzip
import io
import itertools
import lzma
import zlib
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from types import ModuleType
from typing import Protocol

from swfx.base.errors import InputError
from swfx.base.missing import importing

__all__ = ["PIECE", "check_packing", "compress", "decompress", "packed", "unpacked"]

PIECE = 2**16
"""Bytes that are unpacked at a time; they may become a thousand times as many."""

_AHEAD = 64  # pieces that wait to be packed
_GZIP, _XZ, _ZSTD = b"\x1f\x8b", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"
_GZIP_WINDOW = 16 + zlib.MAX_WBITS  # 16: with the header and checksum of gzip
_GZIP_LEVEL = 2  # the default takes four times as long to save a fourteenth
_XZ_PRESET = 1  # the default takes ten times as long to save a tenth
_ZSTD_LEVEL = 9
_FOREIGN = (".7z", ".br", ".bz2", ".lz4", ".lzma", ".lzo", ".rar", ".tgz", ".txz", ".z", ".zip")


class _Unpacker(Protocol):
    """What zlib, lzma and zstandard have in common."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


class _Packer(Protocol):
    def compress(self, data: bytes, /) -> bytes: ...
    def flush(self) -> bytes: ...


def decompress(data: bytes) -> bytes:
    """Unpack gzip, xz or zstd, told by the first bytes; other data is returned as it is.

    Raises
    ------
    InputError
        If the data is truncated or broken, or zstd is not installed.
    """
    return b"".join(unpacked([data]))


def unpacked(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Unpack data that arrives in parts, `PIECE` bytes at a time.

    Raises
    ------
    InputError
        As `decompress`, after what comes before the break.
    """
    parts = iter(parts)
    head = b""
    while len(head) < len(_XZ) and (part := next(parts, b"")):
        head += part
    magic = next((magic for magic in (_GZIP, _XZ, _ZSTD) if head.startswith(magic)), None)
    parts = itertools.chain((head,), parts)
    return parts if magic is None else _unpacked_files(magic, _pieces(parts))


def _unpacked_files(magic: bytes, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Unpack one packed file after the other, with zeros between and behind them as padding."""
    unpacker = None
    failures = (zlib.error, lzma.LZMAError) if magic != _ZSTD else (_zstandard().ZstdError,)
    for piece in pieces:
        rest = piece
        while rest := rest if unpacker else rest.lstrip(b"\0"):
            unpacker = unpacker or _unpacker(magic)
            try:
                data = unpacker.decompress(rest)
            except failures as error:
                raise _broken(str(error).rstrip(".").lower()) from error
            yield data
            rest = unpacker.unused_data
            if unpacker.eof:
                unpacker = None
    if unpacker:
        raise _broken("the end is missing")


def _unpacker(magic: bytes) -> _Unpacker:
    if magic == _GZIP:
        return zlib.decompressobj(_GZIP_WINDOW)
    if magic == _XZ:
        return lzma.LZMADecompressor(lzma.FORMAT_XZ)
    unpacker: _Unpacker = _zstandard().ZstdDecompressor().decompressobj()
    return unpacker


def _broken(reason: str) -> InputError:
    return InputError(
        f"is truncated or broken compressed data: {reason}", remedy="fetch the file again"
    )


def check_packing(suffix: str) -> None:
    """Refuse the suffix of a packing that files cannot be written in.

    Raises
    ------
    InputError
        A packing of others, or zstd where it is not installed.
    """
    if suffix.lower() in _FOREIGN:
        raise InputError(
            f"files cannot be packed as {suffix}", remedy="end the name in .gz, .xz or .zst"
        )
    if suffix == ".zst":
        _zstandard()


def compress(data: bytes, suffix: str) -> bytes:
    """Pack by file name suffix (`.gz`, `.xz`, `.zst`, else not at all); equal data, equal bytes.

    Raises
    ------
    InputError
        As `check_packing`.
    """
    return b"".join(packed([data], suffix))


def packed(parts: Iterable[bytes], suffix: str) -> Iterator[bytes]:
    """Pack data that arrives in parts; however it is parted, the bytes are those of `compress`.

    Raises
    ------
    InputError
        As `check_packing`.
    """
    check_packing(suffix)
    packer = _packer(suffix)
    if packer is None:
        yield from parts
        return
    with ThreadPoolExecutor(1) as thread:  # packs while the next parts are made
        begun: deque[Future[bytes]] = deque()
        for piece in _pieces(parts):
            begun.append(thread.submit(packer.compress, piece))
            if len(begun) > _AHEAD:
                yield begun.popleft().result()
        begun.append(thread.submit(packer.flush))
        yield from (packing.result() for packing in begun)


def _pieces(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Cut data that arrives in parts into pieces of `PIECE` bytes; the last may be shorter."""
    held = bytearray()
    for part in parts:
        held += part
        while len(held) >= PIECE:
            yield bytes(held[:PIECE])
            del held[:PIECE]
    if held:
        yield bytes(held)


def _packer(suffix: str) -> _Packer | None:
    if suffix == ".gz":
        return _GzipPacker()
    if suffix == ".xz":
        return lzma.LZMACompressor(preset=_XZ_PRESET)
    if suffix == ".zst":
        packer = _zstandard().ZstdCompressor(level=_ZSTD_LEVEL, write_checksum=True)
        in_parts: _Packer = packer.compressobj()
        return in_parts
    return None


class _GzipPacker:
    """gzip without time and name."""

    def __init__(self) -> None:
        self._target = io.BytesIO()
        self._file = gzip.GzipFile("", "wb", _GZIP_LEVEL, self._target, mtime=0)

    def compress(self, data: bytes) -> bytes:
        """Pack data; return the bytes that are complete."""
        self._file.write(data)
        return self._drained()

    def flush(self) -> bytes:
        """Last packed bytes."""
        self._file.close()
        return self._drained()

    def _drained(self) -> bytes:
        data = self._target.getvalue()
        self._target.seek(0)
        self._target.truncate()
        return data


def _zstandard() -> ModuleType:
    with importing("zstd", "zstandard"):
        import zstandard  # noqa: PLC0415  an optional dependency
    return zstandard
