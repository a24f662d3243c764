"""What the search remembers: positions as all seats know them, their moves, and what came of each."""

from __future__ import annotations

from typing import Final

from boardgamesbot.games.agora.core import FIRST_WALK, SECOND_WALK, Core

Key = tuple[int, bytes, bytes]
"""A position as all seats know it."""

_MOST_POSITIONS: Final = 100_000
"""Some 100 MB, after minutes of thought; then the tree grows no more, and what is in it gets ever better known."""


def key_of(core: Core) -> Key:
    """What all seats know of a position that moves lead to: the board, and whose decision it is.

    Two orders of the same walks lead to one position. Where the squares lie is left to the worlds.
    """
    where = ((core.turn * 8 + core.phase) * 8 + core.done) * 8 + core.fountain
    first = core.first_walk // 100 + 1
    squares = len(core.piles[0]) * 64 + len(core.piles[1])
    return (where * 16 + first) * 4096 + squares, bytes(core.total), bytes(core.upright)


class Edge:
    """A move in a position, and what came of it."""

    def __init__(self, move: int, prior: float) -> None:
        self.move = move
        self.prior = prior
        """How likely it looked before it was tried."""
        self.tried = 0
        self.seen = 0
        """How often it was legal and could have been tried."""
        self.value = 0.0
        """What the actor got in all tries together."""
        self.points = 0.0
        """What the owner of the tree got in them, in points."""
        self.wins = 0.0
        """How often the owner won."""
        self.after: Node | None = None


class Node:
    """A position as all seats know it."""

    def __init__(self, core: Core) -> None:
        self.actor: int = core.actor
        """The seat whose decision it is; -1: the game is over."""
        self.is_board: bool = core.phase == FIRST_WALK or core.phase == SECOND_WALK
        """Whether the legal moves depend on the board alone, and are the same in all worlds."""
        self.visits = 0
        self.edges: list[Edge] = []
        """Walks: all that are legal, the best looking first. Else those that were legal in some world, as they came."""
        self.by_move: dict[int, Edge] = {}
        """The same, where they are looked up: not walks."""


class Tree:
    """The positions one seat of a table has thought of. `owner` is that seat."""

    def __init__(self, owner: int) -> None:
        self.owner: Final = owner
        self._nodes: dict[Key, Node] = {}

    def __len__(self) -> int:
        return len(self._nodes)

    def node(self, core: Core) -> Node | None:
        """What is remembered of a position, or a beginning of it; None where the tree has grown large enough."""
        key = key_of(core)
        node = self._nodes.get(key)
        if node is None and len(self._nodes) < _MOST_POSITIONS:
            node = Node(core)
            self._nodes[key] = node
        return node

    def begin(self, core: Core) -> Node:
        """What is remembered of the position to decide in. All that can't come up any more is forgotten."""
        key = key_of(core)
        root = self._nodes.get(key)
        if root is None:
            root = Node(core)
        reached = {id(root)}
        waiting = [root]
        while waiting:
            for edge in waiting.pop().edges:
                after = edge.after
                if after is not None and id(after) not in reached:
                    reached.add(id(after))
                    waiting.append(after)
        self._nodes = {other: node for other, node in self._nodes.items() if id(node) in reached}
        self._nodes[key] = root
        return root
