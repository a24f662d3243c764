"""The rules of Agora, one class for each id, on positions set up to bring the rule out."""

from __future__ import annotations

import pytest

from boardgamesbot.games.agora import moves
from boardgamesbot.games.agora.events import (
    Discarded,
    Drawn,
    Ended,
    FountainPassed,
    Played,
    Skipped,
    Taken,
    TurnBegan,
    Walked,
)
from boardgamesbot.games.agora.movements import Moved, Movement
from boardgamesbot.games.agora.moves import Kind
from boardgamesbot.games.agora.ruleset import DISTRICTS, SQUARES
from boardgamesbot.games.agora.state import AgoraState, Phase
from boardgamesbot.games.base import IllegalMove, Malformed, Move
from tests.support.agora import (
    ALL_OPTIONS,
    BLUE,
    CIUTAT_VELLA,
    EIXAMPLE,
    GAME,
    GRACIA,
    GREEN,
    HORTA,
    LES_CORTS,
    NOU_BARRIS,
    RED,
    SANT_ANDREU,
    SANTS,
    SARRIA,
    YELLOW,
    game_by_chance,
    new_game,
    position,
    square,
    walker_count,
)


def refusal(state: AgoraState, move: Move) -> IllegalMove:
    """The refusal of a move that no list of legal moves holds either."""
    assert move not in state.legal_moves()
    with pytest.raises(IllegalMove) as caught:
        state.check(move)
    return caught.value


def is_legal(state: AgoraState, move: Move) -> bool:
    """Whether a move is legal; `check` and `legal_moves` must say the same."""
    if move not in state.legal_moves():
        refusal(state, move)
        return False
    state.check(move)
    return True


def of_kind(state: AgoraState, kind: Kind) -> list[moves.Parts]:
    return [parts for parts in map(moves.parts, state.legal_moves()) if parts.kind is kind]


class TestAgS1:
    """Squares in play."""

    def test_every_district_has_six_squares_with_the_values_printed(self) -> None:
        ruleset = GAME.ruleset
        for district in range(DISTRICTS):
            squares = [n for n in range(1, SQUARES + 1) if ruleset.district_of[n] == district]
            assert sorted(ruleset.value_of[n] for n in squares) == [1, 2, 3, 3, 4, 5]

    @pytest.mark.parametrize(("players", "removed"), [(3, 15), (4, 12), (5, 10)])
    def test_squares_are_removed_by_number_of_players(self, players: int, removed: int) -> None:
        assert len(new_game(players).removed) == removed

    @pytest.mark.parametrize("players", [0, 2, 6])
    def test_no_other_number_of_players(self, players: int) -> None:
        with pytest.raises(Malformed, match="3 to 5 players"):
            new_game(players)

    def test_borders_are_mutual_and_nineteen(self) -> None:
        neighbours = GAME.ruleset.neighbours
        pairs = {(a, b) for a in range(DISTRICTS) for b in neighbours[a]}
        assert all((b, a) in pairs for a, b in pairs)
        assert len(pairs) == 2 * 19


class TestAgS2:
    """Hands and piles."""

    @pytest.mark.parametrize(("players", "piles"), [(3, (15, 15)), (4, (14, 14)), (5, (13, 12))])
    def test_five_each_and_the_rest_in_two_piles(self, players: int, piles: tuple[int, int]) -> None:
        state = new_game(players, {"take": "CHOOSE"})
        assert [len(hand) for hand in state.hands] == [5] * players
        assert (len(state.piles[0]), len(state.piles[1])) == piles


class TestAgS3:
    """Walkers and the Fountain."""

    @pytest.mark.parametrize(("players", "walkers"), [(3, 35), (4, 30), (5, 25)])
    def test_walkers_by_number_of_players(self, players: int, walkers: int) -> None:
        assert new_game(players).supply == [walkers] * players

    def test_chance_says_who_begins(self) -> None:
        assert {new_game(5, seed=seed).fountain for seed in range(60)} == set(range(5))


class TestAgS4:
    """Length of the game."""

    @pytest.mark.parametrize(("players", "turns", "squares"), [(3, 15, 45), (4, 12, 48), (5, 10, 50)])
    def test_the_last_turn_uses_up_every_square_in_play(self, players: int, turns: int, squares: int) -> None:
        state = list(game_by_chance(players, GAME.complete_options({}), seed=1))[-1]
        assert state.turn == turns
        assert not any(state.hands)
        assert not any(state.piles)
        assert sum(1 for moved in state.movements if moved.kind in (Moved.PLAYED, Moved.DISCARDED)) == squares

    def test_nothing_is_played_after_the_end(self) -> None:
        state = position(Phase.OVER, turn=12)
        assert state.is_over
        assert state.actor is None
        assert state.legal_moves() == []
        assert refusal(state, moves.draw(0)).rule.id == "AG-S4"


class TestAgS5:
    """Backs."""

    def test_the_others_see_districts_and_no_more(self) -> None:
        state = new_game(3, {"take": "CHOOSE"})
        for reader in (None, RED):
            view = state.view(reader)
            hand = view.memory.hands[BLUE]
            assert sorted(known.back for known in hand) == sorted(state.back(n) for n in state.hands[BLUE])
            assert {known.square for known in hand} == {0}
            assert view.pile_tops == (state.back(state.piles[0][-1]), state.back(state.piles[1][-1]))

    def test_plain_backs_show_nothing(self) -> None:
        state = new_game(3, {"backs": "PLAIN"})
        view = state.view(None)
        assert {known.back for hand in view.memory.hands for known in hand} == {-1}
        assert view.pile_tops == (-1, -1)
        assert all(seen.back == -1 for seen in view.sightings)

    def test_everybody_sees_their_own_hand(self) -> None:
        state = new_game(3)
        for seat in range(3):
            assert state.view(seat).hand == sorted(state.hands[seat])


class TestAgT1:
    """Order of a turn."""

    def test_all_act_once_in_each_phase_clockwise_from_the_fountain(self) -> None:
        state = new_game(4)
        first_turn = state.fountain
        phases: list[tuple[int, int | None]] = []
        while state.turn == 1:
            phases.append((state.phase, state.actor))
            state.apply(state.legal_moves()[0])
        clockwise = [(first_turn + i) % 4 for i in range(4)]
        assert [actor for phase, actor in phases if phase == Phase.PLAY] == clockwise
        assert [actor for phase, actor in phases if phase == Phase.SECOND_WALK] == clockwise
        assert [actor for phase, actor in phases if phase == Phase.DRAW] == clockwise
        assert [phase for phase, _ in phases] == sorted(
            (phase for phase, _ in phases), key=lambda phase: Phase.FIRST_WALK if phase == Phase.SECOND_WALK else phase
        )

    @pytest.mark.parametrize(
        "move", [moves.take(GRACIA), moves.walk(BLUE, GRACIA, EIXAMPLE), moves.draw(0), moves.pass_fountain(RED)]
    )
    def test_a_move_of_another_phase_has_to_wait(self, move: Move) -> None:
        state = position(Phase.PLAY, hands=[[1], [2], [3], [4]], piles=([5], [6]))
        assert refusal(state, move).rule.id == "AG-T1"

    def test_a_number_that_is_no_move_is_no_refusal_but_malformed(self) -> None:
        with pytest.raises(Malformed):
            new_game().check(-1)


class TestAgP11:
    """Take a square."""

    def test_from_the_next_hand_clockwise(self) -> None:
        state = position(
            Phase.PASS_FOUNTAIN,
            players=3,
            fountain=RED,
            hands=[[1, 2, 3], [11, 12, 13], [21, 22, 23]],
            piles=([30], []),
        )
        taken = [event for event in state.apply(moves.pass_fountain(YELLOW)) if isinstance(event, Taken)]
        assert [(event.seat, event.from_seat) for event in taken] == [(YELLOW, BLUE), (BLUE, RED), (RED, YELLOW)]

    def test_a_square_just_taken_may_be_taken_on(self) -> None:
        state = position(Phase.PASS_FOUNTAIN, players=3, fountain=RED, hands=[[1], [], []], piles=([30], []))
        taken = [event for event in state.apply(moves.pass_fountain(YELLOW)) if isinstance(event, Taken)]
        assert [(event.seat, event.from_seat, event.square) for event in taken] == [(YELLOW, BLUE, 1), (RED, YELLOW, 1)]
        assert state.hands == [[], [1], []]

    def test_only_taker_and_former_holder_see_which(self) -> None:
        event = Taken(seat=RED, from_seat=YELLOW, back=GRACIA, square=13)
        assert event.seen_by(RED).square == event.seen_by(YELLOW).square == 13
        for reader in (None, BLUE, GREEN):
            assert event.seen_by(reader) == Taken(RED, YELLOW, GRACIA, 0)

    def test_chance_reaches_the_whole_hand(self) -> None:
        first_taken = set()
        for seed in range(80):
            state = new_game(3, seed=seed)
            dealt = [m.square for m in state.movements if m.kind == Moved.DEALT and m.seat == (state.fountain + 1) % 3]
            taken = next(m for m in state.movements if m.kind == Moved.TAKEN)
            first_taken.add(dealt.index(taken.square))
        assert first_taken == set(range(5))


class TestAgP12:
    """Nothing to take."""

    def test_an_empty_hand_is_passed_over_and_said(self) -> None:
        state = position(Phase.PASS_FOUNTAIN, players=3, fountain=RED, hands=[[1], [], []], piles=([30], []))
        events = state.apply(moves.pass_fountain(YELLOW))
        assert Skipped(BLUE, Phase.TAKE, "AG-P1.2") in events
        assert state.phase == Phase.PLAY

    def test_so_it_is_where_the_taker_chooses(self) -> None:
        state = position(
            Phase.PASS_FOUNTAIN,
            players=3,
            fountain=RED,
            hands=[[1], [], []],
            piles=([30], []),
            options={"take": "CHOOSE"},
        )
        state.apply(moves.pass_fountain(BLUE))
        # Blue and Red find nothing to their left; Yellow has to choose from Blue.
        assert (state.phase, state.actor) == (Phase.TAKE, YELLOW)


class TestAgP13:
    """Other ways to take."""

    def test_the_taker_chooses_by_the_backs(self) -> None:
        held = [square(GRACIA, 1), square(GRACIA, 5), square(HORTA, 2)]
        state = position(Phase.TAKE, players=3, hands=[[], held, []], options={"take": "CHOOSE"})
        assert state.legal_moves() == [moves.take(GRACIA), moves.take(HORTA)]
        state.apply(moves.take(HORTA))
        assert state.hands[BLUE] == [square(HORTA, 2)]

    def test_chance_decides_among_squares_alike(self) -> None:
        alike = [square(GRACIA, 1), square(GRACIA, 5)]
        state = position(Phase.TAKE, players=3, hands=[[], [square(HORTA, 2), *alike], []], options={"take": "CHOOSE"})
        got = set()
        for _ in range(20):
            twin = state.copy()
            twin.apply(moves.take(GRACIA))
            got.add(twin.hands[BLUE][0])
            state.chance.below(2)
        assert got == set(alike)

    def test_a_back_that_is_not_there(self) -> None:
        state = position(Phase.TAKE, players=3, hands=[[], [square(GRACIA, 1)], []], options={"take": "CHOOSE"})
        refused = refusal(state, moves.take(HORTA))
        assert refused.rule.id == "AG-P1.3"
        assert "Red holds no square of Horta-Guinardó" in refused.reason

    def test_with_plain_backs_there_is_nothing_to_choose(self) -> None:
        state = new_game(3, {"take": "CHOOSE", "backs": "PLAIN"})
        assert state.phase == Phase.PLAY

    @pytest.mark.parametrize(("until", "takes"), [("ALWAYS", 3), ("PILES_EMPTY", 0)])
    def test_taking_may_stop_when_the_piles_are_used_up(self, until: str, takes: int) -> None:
        state = position(
            Phase.PASS_FOUNTAIN, players=3, fountain=RED, hands=[[1], [11], [21]], options={"take_until": until}
        )
        events = state.apply(moves.pass_fountain(BLUE))
        assert sum(isinstance(event, Taken) for event in events) == takes
        assert not any(isinstance(event, Skipped) for event in events)

    def test_it_goes_on_as_long_as_one_pile_has_squares(self) -> None:
        state = position(
            Phase.PASS_FOUNTAIN,
            players=3,
            fountain=RED,
            hands=[[1], [11], [21]],
            piles=([], [30]),
            options={"take_until": "PILES_EMPTY"},
        )
        assert sum(isinstance(event, Taken) for event in state.apply(moves.pass_fountain(BLUE))) == 3


class TestAgP21:
    """Play a square."""

    def test_its_walkers_come_from_the_supply_and_stand_in_its_district(self) -> None:
        number = square(GRACIA, 4)
        state = position(Phase.PLAY, hands=[[number], [2], [3], [4]])
        assert state.apply(moves.play(number)) == [Played(BLUE, number, GRACIA, 4)]
        assert state.supply[BLUE] == 26
        assert state.upright[GRACIA * 4 + BLUE] == 4
        assert state.hands[BLUE] == []
        assert state.movements == [Movement(Moved.PLAYED, BLUE, -1, number)]

    def test_everybody_sees_it(self) -> None:
        event = Played(BLUE, 5, CIUTAT_VELLA, 1)
        assert event.seen_by(None) == event.seen_by(RED) == event

    def test_a_square_in_no_hand_and_one_in_anothers_are_refused_alike(self) -> None:
        state = position(Phase.PLAY, hands=[[1], [2], [3], [4]])
        for elsewhere in (2, 60):
            refused = refusal(state, moves.play(elsewhere))
            name = GAME.ruleset.square_names[elsewhere]
            assert refused.rule.id == "AG-P2.1"
            assert refused.reason == f"{name} is not in your hand"
            assert refused.details == {"square": str(elsewhere)}


class TestAgP22:
    """Enough walkers."""

    def test_a_square_worth_more_than_the_supply(self) -> None:
        small, big = square(GRACIA, 3), square(HORTA, 4)
        state = position(Phase.PLAY, hands=[[small, big], [2], [3], [4]], supply={BLUE: 3})
        assert is_legal(state, moves.play(small))
        refused = refusal(state, moves.play(big))
        assert refused.rule.id == "AG-P2.2"
        assert refused.details["walkers"] == "3"


class TestAgP23:
    """No shared lead by playing."""

    def test_joining_the_lead_is_refused_in_words(self) -> None:
        number = square(GRACIA, 2)
        state = position(Phase.PLAY, upright={GRACIA: {BLUE: 1, RED: 3}}, hands=[[number, 1], [2], [3], [4]])
        refused = refusal(state, moves.play(number))
        assert refused.rule.id == "AG-P2.3"
        assert "Blue and Red tied for most walkers in Gràcia with 3" in refused.reason
        assert refused.details == {"district": "Gràcia", "players": "Blue, Red", "walkers": "3"}

    def test_lying_walkers_count_as_well(self) -> None:
        number = square(GRACIA, 2)
        state = position(Phase.PLAY, lying={GRACIA: {RED: 2}}, hands=[[number, 1], [2], [3], [4]])
        assert not is_legal(state, moves.play(number))

    def test_a_tie_for_second_place_is_allowed(self) -> None:
        number = square(GRACIA, 2)
        state = position(Phase.PLAY, upright={GRACIA: {RED: 5, YELLOW: 2}}, hands=[[number], [2], [3], [4]])
        assert is_legal(state, moves.play(number))

    def test_overtaking_is_allowed(self) -> None:
        number = square(GRACIA, 4)
        state = position(Phase.PLAY, upright={GRACIA: {RED: 3}}, hands=[[number], [2], [3], [4]])
        assert is_legal(state, moves.play(number))

    def test_only_its_own_district_is_judged(self) -> None:
        state = position(Phase.PLAY, upright={HORTA: {RED: 2}}, hands=[[square(GRACIA, 2)], [2], [3], [4]])
        assert is_legal(state, moves.play(square(GRACIA, 2)))


class TestAgP24:
    """Discard only if you must."""

    def test_with_something_playable_discarding_is_refused(self) -> None:
        playable, tied = square(HORTA, 2), square(GRACIA, 3)
        state = position(Phase.PLAY, upright={GRACIA: {RED: 3}}, hands=[[playable, tied], [2], [3], [4]])
        refused = refusal(state, moves.discard(tied))
        assert refused.rule.id == "AG-P2.4"
        assert GAME.ruleset.square_names[playable] in refused.reason

    def test_without_any_the_choice_is_free_and_nothing_is_placed(self) -> None:
        tied, too_big = square(GRACIA, 3), square(HORTA, 5)
        state = position(
            Phase.PLAY, upright={GRACIA: {RED: 3}}, hands=[[tied, too_big], [2], [3], [4]], supply={BLUE: 4}
        )
        assert state.legal_moves() == sorted([moves.discard(tied), moves.discard(too_big)])
        board = state.total.copy()
        assert state.apply(moves.discard(too_big)) == [Discarded(BLUE, HORTA, too_big)]
        assert (state.total, state.supply[BLUE]) == (board, 4)

    def test_the_others_see_its_back_only(self) -> None:
        event = Discarded(BLUE, HORTA, 19)
        assert event.seen_by(BLUE) == event
        assert event.seen_by(RED) == event.seen_by(None) == Discarded(BLUE, HORTA, 0)

    def test_a_square_not_in_hand_is_refused_alike_wherever_it_is(self) -> None:
        state = position(Phase.PLAY, hands=[[1], [2], [3], [4]], supply={BLUE: 0})
        reasons = {refusal(state, moves.discard(n)).reason.replace(GAME.ruleset.square_names[n], "") for n in (2, 60)}
        assert reasons == {" is not in your hand"}


class TestAgP31:
    """Walk."""

    state = staticmethod(
        lambda: position(
            Phase.FIRST_WALK, upright={EIXAMPLE: {BLUE: 5, RED: 2}, NOU_BARRIS: {YELLOW: 3}}, lying={HORTA: {GREEN: 4}}
        )
    )

    def test_anybodys_upright_walker_to_a_neighbour(self) -> None:
        state = self.state()
        assert is_legal(state, moves.walk(RED, EIXAMPLE, GRACIA))
        events = state.apply(moves.walk(RED, EIXAMPLE, GRACIA))
        assert events == [Walked(BLUE, RED, EIXAMPLE, GRACIA)]
        assert state.lying[GRACIA * 4 + RED] == 1
        assert walker_count(state, EIXAMPLE, RED) == 1
        assert (state.phase, state.actor) == (Phase.SECOND_WALK, BLUE)

    @pytest.mark.parametrize(
        ("move", "reason"),
        [
            (moves.walk(RED, EIXAMPLE, NOU_BARRIS), "Eixample does not border on Nou Barris"),
            (moves.walk(RED, EIXAMPLE, EIXAMPLE), "does not border on"),
            (moves.walk(RED, GRACIA, EIXAMPLE), "no Red walker stands upright in Gràcia: there is none"),
            (moves.walk(GREEN, HORTA, GRACIA), "every one has walked this turn"),
            (moves.walk(4, EIXAMPLE, GRACIA), "nobody has seat 4"),
        ],
    )
    def test_what_can_not_walk(self, move: Move, reason: str) -> None:
        refused = refusal(self.state(), move)
        assert refused.rule.id == "AG-P3.1"
        assert reason in refused.reason

    def test_the_second_has_another_colour(self) -> None:
        state = self.state()
        state.apply(moves.walk(RED, EIXAMPLE, GRACIA))
        refused = refusal(state, moves.walk(RED, EIXAMPLE, SARRIA))
        assert refused.rule.id == "AG-P3.1"
        assert "moved a Red walker already" in refused.reason
        assert {walk.what for walk in of_kind(state, Kind.WALK)} == {BLUE, YELLOW}

    def test_the_second_may_start_where_the_first_arrived(self) -> None:
        state = position(Phase.FIRST_WALK, upright={EIXAMPLE: {BLUE: 5}, GRACIA: {RED: 3}})
        state.apply(moves.walk(BLUE, EIXAMPLE, GRACIA))
        assert is_legal(state, moves.walk(RED, GRACIA, HORTA))

    def test_all_stand_up_when_the_turn_ends_but_not_before(self) -> None:
        state = position(
            Phase.SECOND_WALK,
            done=3,
            upright={EIXAMPLE: {BLUE: 5}},
            lying={GRACIA: {RED: 1}},
            piles=([], [1, 2]),
            first_walk=moves.walk(RED, EIXAMPLE, GRACIA),
        )
        state.apply(moves.walk(BLUE, EIXAMPLE, HORTA))
        assert state.phase == Phase.DRAW
        assert sum(state.lying) == 2
        state.apply(moves.draw(1))
        state.apply(moves.draw(1))
        assert state.phase == Phase.PASS_FOUNTAIN
        assert sum(state.lying) == 0
        assert state.upright == state.total


class TestAgP32:
    """No shared lead by walking."""

    def test_the_second_must_not_leave_one(self) -> None:
        state = position(Phase.FIRST_WALK, upright={EIXAMPLE: {BLUE: 6}, GRACIA: {RED: 3}, HORTA: {YELLOW: 1}})
        state.apply(moves.walk(RED, GRACIA, SARRIA))
        refused = refusal(state, moves.walk(BLUE, EIXAMPLE, HORTA))
        assert refused.rule.id == "AG-P3.2"
        assert "Blue and Yellow tied for most walkers in Horta-Guinardó with 1" in refused.reason
        assert refused.details["district"] == "Horta-Guinardó"

    def test_between_the_two_one_may_be_shared(self) -> None:
        state = position(Phase.FIRST_WALK, upright={EIXAMPLE: {BLUE: 3, RED: 2}, SANT_ANDREU: {GREEN: 4}})
        assert is_legal(state, moves.walk(BLUE, EIXAMPLE, GRACIA))
        state.apply(moves.walk(BLUE, EIXAMPLE, GRACIA))
        assert walker_count(state, EIXAMPLE, BLUE) == walker_count(state, EIXAMPLE, RED)
        # Only Red leaving or coming can part them, and Red is in Eixample alone.
        assert {(walk.what, walk.frm) for walk in of_kind(state, Kind.WALK)} == {(RED, EIXAMPLE)}

    def test_a_tie_the_first_left_names_its_district(self) -> None:
        state = position(Phase.FIRST_WALK, upright={EIXAMPLE: {BLUE: 3, RED: 2}, SANT_ANDREU: {GREEN: 4}})
        state.apply(moves.walk(BLUE, EIXAMPLE, GRACIA))
        refused = refusal(state, moves.walk(GREEN, SANT_ANDREU, NOU_BARRIS))
        assert refused.rule.id == "AG-P3.2"
        assert "Blue and Red tied for most walkers in Eixample with 2" in refused.reason

    def test_a_first_walk_that_no_second_completes_is_not_offered(self) -> None:
        # Blue leaving Eixample ties it with Red; every Red walker lies, so nobody can part them.
        state = position(
            Phase.FIRST_WALK, upright={EIXAMPLE: {BLUE: 3}, SANT_ANDREU: {GREEN: 4}}, lying={EIXAMPLE: {RED: 2}}
        )
        refused = refusal(state, moves.walk(BLUE, EIXAMPLE, GRACIA))
        assert refused.rule.id == "AG-P3.2"
        assert "no second walk" in refused.reason
        assert of_kind(state, Kind.WALK) == []

    def test_a_tie_for_second_place_is_allowed(self) -> None:
        state = position(Phase.FIRST_WALK, upright={EIXAMPLE: {BLUE: 5, RED: 2}, GRACIA: {BLUE: 3, YELLOW: 1}})
        state.apply(moves.walk(BLUE, EIXAMPLE, SANTS))
        assert is_legal(state, moves.walk(RED, EIXAMPLE, GRACIA))


class TestAgP33:
    """The last turn's walk."""

    def test_both_are_the_movers_own(self) -> None:
        state = position(
            Phase.FIRST_WALK, turn=12, upright={EIXAMPLE: {BLUE: 6, RED: 2}, NOU_BARRIS: {YELLOW: 3}}, hands=[[]] * 4
        )
        assert {walk.what for walk in of_kind(state, Kind.WALK)} == {BLUE}
        refused = refusal(state, moves.walk(RED, EIXAMPLE, GRACIA))
        assert refused.rule.id == "AG-P3.3"
        state.apply(moves.walk(BLUE, EIXAMPLE, GRACIA))
        assert {walk.what for walk in of_kind(state, Kind.WALK)} == {BLUE}
        assert refusal(state, moves.walk(RED, EIXAMPLE, GRACIA)).rule.id == "AG-P3.3"

    def test_the_one_that_walked_does_not_walk_again(self) -> None:
        state = position(Phase.FIRST_WALK, turn=12, upright={EIXAMPLE: {BLUE: 2}}, lying={GRACIA: {BLUE: 3}})
        state.apply(moves.walk(BLUE, EIXAMPLE, GRACIA))
        assert {walk.frm for walk in of_kind(state, Kind.WALK)} == {EIXAMPLE}

    def test_one_upright_walker_is_not_enough(self) -> None:
        state = position(Phase.FIRST_WALK, turn=12, upright={EIXAMPLE: {BLUE: 1}, NOU_BARRIS: {YELLOW: 3}})
        assert state.legal_moves() == []

    def test_before_that_own_colour_twice_is_refused(self) -> None:
        state = position(Phase.FIRST_WALK, turn=11, upright={EIXAMPLE: {BLUE: 6, RED: 2}})
        state.apply(moves.walk(BLUE, EIXAMPLE, GRACIA))
        assert refusal(state, moves.walk(BLUE, EIXAMPLE, SANTS)).rule.id == "AG-P3.1"


class TestAgP34:
    """No way to walk."""

    def test_whoever_can_not_walk_is_passed_over_and_it_is_said(self) -> None:
        # With a single colour on the board nobody finds a second one.
        number = square(GRACIA, 4)
        state = position(Phase.PLAY, done=3, hands=[[], [], [], [number]], piles=([1, 2], []))
        events = state.apply(moves.play(number))
        assert [event for event in events if isinstance(event, Skipped)] == [
            Skipped(seat, Phase.FIRST_WALK, "AG-P3.4") for seat in range(4)
        ]
        assert (state.phase, state.actor) == (Phase.DRAW, BLUE)


class TestAgP41:
    """Draw a square."""

    def test_the_top_of_a_pile_of_choice(self) -> None:
        state = position(Phase.DRAW, hands=[[]] * 4, piles=([1, 2], [3, 4]))
        assert state.legal_moves() == [moves.draw(0), moves.draw(1)]
        assert state.apply(moves.draw(1)) == [Drawn(BLUE, 1, CIUTAT_VELLA, 4)]
        assert state.hands[BLUE] == [4]

    def test_an_empty_pile_is_refused(self) -> None:
        state = position(Phase.DRAW, hands=[[]] * 4, piles=([], [3, 4]))
        refused = refusal(state, moves.draw(0))
        assert refused.rule.id == "AG-P4.1"
        assert "pile 1 is used up" in refused.reason

    def test_one_pile_is_still_a_decision_and_none_is_not(self) -> None:
        state = position(Phase.DRAW, hands=[[]] * 4, piles=([], [3, 4]))
        assert state.legal_moves() == [moves.draw(1)]
        state.apply(moves.draw(1))
        state.apply(moves.draw(1))
        assert state.phase == Phase.PASS_FOUNTAIN

    def test_only_its_drawer_sees_it(self) -> None:
        event = Drawn(BLUE, 1, CIUTAT_VELLA, 4)
        assert event.seen_by(BLUE) == event
        assert event.seen_by(None) == event.seen_by(RED) == Drawn(BLUE, 1, CIUTAT_VELLA, 0)


class TestAgE1:
    """End of a turn."""

    def test_the_holder_hands_the_fountain_to_another(self) -> None:
        state = position(Phase.PASS_FOUNTAIN, fountain=RED, hands=[[1], [2], [3], [4]])
        assert state.actor == RED
        assert state.legal_moves() == [moves.pass_fountain(seat) for seat in (BLUE, YELLOW, GREEN)]
        events = state.apply(moves.pass_fountain(GREEN))
        assert events[:2] == [FountainPassed(RED, GREEN), TurnBegan(4, GREEN)]
        assert (state.fountain, state.turn) == (GREEN, 4)

    @pytest.mark.parametrize(("seat", "reason"), [(RED, "goes to another player"), (4, "nobody has seat 4")])
    def test_not_to_oneself_nor_to_nobody(self, seat: int, reason: str) -> None:
        refused = refusal(position(Phase.PASS_FOUNTAIN, fountain=RED), moves.pass_fountain(seat))
        assert refused.rule.id == "AG-E1"
        assert reason in refused.reason

    def test_after_the_last_turn_it_stays(self) -> None:
        state = position(
            Phase.SECOND_WALK,
            turn=12,
            done=3,
            upright={EIXAMPLE: {GREEN: 5}},
            lying={GRACIA: {GREEN: 1}},
            first_walk=moves.walk(GREEN, EIXAMPLE, GRACIA),
        )
        events = state.apply(moves.walk(GREEN, EIXAMPLE, SANTS))
        assert state.is_over
        assert isinstance(events[-1], Ended)


class TestAgF1:
    """Points."""

    def test_most_walkers_earn_the_districts_points(self) -> None:
        state = position(Phase.OVER, upright={EIXAMPLE: {BLUE: 3, RED: 1}, NOU_BARRIS: {RED: 1}})
        assert state.scores() == [10, 6, 0, 0]
        assert state.winners() == [BLUE]

    def test_an_empty_district_earns_nobody_anything(self) -> None:
        assert position(Phase.OVER).scores() == [0, 0, 0, 0]

    def test_lying_walkers_count(self) -> None:
        assert position(Phase.DRAW, upright={GRACIA: {BLUE: 1}}, lying={GRACIA: {RED: 2}}).scores() == [0, 7, 0, 0]

    def test_a_lead_shared_between_two_walks_earns_nobody_anything(self) -> None:
        assert position(Phase.SECOND_WALK, upright={GRACIA: {BLUE: 2, RED: 2}}).scores() == [0, 0, 0, 0]

    def test_the_points_are_those_printed(self) -> None:
        assert sum(GAME.ruleset.points) == 76
        assert (GAME.ruleset.points[EIXAMPLE], GAME.ruleset.points[HORTA], GAME.ruleset.points[NOU_BARRIS]) == (
            10,
            9,
            6,
        )

    def test_the_end_is_announced(self) -> None:
        for options in ALL_OPTIONS[:2]:
            state = new_game(3, options)
            events = []
            while not state.is_over:
                events = state.apply(state.legal_moves()[0])
            assert events[-1] == Ended(tuple(state.scores()), tuple(state.winners()))


class TestAgF2:
    """Equal points."""

    def test_presence_breaks_the_tie_not_districts_won(self) -> None:
        # Blue wins four districts (6 + 7 + 7 + 7), Red three (10 + 9 + 8); but Red has walkers in five, Blue in four.
        state = position(
            Phase.OVER,
            upright={
                NOU_BARRIS: {BLUE: 2, RED: 1},
                LES_CORTS: {BLUE: 2, RED: 1},
                GRACIA: {BLUE: 2},
                SANTS: {BLUE: 2},
                EIXAMPLE: {RED: 1},
                HORTA: {RED: 1},
                SARRIA: {RED: 1},
            },
        )
        assert state.scores()[:2] == [27, 27]
        assert state.presence()[:2] == [4, 5]
        assert state.winners() == [RED]

    def test_points_come_before_presence(self) -> None:
        state = position(Phase.OVER, upright={EIXAMPLE: {BLUE: 3, RED: 1}, NOU_BARRIS: {RED: 1}})
        assert state.presence() == [1, 2, 0, 0]
        assert state.winners() == [BLUE]

    def test_among_some_seats_only_they_can_win(self) -> None:
        state = position(Phase.OVER, upright={EIXAMPLE: {BLUE: 3}, NOU_BARRIS: {RED: 1}})
        assert state.winners(among=[RED, YELLOW]) == [RED]
        assert state.winners(among=[]) == []


class TestAgF3:
    """Still equal."""

    def test_they_share_the_victory(self) -> None:
        state = position(Phase.OVER, upright={LES_CORTS: {BLUE: 1}, GRACIA: {RED: 1}})
        assert state.winners() == [BLUE, RED]

    def test_nobody_else_does(self) -> None:
        state = position(Phase.OVER, upright={LES_CORTS: {BLUE: 1}, GRACIA: {RED: 2, GREEN: 1}, SANTS: {GREEN: 3}})
        assert state.scores() == [7, 7, 0, 7]
        assert state.winners() == [GREEN]


def test_every_rule_has_a_class_of_tests() -> None:
    tested = {name for name in globals() if name.startswith("TestAg")}
    assert {f"Test{rule.title().replace('-', '').replace('.', '')}" for rule in GAME.rules} == tested


class TestUndo:
    def test_only_a_first_walk_may_be_taken_back(self) -> None:
        for state in game_by_chance(3, ALL_OPTIONS[0], seed=2):
            assert state.undoable == (state.phase == Phase.SECOND_WALK)
