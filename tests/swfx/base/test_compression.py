import gzip
import lzma

import pytest

from swfx import InputError
from swfx.base.compression import PIECE, compress, decompress, packed, unpacked

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


@pytest.mark.parametrize("suffix", [*SUFFIXES, ".swf"])
def test_parts_make_the_bytes_of_the_whole(suffix):
    data = b"%d 2 3\n" * 40_000 % tuple(range(40_000))
    assert len(data) > 3 * PIECE
    whole = compress(data, suffix)
    for size in (1000, PIECE, 3 * PIECE + 1):
        parts = (data[first : first + size] for first in range(0, len(data), size))
        assert b"".join(packed(parts, suffix)) == whole


@pytest.mark.parametrize("suffix", [*SUFFIXES, ".swf"])
@pytest.mark.parametrize("size", [1, 7, 500])
def test_packed_data_may_arrive_in_pieces(suffix, size):
    data = compress(DATA, suffix) * 2
    pieces = (data[first : first + size] for first in range(0, len(data), size))
    assert b"".join(unpacked(pieces)) == DATA * 2


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_zeros_behind_packed_data_are_padding_and_anything_else_is_not(suffix):
    assert decompress(compress(DATA, suffix) + bytes(4)) == DATA
    with pytest.raises(InputError, match="truncated or broken"):
        decompress(compress(DATA, suffix) + b"more")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_comes_before_the_break_is_given_first(suffix):
    data = compress(DATA, suffix)
    given = unpacked([data, data[: len(data) // 2]])
    assert next(given) == DATA
    with pytest.raises(InputError, match="the end is missing"):
        list(given)


@pytest.mark.parametrize("packer", [gzip, lzma])
def test_other_peoples_files_are_read(packer):
    assert decompress(packer.compress(DATA)) == DATA


@pytest.mark.parametrize("suffix", [".bz2", ".zip", ".Z"])
def test_a_packing_of_others_is_refused(suffix):
    with pytest.raises(InputError, match=rf"cannot be packed as \{suffix}; end the name in \.gz"):
        compress(DATA, suffix)
