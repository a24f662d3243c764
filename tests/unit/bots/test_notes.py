"""Notes are kept for whoever decided last, a bounded number of them."""

from __future__ import annotations

from boardgamesbot.bots.notes import NotesKept


def test_the_same_seat_finds_its_notes_again_and_no_other_does() -> None:
    kept = NotesKept(4)
    kept.of("table:0")["tree"] = "mine"
    assert kept.of("table:0") == {"tree": "mine"}
    assert kept.of("table:1") == {}
    kept.forget("table:0")
    assert kept.of("table:0") == {}


def test_only_so_many_are_kept_and_the_least_recent_go() -> None:
    kept = NotesKept(2)
    for whose in ("a", "b"):
        kept.of(whose)["name"] = whose
    kept.of("a")
    kept.of("c")["name"] = "c"
    assert (kept.of("a"), kept.of("c")) == ({"name": "a"}, {"name": "c"})
    assert kept.of("b") == {}


def test_nobodys_notes_are_not_kept() -> None:
    kept = NotesKept(2)
    kept.of("")["tree"] = "lost"
    assert kept.of("") == {}
