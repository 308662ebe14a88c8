from __future__ import annotations

from numba import njit

from utilitysched.kernels.compiling import telling_of_compilation


def test_compilation_is_told_once_and_only_where_there_is_some() -> None:
    told: list[str] = []
    one = njit(lambda x: x + 1)
    other = njit(lambda x: x + 2)

    with telling_of_compilation(lambda: told.append("compiling")):
        assert (one(1), other(1), one(1.0)) == (2, 3, 2.0)
    assert told == ["compiling"]

    with telling_of_compilation(lambda: told.append("again")):
        assert one(5) == 6
    assert told == ["compiling"]
    assert njit(lambda x: x)(1) == 1
    assert told == ["compiling"]
