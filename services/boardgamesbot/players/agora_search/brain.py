"""The brain that searches."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from boardgamesbot.games.agora.view import AgoraView
from boardgamesbot.games.base import Move, View
from boardgamesbot.players.agora_search.levels import Level
from boardgamesbot.players.agora_search.search import Search
from boardgamesbot.players.agora_search.tree import Tree
from boardgamesbot.players.base import Brain, Budget, Candidate, Notes, Thought

_FIRST_THOUGHT: Final = 64
"""Iterations before the first thought; twice as many before each other."""
_STEP: Final = 8
"""Iterations between two looks at the clock."""
_TREE: Final = "agora_search.tree"


class AgoraSearch(Brain):
    """Searches within its level and its budget, and keeps its tree in the notes."""

    def __init__(self, level: Level) -> None:
        self.level: Final = level

    def choose(self, view: View, rng: Random) -> Move:
        *_, last = self.think(view, rng, Budget(iterations=self.level.casual), {})
        return last.move

    def think(self, view: View, rng: Random, budget: Budget, notes: Notes) -> Iterator[Thought]:
        assert isinstance(view, AgoraView)
        assert view.seat is not None
        legal = view.legal_moves()
        if len(legal) == 1:
            yield Thought(legal[0])
            return
        tree = notes.get(_TREE)
        if not isinstance(tree, Tree) or tree.owner != view.seat:
            tree = notes[_TREE] = Tree(view.seat)
        search = Search(view, self.level, rng, tree)
        most = self.level.iterations if budget.iterations is None else min(self.level.iterations, budget.iterations)
        search.run(1)
        thought_at = _FIRST_THOUGHT
        while search.iterations < most and not budget.over():
            search.run(min(_STEP, most - search.iterations))
            if search.iterations >= thought_at and search.iterations < most:
                thought_at *= 2
                yield thought_of(search)
        yield thought_of(search)


def thought_of(search: Search) -> Thought:
    """Where a search has got to."""
    tried = search.tried()
    candidates = [Candidate(edge.move, edge.tried, edge.points / edge.tried, edge.wins / edge.tried) for edge in tried]
    return Thought(tried[0].move, tuple(candidates), search.iterations)
