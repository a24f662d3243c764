"""Rulesets of Barcelona: what is refused, with its place, and that whatever is accepted plays to its end."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from boardgamesbot.games.barcelona import Barcelona
from boardgamesbot.games.barcelona.counts import COUNTS
from boardgamesbot.games.barcelona.effects import Effects, Op
from boardgamesbot.games.barcelona.moves import STOP, Kind, parts, simple
from boardgamesbot.games.barcelona.ruleset import PARTS, load, shipped
from boardgamesbot.games.base import Malformed
from boardgamesbot.games.chance import SEED_BYTES, ChanceStream

SHIPPED = shipped()
GUIDE = Path("docs/rulesets.md")
Document = dict[str, Any]
Path_ = tuple[str | int, ...]


def with_values(*changes: tuple[str, object]) -> str:
    """The shipped ruleset with other values at these places, `players.start.coins` or `actions[3].effect`."""
    document = deepcopy(SHIPPED)
    for where, value in changes:
        *path, last = steps(where)
        at(document, path)[last] = value
    return json.dumps(document)


def steps(where: str) -> list[str | int]:
    return [
        int(step) if step.isdecimal() and f"[{step}]" in where else step for step in re.findall(r"[^.\[\]]+", where)
    ]


def at(document: Any, path: list[str | int]) -> Any:
    for step in path:
        document = document[step]
    return document


def refusal(document: str) -> Malformed:
    with pytest.raises(Malformed) as caught:
        load(document)
    return caught.value


# What is taken


def test_what_is_shipped_is_a_sound_ruleset() -> None:
    assert load().hash == load("{}").hash == load(json.dumps(SHIPPED)).hash


def test_a_part_of_ones_own_replaces_the_shipped_one_and_nothing_else() -> None:
    own = load(json.dumps({"actions": json.loads(with_values(("actions[0].effect", "coins 3")))["actions"]}))
    node = own.nodes[own.actions[0].effect]
    assert (node.op, node.a) == (Op.GAIN, 3)
    assert own.hash != load().hash
    assert own.track_vp == load().track_vp


def test_a_changed_figure_is_played_with() -> None:
    game = Barcelona(load(with_values(("actions[0].effect", "coins 3"))))
    options = game.complete_options({"actions": "FIRST_GAME"})
    state, _ = game.new(2, options, ChanceStream(bytes(SEED_BYTES)))
    seat, street = state.seat, game.ruleset.first_game.index(0)
    place = next(move for move in state.legal_moves() if street in game.ruleset.city.streets_at[parts(move).what])
    state.play(place)
    before = state.coins[seat]
    state.play(simple(Kind.ACTION, street))
    assert state.coins[seat] == before + 3


def test_the_hash_counts_values_and_not_how_they_are_written() -> None:
    backwards = dict(reversed(SHIPPED.items()))
    assert load(json.dumps(backwards, indent=7)).hash == load().hash
    assert load(with_values(("players.start.note", "another note"))).hash != load().hash


def test_nothing_is_a_reward_too() -> None:
    own = load(with_values(("players.markers.rewards[0]", [])))
    assert own.nodes[own.markers.rewards[0]].kids == ()


# What is refused

FAULTS: list[tuple[str, object, str]] = [
    ("actions[0].effect", "coins two", "is no effect"),
    ("actions[0].effect", "coins 9" + "9" * 5000, "at most"),
    ("actions[0].effect", ["vp 1"] * 9, "at most 8 parts"),
    ("actions[0].effect", "move barcelona 2", "is about Pedestrians"),
    ("actions[0].effect", {"choice": ["vp 1", "joy any 1"]}, "is about Pedestrians"),
    ("actions[0].effect", "vp 1 per joy_gracia", "counts Joy"),
    ("actions[0].name", "[bold]", "printable"),
    ("actions[1].id", "COINS", "is that of another entry"),
    ("actions[0].effect", {"choice": ["vp 1"]}, "must be an effect"),
    ("actions[12].replaces", "COINS", "is replaced by X_COINS already"),
    ("actions[11].replaces", "X_CLOTH", "is no Action tile of the base game"),
    ("board.first_game.vertical[0]", "X_COINS", "is no Action tile of the base game"),
    ("board.first_game.horizontal[0]", "COINS", "lies at another street already"),
    ("board.first_game.diagonal", "COINS", "lies at another street already"),
    ("board.streets.vertical[4][3]", "narrow 1", "must be points, Cerdà steps, or coins and cloth"),
    ("board.streets.vertical[4]", ["vp 2"] * 3, "must have 4 entries, not 3"),
    ("board.diagonal.cost_coins", -1, "must be at least 0, not -1"),
    ("board.runs.narrow_vp", 1.5, "must be a whole number, not 1.5"),
    ("board.runs.narrow_vp", True, "must be a whole number, not true"),
    ("buildings[1].citizens", 1, "must be at least 2"),
    ("buildings[0].level", 2, "is not in order"),
    ("buildings[0].wants", "lower", "must be 'working', 'middle' or 'upper'"),
    ("citizens.track.vp", [5] * 17 + [4], "must not fall"),
    ("citizens.covered.3.spaces", [18], "must lie on the track: 0 to 17"),
    ("citizens.covered.3.spaces", [6, 6], "must rise"),
    ("citizens.covered.3.spaces", [0, 1, 2, 3, 4, 5], "must leave a space of the first section free"),
    ("players.seats.colours", ["Red", "Red", "Blue", "Green"], "four different ones"),
    ("players.start.coins", 5, "more than the storage"),
    ("players.start.cerda", 17, "must be at most 16"),
    ("players.start.sagrada", 2, "below the first threshold"),
    ("players.storage.spaces", 0, "must be at least 1"),
    ("players.cobblestones.final_vp", [0, 1], "must have 7 entries"),
    ("players.passengers.final_vp", [0, 1], "must have 5 entries"),
    ("players.markers.stacks", [1, 1, 1, 1, 1], "at most 4 entries"),
    ("players.markers.rewards", ["vp 1"], "must have 4 entries"),
    ("players.projects.improve_cost_cloth", [1, 1], "at least 4 entries"),
    ("players.tram.steps", 3, "must be at most 2"),
    ("tracks.sagrada.thresholds", [2, 4, 4, 10], "must rise"),
    ("services.stacks.base", 4, "must be 5"),
    ("services.stacks.with_expansion", {"base": 4, "expansion": 2}, "must come to 5"),
    ("services.types[0].effect", "joy any 1", "is about Pedestrians"),
    ("sagrada_tiles[0].level", 5, "must be at most 4"),
    ("scorings[0].count", "windows", "is nothing that is counted"),
    ("scorings[0].count", "joy_barcelona", "is for entries of the expansion"),
    ("sidewalk.printed.icons[0][1]", "joy any 1", "is about Pedestrians"),
    ("passeig.joy.start", 7, "must be at most 6"),
    ("passeig.third_seat.die", 7, "must be from 1"),
    ("passeig.amenities[0].action", "COINS", "is replaced in the expansion"),
    ("passeig.violet[0].letter", "D", "must be 'A', 'B' or 'C'"),
    ("passeig.hexagons.stones", 15, "must be at most 14"),
    ("passeig.hexagons.rewards[3]", "sagrada 1", "it is multiplied"),
    ("passeig.hexagons.rings[1]", [7, 7, 10, 8, 6, 5], "must be six different spaces"),
    ("players.start.source", "hearsay", "must be 'rulebook'"),
]
FAULTS_BESIDE: list[tuple[str, object, str]] = [
    ("actions[0].name", "Cloth", "actions[1].name: 'Cloth' is that of another entry already (in CLOTH)"),
    ("actions[11].replaces", "CLOTH", "actions[12].replaces: CLOTH is replaced by X_COINS already (in X_CLOTH)"),
    ("citizens.tokens.middle", 2, "citizens.covered.1.spaces: are 3, and there are 2 citizens of the middle class"),
    (
        "citizens.tokens",
        {"working": 3, "middle": 4, "upper": 5, "source": "own"},
        "citizens.covered.1.spaces: leave 3 citizens in the bag; the first hands take 4",
    ),
    ("tracks.sagrada.last", 9, "tracks.sagrada.thresholds: must lie on the track, which ends at 9"),
    (
        "sagrada_tiles[4].expansion",
        False,
        "sagrada_tiles[4].effect: is about Pedestrians: here it would be used without the expansion too (in S1X)",
    ),
    ("sidewalk.printed.icons[0][1]", None, "sidewalk.printed.icons: must have one null, where the Sidewalk starts"),
]
"""Values that make no sense beside another one, and what is said of that one."""


def name_of(fault: tuple[str, object, str]) -> str:
    return f"{fault[0]}={str(fault[1])[:20]}"


@pytest.mark.parametrize(("where", "value", "says"), FAULTS, ids=map(name_of, FAULTS))
def test_a_value_that_no_game_can_be_played_with_is_refused(where: str, value: object, says: str) -> None:
    found = refusal(with_values((where, value)))
    assert found.field.startswith(where)
    assert says in found.reason


@pytest.mark.parametrize(("where", "value", "says"), FAULTS_BESIDE, ids=map(name_of, FAULTS_BESIDE))
def test_a_value_that_does_not_go_with_another_is_refused(where: str, value: object, says: str) -> None:
    assert str(refusal(with_values((where, value)))) == says


def test_a_field_that_is_left_out_or_misspelt_is_named() -> None:
    document = deepcopy(SHIPPED)
    document["board"]["runs"]["narow_vp"] = document["board"]["runs"].pop("narrow_vp")
    assert str(refusal(json.dumps(document))) == "board.runs.narrow_vp: is missing"
    document["board"]["runs"]["narrow_vp"] = 1
    assert str(refusal(json.dumps(document))) == "board.runs.narow_vp: is not known here: is it misspelt?"


def test_the_entry_is_named_by_its_id_too() -> None:
    assert refusal(with_values(("sagrada_tiles[3].effect", "cerda two"))).reason.endswith("(in S1D)")


@pytest.mark.parametrize(
    ("document", "says"),
    [
        ("{", "is not JSON"),
        ("[1, 2]", "must be an object"),
        ('{"actons": []}', "these are: actions, board"),
        ('{"board": {}, "board": {}}', "has 'board' twice"),
        ('{"actions": [{"id": "COINS", "effect": "vp 1", "effect": "vp 2"}]}', "twice in one entry of COINS"),
        ('{"board": NaN}', "NaN is no number"),
        ('{"board": "\\ud800"}', "half a character"),
        ('{"board": ' + "[" * 100_000, "is nested too deeply"),
        ('{"board": ' + "1" * 5_000 + "}", "is not JSON"),
    ],
    ids=lambda text: text[:24],
)
def test_what_is_no_ruleset_at_all_is_refused(document: str, says: str) -> None:
    assert says in str(refusal(document))


# Whatever is accepted plays to its end

EFFECTS: list[object] = [
    "vp 3", "vp 99", "vp 9 per markers", "coins 1", "coins 99 cloth 99", "cloth 5", "resource 3", "cerda -99",
    "cerda 99", "cerda 0", "sagrada 1", "sagrada 99", "narrow 2", "narrow 99", "wide 9",
    "intersection", "intersection free",
    "cobblestone", "service", "modernisme", "improve 1", "improve 9 free", "tram", "tram free", "move barcelona 9",
    "move one 3", "joy any 1", "joy gracia 9", "vp 2 per joy_barcelona", [], {"choice": ["service", "tram free"]},
    {"any_order": ["cobblestone", "sagrada 9"]}, ["narrow 2", "wide 2", "cobblestone", "modernisme"],
    {"choice": [[], []]}, [["vp 1"]],
]  # fmt: skip
NONSENSE: list[object] = [None, True, 1.5, "x", "", [], {}, -1, 10**30, "coins -1", {"choice": ["vp 1"]}, [[[[[]]]]]]
WORDS: list[object] = ["markers", "COINS", "X_COINS", "joy_gracia", "services", "A", "corner", "upper", "own"]
NUMBERS: list[object] = [0, 1, 2, 3, 5, 9, 20, 99, 100, -1]


def places(value: object, path: Path_ = ()) -> Iterator[Path_]:
    """Every place in a document."""
    if path:
        yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, part in inside:
        yield from places(part, (*path, step))


PLACES = list(places(SHIPPED))


def mutated(rng: Random) -> Document:
    """The shipped ruleset after a few accidents."""
    document = deepcopy(SHIPPED)
    for _ in range(rng.choice([1, 1, 2, 3, 5])):
        *path, last = rng.choice(PLACES)
        try:
            parent = at(document, path)
            value = parent[last]
        except (KeyError, IndexError, TypeError):
            continue
        chance = rng.random()
        if chance < 0.06:
            del parent[last]
        elif chance < 0.1:
            parent[last] = deepcopy(rng.choice(NONSENSE))
        elif isinstance(value, bool):
            parent[last] = not value
        elif isinstance(value, int):
            parent[last] = rng.choice([*NUMBERS, value + 1, value - 1])
        elif last in ("id", "name", "source", "note", "count"):
            parent[last] = rng.choice(WORDS)
        elif isinstance(value, str) or chance < 0.4:
            parent[last] = deepcopy(rng.choice(EFFECTS))
        elif isinstance(value, list) and value:
            accident: Callable[[], object] = rng.choice(
                [lambda v=value: v.append(v[0]), lambda v=value: v.pop(), lambda v=value: rng.shuffle(v)]
            )
            accident()
    return document


def is_a_place(document: Any, where: str) -> bool:
    """Whether a place is in a document; its last step may be what is missing there."""
    path = steps(where)
    try:
        parent = at(document, path[:-1])
    except (KeyError, IndexError, TypeError):
        return False
    return bool(path) and isinstance(parent, dict | list)


def play_by_chance(game: Barcelona, players: int, options: dict[str, str], rng: Random) -> None:
    """Play a game to its end; every other one takes whatever is offered."""
    state, _ = game.new(players, game.complete_options(options), ChanceStream(rng.randbytes(SEED_BYTES)))
    greedy = rng.random() < 0.5
    moves = 0
    while (seat := state.actor) is not None:
        legal = state.legal_moves()
        assert legal
        assert state.coins[seat] >= 0 <= state.cloth[seat]
        if moves % 10 == 0:
            assert state.view(seat).determinize(rng).legal_moves() == legal
        state.apply(rng.choice([move for move in legal if move != STOP] or legal if greedy else legal))
        moves += 1
        assert moves < 20_000
    on_board = sum((stack & 3 > 0) + (stack >> 2 > 0) for stack in state.citizens)
    covered = 3 * len(game.ruleset.covered[players])
    elsewhere = len(state.bag) + sum(map(len, state.hands)) + sum(state.track) + sum(state.box)
    assert on_board + covered + elsewhere == sum(game.ruleset.citizens)
    assert state.winners()


@pytest.mark.parametrize("seed", range(8))
def test_a_ruleset_after_accidents_is_refused_by_place_or_plays_to_its_end(seed: int) -> None:
    rng = Random(seed)
    played = refused = 0
    while played < 10:
        document = mutated(rng)
        try:
            game = Barcelona(load(json.dumps(document)))
        except Malformed as error:
            assert is_a_place(document, error.field), str(error)
            assert "\n" not in str(error)
            refused += 1
            continue
        actions = rng.choice(["SHUFFLED", "FIRST_GAME"])
        for expansion in ("NONE", "PASSEIG_DE_GRACIA"):
            play_by_chance(game, rng.randint(2, 4), {"expansion": expansion, "actions": actions}, rng)
        played += 1
    assert refused


def test_extremes_play_to_their_end() -> None:
    """Everything gives everything: the chains of effects end when the pieces run out."""
    chain = [
        "tram free",
        "narrow 9",
        "wide 9",
        "cobblestone",
        "service",
        "sagrada 9",
        "intersection free",
        "improve 9 free",
    ]
    changes: list[tuple[str, object]] = [(f"actions[{i}].effect", chain) for i in range(11)]
    changes += [(f"sagrada_tiles[{i}].effect", chain) for i in range(len(SHIPPED["sagrada_tiles"]))]
    changes += [(f"services.types[{i}].effect", chain) for i in range(len(SHIPPED["services"]["types"]))]
    changes += [(f"players.{pile}.rewards[{i}]", chain) for pile in ("markers", "narrow", "wide") for i in range(3)]
    changes += [
        (f"sidewalk.{side}.icons[{row}][{column}]", chain)
        for side in ("printed", "overlay")
        for row in range(5)
        for column in range(5)
        if (row, column) != (2, 2)
    ]
    game = Barcelona(load(with_values(*changes)))
    for seed in range(3):
        play_by_chance(game, 2 + seed, {"expansion": "PASSEIG_DE_GRACIA"}, Random(seed))


# What the guide says


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)


def test_the_guide_knows_every_part() -> None:
    table = set(re.findall(r"^\| `(\w+)` \|", GUIDE.read_text("utf-8"), re.MULTILINE))
    assert set(PARTS) <= table


def test_the_guide_has_every_word_of_the_vocabulary_and_all_are_effects() -> None:
    rows = re.findall(r"^\| ((?:`[^`]+`(?:, )?)+) \|", GUIDE.read_text("utf-8"), re.MULTILINE)
    effects = Effects(tuple(COUNTS))
    shown = [json.loads(word) for row in rows for word in re.findall(r"`([\"\[{][^`]*)`", row)]
    for effect in shown:
        effects.add(effect, "")
    assert {node.op for node in effects.nodes} == set(Op)


def test_the_guide_lists_what_can_be_counted() -> None:
    counted = GUIDE.read_text("utf-8").partition("**What can be counted**")[2].partition("##")[0]
    assert set(re.findall(r"`([a-z_]+)`", counted)) - {"count"} == set(COUNTS)
