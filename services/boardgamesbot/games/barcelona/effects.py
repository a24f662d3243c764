"""The vocabulary of effects: what a tile, an icon or a reward can do, as data that one interpreter runs.

In the data files an effect is a word of this vocabulary, a list of effects (one after another), or a choice:

    "vp 3"              gain points                     "coins 2"  "cloth 1"  "coins 1 cloth 1"   one gain
    "resource 1"        coins or cloth, as you choose   "cerda -2"  "sagrada 1"                   steps on a track
    "narrow 2"          build up to so many streets     "wide 1"
    "intersection"      buy one                         "intersection free"
    "cobblestone"       place one                       "service"          buy a Public Service
    "modernisme"        take a tile                     "improve 1"        "improve 2 free"       project spaces
    "tram"              move it, then a passenger       "tram free"        the passenger costs nothing
    "move barcelona 2"  "move gracia 2"  "move one 2"   up to so many steps of a Pedestrian
    "joy barcelona 2"   "joy gracia 2"   "joy any 1"
    "vp 2 per markers"  points for each of something; see `counts.COUNTS`
    {"choice": [a, b]}  one of them                     {"any_order": [a, b]}  all, in the order you choose
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import NamedTuple

from boardgamesbot.games.base import Malformed


class Op(IntEnum):
    """What a node does; `a` and `b` are its numbers."""

    SEQUENCE = 0
    CHOICE = 1
    ANY_ORDER = 2
    VP = 3
    """`a` points."""
    GAIN = 4
    """`a` coins and `b` cloth, as one gain."""
    RESOURCE = 5
    """`a` coins or `a` cloth."""
    CERDA = 6
    SAGRADA = 7
    NARROW = 8
    """Up to `a` narrow streets."""
    WIDE = 9
    INTERSECTION = 10
    """`a`: whether it is free."""
    COBBLESTONE = 11
    SERVICE = 12
    MODERNISME = 13
    IMPROVE = 14
    """Up to `a` project spaces; `b`: whether they are free."""
    TRAM = 15
    """`a`: whether the passenger is free."""
    MOVE = 16
    """Pedestrian `a`, up to `b` steps."""
    MOVE_ONE = 17
    """Either Pedestrian, up to `a` steps."""
    JOY = 18
    """Pedestrian `a`, `b` more Joy."""
    JOY_ANY = 19
    """Either Pedestrian, `a` more Joy."""
    VP_PER = 20
    """`a` points for each of count number `b`."""


class Node(NamedTuple):
    """One step of an effect. `kids` are the numbers of other nodes."""

    op: Op
    a: int = 0
    b: int = 0
    kids: tuple[int, ...] = ()


PEDESTRIANS = ("barcelona", "gracia")
"""By the city they start from; their number is their place here."""


class Effects:
    """All effects of a ruleset as one table of nodes. An effect is the number of its first node."""

    def __init__(self, counts: Sequence[str]) -> None:
        self.nodes: list[Node] = []
        self._counts = counts
        self._known: dict[Node, int] = {}

    def add(self, effect: object, where: str) -> int:
        """Read an effect of the data; `where` is the place named if it makes no sense. Raises Malformed."""
        return self._add(self._node(effect, where))

    def _add(self, node: Node) -> int:
        if node not in self._known:
            self._known[node] = len(self.nodes)
            self.nodes.append(node)
        return self._known[node]

    def _node(self, effect: object, where: str) -> Node:
        if isinstance(effect, str):
            return self._word(effect, where)
        if isinstance(effect, list):
            return Node(Op.SEQUENCE, kids=tuple(self.add(part, f"{where}[{i}]") for i, part in enumerate(effect)))
        if isinstance(effect, dict) and len(effect) == 1:
            (name, parts), *_ = effect.items()
            ops = {"choice": Op.CHOICE, "any_order": Op.ANY_ORDER}
            if name in ops and isinstance(parts, list) and len(parts) == 2:
                kids = tuple(self.add(part, f"{where}.{name}[{i}]") for i, part in enumerate(parts))
                return Node(ops[name], kids=kids)
        raise Malformed(where, 'must be an effect: a word, a list, {"choice": [a, b]} or {"any_order": [a, b]}')

    def _word(self, text: str, where: str) -> Node:
        words = text.split()
        rule = _WORDS.get(words[0]) if words else None
        node = rule(words[1:], self._counts) if rule else None
        if node is None:
            raise Malformed(where, f"{text!r} is no effect; docs/rulesets.md lists what there is")
        return node


def _number(words: Sequence[str], least: int = 1) -> int | None:
    """The number that these words are; None if they are not one, from `least` to 99."""
    if len(words) != 1 or not words[0].removeprefix("-").isdecimal():
        return None
    number = int(words[0])
    return number if least <= number <= 99 else None


def _counted(op: Op, least: int = 1) -> Callable[[Sequence[str], Sequence[str]], Node | None]:
    def read(words: Sequence[str], _: Sequence[str]) -> Node | None:
        number = _number(words, least)
        return None if number is None else Node(op, number)

    return read


def _plain(op: Op) -> Callable[[Sequence[str], Sequence[str]], Node | None]:
    return lambda words, _: None if words else Node(op)


def _maybe_free(op: Op) -> Callable[[Sequence[str], Sequence[str]], Node | None]:
    return lambda words, _: Node(op, int(bool(words))) if words in ([], ["free"]) else None


def _points(words: Sequence[str], counts: Sequence[str]) -> Node | None:
    if len(words) == 3 and words[1] == "per":
        number = _number(words[:1])
        return Node(Op.VP_PER, number, counts.index(words[2])) if number and words[2] in counts else None
    return _counted(Op.VP)(words, counts)


def _coins(words: Sequence[str], _: Sequence[str]) -> Node | None:
    coins = _number(words[:1])
    cloth = _number(words[2:]) if len(words) == 3 and words[1] == "cloth" else 0 if len(words) == 1 else None
    return None if coins is None or cloth is None else Node(Op.GAIN, coins, cloth)


def _cloth(words: Sequence[str], _: Sequence[str]) -> Node | None:
    cloth = _number(words)
    return None if cloth is None else Node(Op.GAIN, 0, cloth)


def _improve(words: Sequence[str], _: Sequence[str]) -> Node | None:
    number = _number(words[:1])
    if number is None or words[1:] not in ([], ["free"]):
        return None
    return Node(Op.IMPROVE, number, int(bool(words[1:])))


def _pedestrian(one: Op, either: Op, word: str) -> Callable[[Sequence[str], Sequence[str]], Node | None]:
    def read(words: Sequence[str], _: Sequence[str]) -> Node | None:
        number = _number(words[1:])
        if number is None:
            return None
        if words[0] == word:
            return Node(either, number)
        return Node(one, PEDESTRIANS.index(words[0]), number) if words[0] in PEDESTRIANS else None

    return read


_WORDS: dict[str, Callable[[Sequence[str], Sequence[str]], Node | None]] = {
    "vp": _points,
    "coins": _coins,
    "cloth": _cloth,
    "resource": _counted(Op.RESOURCE),
    "cerda": _counted(Op.CERDA, -99),
    "sagrada": _counted(Op.SAGRADA),
    "narrow": _counted(Op.NARROW),
    "wide": _counted(Op.WIDE),
    "intersection": _maybe_free(Op.INTERSECTION),
    "cobblestone": _plain(Op.COBBLESTONE),
    "service": _plain(Op.SERVICE),
    "modernisme": _plain(Op.MODERNISME),
    "improve": _improve,
    "tram": _maybe_free(Op.TRAM),
    "move": _pedestrian(Op.MOVE, Op.MOVE_ONE, "one"),
    "joy": _pedestrian(Op.JOY, Op.JOY_ANY, "any"),
}


def ops_of(nodes: Sequence[Node], effect: int) -> set[Op]:
    """Everything that an effect can do."""
    node = nodes[effect]
    return {node.op}.union(*(ops_of(nodes, kid) for kid in node.kids))
