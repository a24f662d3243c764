"""A log of movements, and what is written of it."""

from __future__ import annotations

from boardgamesbot.games.agora.movements import Log, Moved, Movement

FIRST, SECOND, THIRD = (Movement(Moved.PLAYED, 0, -1, square) for square in (1, 2, 3))


class Writer:
    """Writes a movement's square, and keeps what it was asked about."""

    def __init__(self) -> None:
        self.asked: list[Movement] = []

    def __call__(self, moved: Movement) -> bytes:
        self.asked.append(moved)
        return b"%d;" % moved.square


def test_is_written_in_order_and_nothing_of_it_twice() -> None:
    log, write = Log([FIRST, SECOND]), Writer()
    assert log.written(write) == log.written(write) == b"1;2;"
    log.append(THIRD)
    assert log.written(write) == b"1;2;3;"
    assert write.asked == [FIRST, SECOND, THIRD]


def test_a_copy_goes_on_by_itself_from_what_was_written() -> None:
    log, write = Log([FIRST]), Writer()
    log.written(write)
    twin = log.copy()
    twin.append(SECOND)
    log.append(THIRD)
    assert (log.written(write), twin.written(write)) == (b"1;3;", b"1;2;")
    assert write.asked == [FIRST, THIRD, SECOND]


def test_nothing_is_written_of_an_empty_one() -> None:
    assert Log().written(Writer()) == b""
