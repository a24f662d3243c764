"""The stream of chance against docs/chance.md, and what every source of chance must keep to."""

from __future__ import annotations

import re
from collections import Counter
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from boardgamesbot.games import registry
from boardgamesbot.games.agora.events import Taken
from boardgamesbot.games.agora.state import AgoraState
from boardgamesbot.games.chance import SEED_BYTES, Chance, ChanceStream, FastChance, commitment

PAGE = Path(__file__).parents[3] / "docs" / "chance.md"


def vectors() -> dict[str, str]:
    """The lines of the page's test vectors, by what they say they are."""
    block = re.findall(r"```text\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)[-1]
    lines = [
        re.match(r"(seed|commitment|.*?below \d+(?:\^32)?|1 to 10 shuffled) +(\S.*)", line)
        for line in block.splitlines()
    ]
    return {line[1]: line[2] for line in lines if line}


class TestThePage:
    seed = bytes.fromhex(vectors()["seed"])

    def test_commitment(self) -> None:
        assert commitment(self.seed).hex() == sha256(self.seed).hexdigest() == vectors()["commitment"]

    def test_the_numbers_of_the_stream(self) -> None:
        stream = ChanceStream(self.seed)
        assert [stream.below(2**32) for _ in range(10)] == [int(n) for n in vectors()["first ten below 2^32"].split()]

    def test_small_numbers(self) -> None:
        stream = ChanceStream(self.seed)
        assert [stream.below(6) for _ in range(10)] == [int(n) for n in vectors()["ten below 6"].split()]
        assert stream.position == 10

    def test_numbers_thrown_away_count(self) -> None:
        numbers, position = vectors()["three below 3000000000"].split("position")
        stream = ChanceStream(self.seed, position=10)
        assert [stream.below(3_000_000_000) for _ in range(3)] == [int(n) for n in numbers.split()]
        assert stream.position == int(position)

    def test_a_shuffle(self) -> None:
        order, position = vectors()["1 to 10 shuffled"].split("position")
        start = int(vectors()["three below 3000000000"].split("position")[1])
        stream, items = ChanceStream(self.seed, start), list(range(1, 11))
        stream.shuffle(items)
        assert items == [int(n) for n in order.split()]
        assert stream.position == int(position)


class TestChanceStream:
    def test_goes_on_where_it_was_left(self) -> None:
        stream = ChanceStream(bytes(SEED_BYTES))
        read = [stream.below(1000) for _ in range(50)]
        for position in (0, 1, 7, 8, 9, 31):
            later = ChanceStream(bytes(SEED_BYTES), position)
            assert [later.below(1000) for _ in range(50 - position)] == read[position:]

    def test_a_copy_goes_its_own_way(self) -> None:
        stream = ChanceStream(bytes(SEED_BYTES))
        stream.below(6)
        twin = stream.copy()
        ahead = [twin.below(2**32) for _ in range(20)]
        assert stream.position == 1
        assert [stream.below(2**32) for _ in range(20)] == ahead

    def test_reads_a_number_even_where_there_is_nothing_to_decide(self) -> None:
        stream = ChanceStream(bytes(SEED_BYTES))
        assert stream.below(1) == 0
        assert stream.position == 1

    @pytest.mark.parametrize("n", [0, -1, 2**32 + 1])
    def test_refuses_a_range_it_does_not_have(self, n: int) -> None:
        with pytest.raises(ValueError, match="no number below"):
            ChanceStream(bytes(SEED_BYTES)).below(n)

    @pytest.mark.parametrize("length", [0, 31, 33])
    def test_refuses_a_seed_of_another_length(self, length: int) -> None:
        with pytest.raises(ValueError, match="32 bytes"):
            ChanceStream(bytes(length))


@pytest.mark.parametrize("chance", [ChanceStream(bytes(SEED_BYTES)), FastChance(Random(1))], ids=["stream", "fast"])
class TestEverySource:
    def test_all_numbers_are_about_as_likely(self, chance: Chance) -> None:
        counts = Counter(chance.below(6) for _ in range(6000))
        assert set(counts) == set(range(6))
        assert max(counts.values()) < 1.25 * min(counts.values())

    def test_all_orders_of_a_shuffle_are_about_as_likely(self, chance: Chance) -> None:
        counts: Counter[tuple[int, ...]] = Counter()
        for _ in range(6000):
            items = [0, 1, 2]
            chance.shuffle(items)
            counts[tuple(items)] += 1
        assert len(counts) == 6
        assert max(counts.values()) < 1.25 * min(counts.values())


@pytest.mark.parametrize(("players", "removed"), [(3, 15), (4, 12), (5, 10)])
def test_agora_reads_it_as_the_page_says(players: int, removed: int) -> None:
    stream = ChanceStream(bytes(range(SEED_BYTES)))
    squares = list(range(1, 61))
    stream.shuffle(squares)
    out, rest = squares[:removed], squares[removed:]
    hands = [rest[5 * seat : 5 * seat + 5] for seat in range(players)]
    stock = rest[5 * players :]
    larger = -(-len(stock) // 2)
    fountain = stream.below(players)
    taken = []
    for turn in range(players):
        seat = (fountain + turn) % players
        left = hands[(seat + 1) % players]
        taken.append(left.pop(stream.below(len(left))))
        hands[seat].append(taken[-1])

    game = registry.game("agora")
    state, events = game.new(players, game.complete_options({}), ChanceStream(bytes(range(SEED_BYTES))))
    assert isinstance(state, AgoraState)
    assert state.removed == out
    assert state.piles == [stock[:larger], stock[larger:]]
    assert state.fountain == fountain
    assert [event.square for event in events if isinstance(event, Taken)] == taken
    assert state.hands == hands
    assert isinstance(state.chance, ChanceStream)
    assert state.chance.position == stream.position
