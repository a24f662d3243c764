"""Information-set Monte Carlo tree search: a fresh world for every iteration, one tree for all of them."""

from __future__ import annotations

from math import exp, sqrt
from random import Random
from typing import Final

from boardgamesbot.games.agora.core import OVER, PLAY, Core
from boardgamesbot.games.agora.view import AgoraView
from boardgamesbot.games.chance import FastChance
from boardgamesbot.players.agora_search.evaluation import Eye
from boardgamesbot.players.agora_search.levels import Level
from boardgamesbot.players.agora_search.playouts import Playouts
from boardgamesbot.players.agora_search.tree import Edge, Node, Tree


class Search:
    """Thinks about one decision of one seat. It sees the view and worlds drawn from it, nothing else."""

    def __init__(self, view: AgoraView, level: Level, rng: Random, tree: Tree) -> None:
        self._view: Final = view
        self._level: Final = level
        self._rng: Final = rng
        self._chance: Final = FastChance(rng)
        self._eye: Final = Eye(view.game.ruleset, view.players)
        self._playouts: Final = Playouts(self._eye, self._chance, level.sampled)
        self._tree: Final = tree
        core = view.sample(rng)
        self._only_world: Final = core if _is_open(core) else None
        self.root: Final = tree.begin(core)
        self._legal: Final = core.legal()
        self._overlooked: Final = _overlooked(self._legal, level.overlooks, rng)
        self.iterations = 0

    def run(self, times: int) -> None:
        """So many iterations more."""
        for _ in range(times):
            self._iterate()

    def tried(self) -> list[Edge]:
        """The moves that were tried, the most tried first.

        The root may come from an earlier search, which did not know yet what squares its seat would hold now: moves
        that are not legal are left out.
        """
        found = [edge for edge in self.root.edges if edge.tried and edge.move in self._legal]
        found.sort(key=_standing)
        return found

    def _iterate(self) -> None:
        """Go down the tree in a fresh world to a position not thought of, play on from there, and learn from it."""
        core = self._only_world.copy() if self._only_world is not None else self._view.sample(self._rng)
        nodes: list[Node] = []
        edges: list[Edge] = []
        node: Node | None = self.root
        while node is not None and core.phase != OVER:
            edge = self._select(node, core)
            nodes.append(node)
            edges.append(edge)
            core.advance(edge.move, self._chance)
            if edge.after is None:
                edge.after = self._tree.node(core)
            node = edge.after
            if node is not None and not node.visits:
                node.visits = 1
                break
        self._playouts.finish(core)
        self._learn(nodes, edges)
        self.iterations += 1

    def _learn(self, nodes: list[Node], edges: list[Edge]) -> None:
        """Add what came of an iteration to every move made: to each seat what it got itself (max-n)."""
        eye, weight, owner = self._eye, self._level.win_weight, self._tree.owner
        rest = (1.0 - weight) / eye.all_points
        for step in range(len(edges)):
            node, edge = nodes[step], edges[step]
            node.visits += 1
            edge.tried += 1
            edge.value += weight * eye.win[node.actor] + rest * eye.expected[node.actor]
            edge.points += eye.expected[owner]
            edge.wins += eye.win[owner]

    def _select(self, node: Node, core: Core) -> Edge:
        """The move to try: one that has been good, or looks good and has been tried little."""
        if node.is_board:
            if not node.edges:
                self._list_walks(node, core)
            width = int(self._level.width * sqrt(float(node.visits))) + 1
            return self._best(node, node.edges, width)
        legal = core.legal()
        edges: list[Edge] = []
        for move in legal:
            found = node.by_move.get(move)
            if found is None:
                self._add(node, core, legal)
                found = node.by_move[move]
            edges.append(found)
        return self._best(node, edges, len(edges))

    def _list_walks(self, node: Node, core: Core) -> None:
        legal = core.legal()
        self._eye.look(core)
        worth = self._eye.gauge(core, node.actor, legal)
        prior = self._priors(worth)
        for place in sorted(range(len(legal)), key=worth.__getitem__, reverse=True):
            node.edges.append(Edge(legal[place], prior[place]))

    def _add(self, node: Node, core: Core, legal: list[int]) -> None:
        """Add those of the moves that have not been legal here in any world so far."""
        self._eye.look(core)
        prior = self._priors(self._eye.gauge(core, node.actor, legal))
        for place in range(len(legal)):
            if legal[place] not in node.by_move:
                edge = Edge(legal[place], prior[place])
                node.edges.append(edge)
                node.by_move[legal[place]] = edge

    def _priors(self, worth: list[float]) -> list[float]:
        most = max(worth)
        prior: list[float] = []
        total = 0.0
        for each in worth:
            likely = exp((each - most) / self._level.warmth)
            prior.append(likely)
            total += likely
        for place in range(len(prior)):
            prior[place] /= total
        return prior

    def _best(self, node: Node, edges: list[Edge], width: int) -> Edge:
        """Of the first so many edges the one to try, by what it brought and by what may yet be in it."""
        is_root = node is self.root and len(self._overlooked) > 0
        got = 0.0
        tries = 0
        for edge in edges:
            if edge.tried:
                got += edge.value
                tries += edge.tried
        mean = got / tries if tries else 0.0
        curiosity = self._level.curiosity
        most = -1.0
        best = edges[0]
        for edge in edges:
            if is_root and edge.move in self._overlooked:
                continue
            if not width:
                break
            width -= 1
            edge.seen += 1
            so_far = edge.value / edge.tried if edge.tried else mean
            hope = so_far + curiosity * edge.prior * sqrt(float(edge.seen)) / (1 + edge.tried)
            if hope > most:
                most = hope
                best = edge
        return best


def _standing(edge: Edge) -> tuple[int, float, int]:
    return -edge.tried, -edge.value / edge.tried, edge.move


def _is_open(core: Core) -> bool:
    """Whether nothing is hidden that matters any more: in the last turn, when the squares are played."""
    return core.is_last_turn and core.phase > PLAY and not core.piles[0] and not core.piles[1]


def _overlooked(legal: list[int], share: float, rng: Random) -> list[int]:
    """So many of the legal moves by chance, but not all."""
    return rng.sample(legal, min(len(legal) - 1, int(share * len(legal)))) if share > 0.0 else []
