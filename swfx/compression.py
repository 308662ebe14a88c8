"""Compressed bytes in and out: gzip, xz and zstd."""

from __future__ import annotations

import gzip
import io
import lzma
import zlib
from types import ModuleType

from swfx.errors import InputError

__all__ = ["compress", "decompress"]

_GZIP, _XZ, _ZSTD = b"\x1f\x8b", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"
_GZIP_LEVEL = 6
_XZ_PRESET = 1  # the default takes ten times as long to save a tenth
_ZSTD_LEVEL = 9
_FOREIGN = (".7z", ".br", ".bz2", ".lz4", ".lzma", ".lzo", ".rar", ".tgz", ".txz", ".z", ".zip")


def decompress(data: bytes) -> bytes:
    """Unpack gzip, xz or zstd, told by the first bytes; other data is returned as it is.

    Raises
    ------
    InputError
        If the data is truncated or broken, or zstd is not installed.
    """
    try:
        if data.startswith(_GZIP):
            return gzip.decompress(data)
        if data.startswith(_XZ):
            return lzma.decompress(data)
        if data.startswith(_ZSTD):
            return _zstd_decompress(data)
    except (EOFError, OSError, zlib.error, lzma.LZMAError) as error:
        reason = str(error).rstrip(".").lower()
        raise InputError(
            f"is truncated or broken compressed data: {reason}", remedy="fetch the file again"
        ) from error
    return data


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
    check_packing(suffix)
    if suffix == ".gz":
        return _gzip_compress(data)
    if suffix == ".xz":
        return lzma.compress(data, preset=_XZ_PRESET)
    if suffix == ".zst":
        packer = _zstandard().ZstdCompressor(level=_ZSTD_LEVEL, write_checksum=True)
        packed: bytes = packer.compress(data)
        return packed
    return data


def _gzip_compress(data: bytes) -> bytes:
    target = io.BytesIO()
    with gzip.GzipFile("", "wb", _GZIP_LEVEL, target, mtime=0) as packer:
        packer.write(data)
    return target.getvalue()


def _zstd_decompress(data: bytes) -> bytes:
    zstandard = _zstandard()
    parts = []
    try:
        while data:
            frame = zstandard.ZstdDecompressor().decompressobj()
            parts.append(frame.decompress(data))
            if not frame.eof:
                raise EOFError("the last frame has no end")
            data = frame.unused_data
    except zstandard.ZstdError as error:
        raise EOFError(str(error)) from error
    return b"".join(parts)


def _zstandard() -> ModuleType:
    try:
        import zstandard  # noqa: PLC0415  an optional dependency
    except ImportError as error:
        raise InputError(
            "zstd needs a package that is not installed", remedy="pip install utilitysched[zstd]"
        ) from error
    return zstandard
