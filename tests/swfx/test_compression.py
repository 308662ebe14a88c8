import gzip
import lzma
import sys

import pytest

from swfx import InputError
from swfx.compression import compress, decompress

DATA = b"1 2 3\n" * 1000
SUFFIXES = (".gz", ".xz", ".zst")


@pytest.mark.parametrize("suffix", [*SUFFIXES, ".swf", ""])
def test_packed_data_comes_back(suffix):
    assert decompress(compress(DATA, suffix)) == DATA


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_equal_data_gives_equal_bytes(suffix):
    assert compress(DATA, suffix) == compress(DATA, suffix)
    assert len(compress(DATA, suffix)) < len(DATA)


def test_gzip_holds_no_time_and_no_name():
    assert compress(DATA, ".gz")[3:8] == bytes(5)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_files_packed_in_parts_are_read_whole(suffix):
    assert decompress(compress(DATA, suffix) + compress(b"4\n", suffix)) == DATA + b"4\n"


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("kept", [0.5, 0.99])
def test_truncated_data_is_refused(suffix, kept):
    packed = compress(bytes(range(256)) * 50, suffix)
    with pytest.raises(InputError, match=r"truncated or broken .*; fetch the file again"):
        decompress(packed[: int(len(packed) * kept)])


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_broken_data_is_refused(suffix):
    packed = bytearray(compress(DATA, suffix))
    packed[len(packed) // 2] ^= 0xFF
    with pytest.raises(InputError, match="truncated or broken"):
        decompress(bytes(packed))


@pytest.mark.parametrize("packer", [gzip, lzma])
def test_other_peoples_files_are_read(packer):
    assert decompress(packer.compress(DATA)) == DATA


def test_missing_zstd_package_is_named(monkeypatch):
    packed = compress(DATA, ".zst")
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(InputError, match=r"pip install utilitysched\[zstd\]"):
        decompress(packed)
    with pytest.raises(InputError, match=r"pip install utilitysched\[zstd\]"):
        compress(DATA, ".zst")


@pytest.mark.parametrize("suffix", [".bz2", ".zip", ".Z"])
def test_a_packing_of_others_is_refused(suffix):
    with pytest.raises(InputError, match=rf"cannot be packed as \{suffix}; end the name in \.gz"):
        compress(DATA, suffix)
