"""Ids of tables, and the slot that all keys of a table share."""

from __future__ import annotations

import pytest

from boardgamesbot.store import keys


@pytest.mark.parametrize("slots", [1, 3, 16, 256])
def test_new_ids_are_valid_different_and_spread_over_all_slots(slots: int) -> None:
    ids = [keys.new_table_id(slots) for _ in range(slots * 40)]
    assert len(set(ids)) == len(ids)
    assert {keys.slot_of(i) for i in ids} == set(range(slots))


def test_a_derived_id_depends_on_every_byte_of_the_digest_it_uses() -> None:
    digest = bytes(range(32))
    ids = {keys.derived_table_id(bytes(b ^ 0xFF if i == at else b for i, b in enumerate(digest))) for at in range(9)}
    assert len(ids) == 9
    assert keys.derived_table_id(digest) not in ids
    assert keys.derived_table_id(digest) == keys.derived_table_id(digest)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "00",
        "00aaaaaaaaaaa",
        "00aaaaaaaaaaaaa",
        "0gaaaaaaaaaaaa",
        "0Aaaaaaaaaaaaa",
        "00aaaaaaaaaaa1",
        "00aaaaaaaaaaaa\n",
        "00aaaaa}aaaaaa",
        "\u0660\u0660aaaaaaaaaaaa",
    ],
)
def test_a_malformed_id_is_refused(value: str) -> None:
    assert not keys.is_table_id(value)
    for use in (keys.slot_of, keys.table, keys.events, keys.requests):
        with pytest.raises(ValueError, match="not a table id"):
            use(value)


@pytest.mark.parametrize("slots", [0, 257, -1])
def test_there_are_1_to_256_slots(slots: int) -> None:
    with pytest.raises(ValueError, match="1 to 256"):
        keys.new_table_id(slots)


def test_all_that_a_commit_changes_has_one_hash_tag() -> None:
    table_id = "0f" + "a" * 12
    names = [keys.table(table_id), keys.events(table_id), keys.requests(table_id), keys.outbox(15), keys.deadlines(15)]
    names.append(keys.finished(15))
    names += [keys.listed(15, status) for status in keys.LISTED_STATUSES]
    assert {name[: name.index("}") + 1] for name in names} == {"{s0f}"}
    assert len(set(names)) == len(names)


def test_all_of_matchmaking_has_one_hash_tag() -> None:
    names = [keys.DUE_TICKETS, keys.MATCHES, keys.ticket("t"), keys.join_code("c"), keys.match("m")]
    names += [keys.queue("agora"), keys.recent_waits("agora", 3), keys.recent_differences("agora", 3)]
    assert {name[: name.index("}") + 1] for name in names} == {"{mm}"}
    assert len(set(names)) == len(names)
