import io

import pytest

from swfx import InputError
from swfx.base.compression import PIECE, compress
from swfx.reading.text import Text, pieces_of

LINES = b"".join(b"%d 2 3\n" % number for number in range(20_000))


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz", ".zst"])
@pytest.mark.parametrize("size", [1, 10, 1000, 10**9, None])
def test_blocks_are_whole_lines_and_make_the_text(suffix, size):
    text = LINES if size != 1 else LINES[:1000]
    blocks = list(Text(io.BytesIO(compress(text, suffix))).blocks(size))
    assert b"".join(blocks) == text
    assert all(block.endswith(b"\n") for block in blocks[:-1])
    assert (len(blocks) > 1) == (size is not None and size < len(text))


def test_a_line_longer_than_a_block_stays_whole():
    blocks = list(Text(io.BytesIO(b"1\n" + b"9" * 100 + b"\n2\n3")).blocks(8))
    assert any(b"9" * 100 + b"\n" in block for block in blocks)
    assert blocks[-1].endswith(b"3")


def test_lines_before_a_break_are_given_first():
    packed = compress(LINES, ".gz")
    blocks = Text(io.BytesIO(packed[:-100])).blocks(1000)
    first = next(blocks)
    assert LINES.startswith(first)
    assert first.endswith(b"\n")
    with pytest.raises(InputError, match="the end is missing"):
        list(blocks)


def test_a_byte_order_mark_is_left_out():
    text = Text(io.BytesIO(b"\xef\xbb\xbf; A\n"))
    assert text.marked
    assert list(text.blocks()) == [b"; A\n"]
    with pytest.raises(InputError, match="is empty"):
        Text(io.BytesIO(b"\xef\xbb\xbf")).check()


def test_a_zero_gives_another_kind_of_file_away_where_it_begins():
    with pytest.raises(InputError, match="is not text: byte 4095 is 0"):
        Text(io.BytesIO(b"1" * 4095 + b"\0")).check()
    text = Text(io.BytesIO(b"1" * 4096 + b"\0"))
    text.check()
    assert next(text.blocks()) == b"1" * 4096 + b"\0"


def test_streams_that_give_little_at_a_time():
    class Slow(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            return super().read(min(size or 1, 3))

    assert b"".join(Text(Slow(compress(LINES[:600], ".gz"))).blocks(50)) == LINES[:600]
    assert b"".join(pieces_of(Slow(LINES[: PIECE + 9]))) == LINES[: PIECE + 9]


def test_utf_16_is_called_by_its_name():
    with pytest.raises(InputError, match="is text in UTF-16; save it as UTF-8"):
        Text(io.BytesIO("; MaxProcs: 8\n".encode("utf-16"))).check()
