"""Solo Barcelona at a real table: it agrees with the engine, reveals nothing, and takes no entry that can't be."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest

from boardgamesbot.games.barcelona.events import (
    Drew,
    EndBegan,
    Ended,
    ModernismeShown,
    Placed,
    StreetBuilt,
    TurnBegan,
)
from boardgamesbot.games.barcelona.game import Barcelona
from boardgamesbot.games.barcelona.gaudi.asking import Asking, NotUnderstood
from boardgamesbot.games.barcelona.gaudi.physical import PhysicalGame, WrongEntry
from boardgamesbot.games.barcelona.gaudi.piles import BLANK, Unseen
from boardgamesbot.games.barcelona.gaudi.questions import SETTING_UP, About, Entry, Question, both, pair
from boardgamesbot.games.barcelona.moves import GAUDI, place
from boardgamesbot.games.barcelona.ruleset import load, shipped
from boardgamesbot.games.base import Event, IllegalMove, Malformed
from boardgamesbot.players.base import Brain
from boardgamesbot.players.greedy_barcelona import GreedyBarcelona
from boardgamesbot.players.random import RandomBrain
from tests.support.barcelona import ACTIONS, SAGRADA, SCORINGS, SERVICES, WORKING
from tests.support.real_table import (
    GAME,
    GAUDI_SEAT,
    PERSON,
    Recorded,
    as_the_person_sees,
    in_any_order,
    options,
    plays,
    record,
)

GAMES = [
    *product(("EASY", "NORMAL", "HARD"), (False, True), (False, True), (2, 4)),
    ("EASY", False, False, 1),
    ("NORMAL", True, False, 1),
    ("HARD", True, True, 1),
]
"""Difficulty, expansion, both actions, and a seed: with an even one the person moves by chance."""


@cache
def recorded(solo: str = "NORMAL", expansion: bool = False, both: bool = False, seed: int = 1) -> Recorded:
    brain: Brain = GreedyBarcelona() if seed % 2 else RandomBrain()
    return record(options(solo, expansion=expansion, both=both), seed, brain)


@cache
def _entries(expansion: bool) -> tuple[Entry, ...]:
    table = PhysicalGame(GAME, recorded(expansion=expansion).options)
    for _ in plays(recorded(expansion=expansion), table):
        pass
    return tuple(table.entries)


def table_at(about: About, place: int | None = None, *, expansion: bool = False) -> PhysicalGame:
    """A game that was entered up to the first such question."""
    table = PhysicalGame(GAME, recorded(expansion=expansion).options)
    for entry in _entries(expansion):
        question = table.question
        assert question is not None
        if question.about is about and place in (None, question.place):
            return table
        table.enter(entry.answer)
    raise AssertionError(f"{about} is never asked")


def asked(table: PhysicalGame) -> Question:
    assert table.question is not None
    return table.question


def objection(table: PhysicalGame, answer: int) -> str:
    """Why an answer is not taken; nothing must change."""
    before = (table.question, tuple(table.entries), table.state)
    with pytest.raises(WrongEntry) as refused:
        table.enter(answer)
    assert (table.question, tuple(table.entries), table.state) == before
    return Asking(table).objection(refused.value.question, refused.value.answer)


# It is the engine's game


@pytest.mark.parametrize(("solo", "expansion", "both", "seed"), GAMES)
def test_a_recorded_game_comes_out_the_same_at_every_move(solo: str, expansion: bool, both: bool, seed: int) -> None:
    game = recorded(solo, expansion, both, seed)
    table = PhysicalGame(GAME, game.options)
    told, due, turns = [], [*game.events], 0
    since: list[Event] = []
    for entered in plays(game, table):
        told += entered.told
        since = entered.told if entered.question.about is About.MOVE else [*since, *entered.told]
        assert table.since == since
        for played in entered.finished:
            due += played.events
            turns += played.move == GAUDI
        if entered.finished:
            assert table.state is not None
            assert as_the_person_sees(table.state) == as_the_person_sees(entered.finished[-1].after)
            if entered.finished[-1].move == GAUDI:
                assert in_any_order(told) == in_any_order(due)
    assert in_any_order(told) == in_any_order(due)
    assert table.moves == [played.move for played in game.played]
    assert turns > 8
    assert table.state is not None
    assert table.state.scores() == game.end.scores()
    assert table.state.winners() == game.end.winners()


def test_the_recorded_games_ask_everything_that_can_be_asked() -> None:
    found: Counter[tuple[About, int]] = Counter()
    for expansion in (False, True):
        game = recorded("NORMAL", expansion, True, 2)
        for entered in plays(game, PhysicalGame(GAME, game.options)):
            seat = entered.finished[-1].before.seat if entered.finished else GAUDI_SEAT
            found[entered.question.about, seat] += 1
    assert {about for about, _ in found} == set(About) - {About.CARD}
    assert found[About.TILE, GAUDI_SEAT]
    assert found[About.TILE, PERSON]


def test_the_map_shows_all_that_was_told_while_a_turn_is_being_entered() -> None:
    game, behind = recorded("NORMAL", expansion=True, both=True, seed=2), 0
    table = PhysicalGame(GAME, game.options)
    pending: list[Event] = []
    for entered in plays(game, table):
        pending = [] if entered.finished else pending
        pending += entered.told
        position, question = table.position, table.question
        if position is None or question is None:
            continue
        assert GAME.words.board(position.view(PERSON), ("you", "Gaudí"))
        if question.about is About.MOVE:
            assert position is table.state
            continue
        assert table.state is not None
        for event in pending:
            if isinstance(event, Placed):
                behind += not table.state.citizens[event.intersection]
                assert position.citizens[event.intersection]
                assert event.seat == PERSON or position.meeple == event.intersection
            elif isinstance(event, StreetBuilt):
                behind += not table.state.streets[event.section]
                assert position.streets[event.section]
    assert behind, "there is more on it than in the position before the move"


def test_taken_back_the_map_is_what_it_was() -> None:
    table = table_at(About.TILE)
    table.take_back()
    assert table.position is not None
    before = table.position.view(PERSON)
    table.again()
    assert table.position.view(PERSON) != before
    table.take_back()
    assert table.position.view(PERSON) == before


def test_nothing_is_known_but_what_was_entered() -> None:
    game = recorded(expansion=True)
    table = PhysicalGame(GAME, game.options)
    for _ in plays(game, table):
        if table.state is not None:
            state = table.state
            assert set(state.bag) <= {BLANK}
            assert set(state.modernisme_stack) <= {BLANK}
            assert set(list(state.deck)[:-1]) <= {BLANK}
            assert list(state.deck)[-1] != BLANK
    assert table.state is not None
    with pytest.raises(Unseen):
        table.state.bag.pop()


def test_gaudis_turn_is_told_as_far_as_it_is_known_while_something_is_asked() -> None:
    for seed in range(2, 18, 2):
        game = recorded(both=True, seed=seed)
        table = PhysicalGame(GAME, game.options)
        for entered in plays(game, table):
            gaudis = bool(table.since) and TurnBegan in map(type, table.since)
            if gaudis and table.question and table.question.about is About.TILE:
                assert entered.told, "his steps up to the tile are told before it is asked for"
                assert not any(isinstance(event, ModernismeShown) for event in entered.told)
                return
    raise AssertionError("Gaudí took no Modernisme tile")


# Entries that can't be


def test_more_citizens_of_a_class_than_there_are() -> None:
    for game in (recorded(seed=seed) for seed in range(2, 12, 2)):
        table = PhysicalGame(GAME, game.options)
        for _ in plays(game, table):
            question = table.question
            if table.state is not None and question and question.about is About.CITIZENS:
                left = table.state.view(PERSON).unseen_citizens()
                gone = next((c for c in (1, 2, 3) if left.count(c) == 1), None)
                if gone is not None:
                    assert "can't both have come out of the bag: it holds " in objection(table, pair(gone, gone))
                    assert f"1 {'?WMU'[gone]}" in objection(table, pair(gone, gone))
                    return
    raise AssertionError("no class ran low")


def test_the_bag_holds_what_is_nowhere_else() -> None:
    table = table_at(About.CITIZENS, GAUDI_SEAT)
    state, drawn = table.state, recorded().played
    assert state is not None
    end_of_turn = next(played for played in drawn if played.after.seat == GAUDI_SEAT)
    left = end_of_turn.after.bag
    counts = ", ".join(f"{left.count(citizen)} {letter}" for citizen, letter in ((1, "W"), (2, "M"), (3, "U")))
    assert Asking(table).bag() == f"{len(left)} citizens: {counts}"


def test_a_modernisme_tile_that_is_elsewhere() -> None:
    table = table_at(About.TILE)
    state = table.state
    assert state is not None
    assert "it is a Cerdà tile of this game" in objection(table, state.cerda_tiles[0])
    assert "it lay on place 2 of the display" in objection(table, state.shown[1])
    owned = next(t for t in _all_tiles_asked_for() if t.state and any(tile >= 0 for tile in t.state.projects[PERSON]))
    assert owned.state is not None
    space, tile = next((s, tile) for s, tile in enumerate(owned.state.projects[PERSON]) if tile >= 0)
    assert f"it is in your project space {space + 1}" in objection(owned, tile)


def _all_tiles_asked_for() -> Iterator[PhysicalGame]:
    table = PhysicalGame(GAME, recorded().options)
    for _ in plays(recorded(), table):
        if table.question and table.question.about is About.TILE:
            yield table


def test_a_card_that_lies_face_up() -> None:
    table = table_at(About.ARROW)
    assert "lies face up already" in objection(table, asked(table).place)


def test_an_action_tile_lies_at_one_street_only() -> None:
    table = PhysicalGame(GAME, options("EASY"))
    table.enter(ACTIONS["TRAM"])
    assert objection(table, ACTIONS["TRAM"]) == "TRAM is already what you entered for street A"
    assert objection(table, ACTIONS["X_COINS"]) == "X_COINS can't be"


def test_a_cerda_tile_and_its_twin() -> None:
    table = table_at(About.CERDA)
    assert "is no Cerdà tile" in objection(table, SCORINGS["MARKERS"])
    table = table_at(About.SHOWN)
    twin = table.setting_up.lies[About.CERDA][1]
    assert "its twin stays in the box" in objection(table, twin)


def test_one_public_service_is_of_the_expansion() -> None:
    table = table_at(About.SERVICE, expansion=True)
    table.enter(SERVICES["PARC_GUELL"])
    assert "one stack is of a type of the expansion" in objection(table, SERVICES["PALAU_DE_LA_MUSICA"])
    for service in ("UNIVERSITAT", "ARC_DE_TRIOMF", "HOSPITAL_CLINIC"):
        table.enter(SERVICES[service])
    table.enter(SERVICES["ESCOLA_INDUSTRIAL"])
    assert asked(table).about is About.SAGRADA


def test_the_one_of_the_expansion_may_not_be_left_out() -> None:
    table = table_at(About.SERVICE, expansion=True)
    for service in ("UNIVERSITAT", "ARC_DE_TRIOMF", "HOSPITAL_CLINIC", "ESCOLA_INDUSTRIAL"):
        table.enter(SERVICES[service])
    assert "one stack is of a type of the expansion" in objection(table, SERVICES["MERCAT_DE_SANT_ANTONI"])


def test_a_sagrada_tile_is_named_once_and_of_its_level() -> None:
    table = table_at(About.SAGRADA)
    table.enter(SAGRADA["S1C"])
    assert objection(table, SAGRADA["S1C"]) == "you have named S1C already"
    assert SAGRADA["S2A"] not in asked(table).choices
    table.enter(SAGRADA["S1A"])
    table.enter(SAGRADA["S1D"])
    assert asked(table) == Question(About.SAGRADA, 1, tuple(SAGRADA[f"S2{letter}"] for letter in "ABCD"))


def test_a_move_against_the_rules_is_refused_with_its_rule_and_changes_nothing() -> None:
    table = table_at(About.MOVE)
    state, entries = table.state, list(table.entries)
    hand = next(both(entry.answer) for entry in entries if entry.about is About.CITIZENS)
    with pytest.raises(IllegalMove) as refused:
        table.enter(place(0, next(citizen for citizen in (1, 2, 3) if citizen not in hand)))
    assert refused.value.rule.id == "BA-A2"
    assert (table.state, table.entries) == (state, entries)


def test_it_is_for_solo_games() -> None:
    with pytest.raises(Malformed):
        PhysicalGame(GAME, {"solo": "NONE"})


# What need not be asked


def test_the_last_action_tile_is_not_asked_for() -> None:
    table = PhysicalGame(GAME, options("EASY"))
    *before, last = (number for number, action in enumerate(GAME.ruleset.actions) if action.replaces < 0)
    for action in before:
        assert not table.followed
        table.enter(action)
    assert table.followed == [(Question(About.ACTION, 10, (last,)), last)]
    assert asked(table).about is About.CERDA
    assert len(table.entries) == len(before)


def test_the_last_citizens_are_not_asked_for() -> None:
    game = Barcelona(load(json.dumps({"citizens": _citizens(10, 9, 10)})))
    played = record(options("HARD"), 4, RandomBrain(), game)
    table = PhysicalGame(game, played.options)
    followed = [one for _ in plays(played, table) for one in table.followed if one[0].about is About.CITIZENS]
    last = next(one for one in reversed(played.played) if len(one.before.bag) == 2 and len(one.after.bag) == 0)
    assert followed == [(Question(About.CITIZENS, last.before.seat, (pair(*last.before.bag),)), pair(*last.before.bag))]


def test_too_empty_a_bag_is_not_asked_for() -> None:
    """BA-G16 and BA-D2: nothing is drawn from it, and the end begins."""
    game = Barcelona(load(json.dumps({"citizens": _citizens(10, 9, 9)})))
    played = record(options("HARD"), 4, RandomBrain(), game)
    assert any(isinstance(e, EndBegan) and e.bag_empty for one in played.played for e in one.events)
    table = PhysicalGame(game, played.options)
    told = [event for entered in plays(played, table) for event in entered.told]
    assert Drew(PERSON, ()) in told or Drew(GAUDI_SEAT, ()) in told
    assert isinstance(told[-1], Ended)
    assert told[-1] == played.played[-1].events[-1]


def _citizens(working: int, middle: int, upper: int) -> object:
    citizens = shipped()["citizens"]
    citizens["tokens"] |= {"working": working, "middle": middle, "upper": upper}
    return citizens


# Cards whose backs look alike


def test_cards_with_the_same_arrow_are_told_apart_when_they_are_turned_up() -> None:
    gaudi = shipped()["gaudi"]
    for card in gaudi["cards"][1:4]:
        card["arrow"] = "E"
    game = Barcelona(load(json.dumps({"gaudi": gaudi})))
    played = record(options("NORMAL", both=True), 3, RandomBrain(), game)
    table = PhysicalGame(game, played.options)
    found: list[Question] = []
    told, due = [], [*played.events]
    for entered in plays(played, table):
        found.append(entered.question)
        told += entered.told
        due += [event for one in entered.finished for event in one.events]
    assert in_any_order(told) == in_any_order(due)
    cards = [question for question in found if question.about is About.CARD]
    assert cards
    assert all(set(question.choices) <= {1, 2, 3} for question in cards)
    assert max(len(question.choices) for question in cards) == 3, "all three may come next when none was turned up"
    assert min(len(question.choices) for question in cards) == 2, "one that lies face up is not among them"


# Several tiles in one turn


def test_tiles_that_come_one_after_another_in_a_turn_of_gaudis() -> None:
    gaudi = shipped()["gaudi"]
    for card in gaudi["cards"]:
        card["actions"] = ["MODERNISME", "MODERNISME"]
    game = Barcelona(load(json.dumps({"gaudi": gaudi})))
    played = record(options("NORMAL", both=True), 2, RandomBrain(), game)
    table = PhysicalGame(game, played.options)
    before: Question | None = None
    second: list[tuple[Question, int]] = []
    for entered in plays(played, table):
        if before and before.about is entered.question.about is About.TILE:
            second.append((entered.question, table.entries[-2].answer))
        before = entered.question
        if entered.finished and table.state:
            assert table.state.shown == entered.finished[-1].after.shown
    assert len(second) == 2, "he has four project spaces, and fills two a turn"
    assert all(first not in question.choices for question, first in second)
    again = PhysicalGame(
        game, played.options, table.entries[: table.entries.index(Entry(About.TILE, second[0][1])) + 1]
    )
    assert "it came to the display just now" in objection(again, second[0][1])


# Taking back


def test_every_entry_can_be_taken_back_and_entered_again() -> None:
    game = recorded(expansion=True)
    table = PhysicalGame(GAME, game.options)
    passed = [(table.question, table.state) for _ in plays(game, table)]
    entries = list(table.entries)
    for back in range(1, 60):
        taken = table.take_back()
        assert taken == entries[-back]
        question, state = passed[-1 - back]
        assert table.question == question
        assert table.state is not None
        assert state is not None
        assert as_the_person_sees(table.state) == as_the_person_sees(state)
    while table.taken_back:
        table.again()
    assert table.entries == entries
    assert table.question is None


def test_what_was_taken_back_goes_on_after_a_correction() -> None:
    table = table_at(About.MOVE)
    wrong, first = table.entries[-2:]
    table.take_back()
    table.take_back()
    assert asked(table).about is About.CITIZENS
    table.enter(pair(WORKING, WORKING))
    assert table.taken_back == [first]
    table.again()
    assert table.entries[-2:] == [Entry(About.CITIZENS, pair(WORKING, WORKING)), first]
    assert wrong != table.entries[-2]


def test_what_does_not_fit_any_more_is_not_entered_again() -> None:
    table = PhysicalGame(GAME, options("EASY"))
    table.enter(ACTIONS["COINS"])
    table.enter(ACTIONS["TRAM"])
    table.take_back()
    table.take_back()
    table.enter(ACTIONS["TRAM"])
    with pytest.raises(WrongEntry):
        table.again()
    assert table.entries == [Entry(About.ACTION, ACTIONS["TRAM"])]
    assert table.taken_back == [Entry(About.ACTION, ACTIONS["TRAM"])]


def test_a_game_is_nothing_but_its_entries() -> None:
    again = PhysicalGame(GAME, recorded(expansion=True).options, _entries(True))
    assert again.question is None
    assert again.state is not None
    assert again.state.scores() == recorded(expansion=True).end.scores()
    with pytest.raises(WrongEntry):
        PhysicalGame(GAME, recorded(expansion=True).options, _entries(True)[1:])


# Words


def test_what_is_typed_may_be_a_number_an_id_or_its_beginning() -> None:
    table = PhysicalGame(GAME, options("EASY"))
    asking, question = Asking(table), asked(table)
    for word in ("11", "tram", "tr"):
        assert asking.answer(question, word) == ACTIONS["TRAM"]
    for word, says in (("12", "1 to 11"), ("0", "1 to 11"), ("co", "COINS or COBBLESTONE"), ("zebra", "? lists them")):
        with pytest.raises(NotUnderstood, match=says.replace("?", r"\?")):
            asking.answer(question, word)


def test_first_stands_for_the_layout_of_a_first_game() -> None:
    for expansion in (False, True):
        table = PhysicalGame(GAME, options("EASY", expansion=expansion))
        asking = Asking(table)
        for word in asking.words(asked(table), "first"):
            if asked(table).about is About.ACTION:
                table.enter(asking.answer(asked(table), word))
        dealt, _ = GAME.new(2, {**table.options, "actions": "FIRST_GAME"}, recorded().begun.chance.copy())
        assert table.setting_up.lies[About.ACTION] == dealt.slots


@pytest.mark.parametrize("line", ["wu", "uw", "u w", "W, U", "working upper"])
def test_citizens_are_two_letters_in_any_order(line: str) -> None:
    table = table_at(About.CITIZENS)
    asking = Asking(table)
    (word,) = asking.words(asked(table), line.lower())
    assert asking.answer(asked(table), word) == pair(3, 1)


@pytest.mark.parametrize("line", ["w", "wuu", "xy", "w5"])
def test_other_letters_are_not_understood(line: str) -> None:
    table = table_at(About.CITIZENS)
    asking = Asking(table)
    with pytest.raises(NotUnderstood, match="type both citizens"):
        asking.answer(asked(table), asking.words(asked(table), line)[0])


def test_every_question_has_words_and_every_answer_a_name_that_is_understood() -> None:
    for expansion in (False, True):
        table = PhysicalGame(GAME, recorded(expansion=expansion).options)
        asking = Asking(table)
        for entry in _entries(expansion):
            question = asked(table)
            if question.about is not About.MOVE:
                assert asking.lead(question).endswith("?")
                assert asking.explanation(question)
                assert asking.place(question)
                for choice in question.choices:
                    name = asking.name(question.about, choice)
                    (word,) = asking.words(question, name.lower())
                    assert asking.answer(question, word) == choice
                shown = [choice for choice in asking.choices(question) if choice.possible]
                assert question.about is About.CITIZENS or len(shown) == len(question.choices)
                if question.about in SETTING_UP:
                    assert [choice.number for choice in asking.choices(question)][:1] == [1]
            table.enter(entry.answer)
