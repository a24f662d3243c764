"""Effects back in the words of the data files (`effects`), so that messages can say them."""

from __future__ import annotations

import json
from collections.abc import Sequence

from boardgamesbot.games.barcelona.counts import COUNTS
from boardgamesbot.games.barcelona.effects import PEDESTRIANS, Node, Op

_COUNTED = {
    Op.VP: "vp",
    Op.RESOURCE: "resource",
    Op.CERDA: "cerda",
    Op.SAGRADA: "sagrada",
    Op.NARROW: "narrow",
    Op.WIDE: "wide",
    Op.MOVE_ONE: "move one",
    Op.JOY_ANY: "joy any",
}
_PLAIN = {Op.COBBLESTONE: "cobblestone", Op.SERVICE: "service", Op.MODERNISME: "modernisme"}
_MAYBE_FREE = {Op.INTERSECTION: "intersection", Op.TRAM: "tram"}
_OF_PEDESTRIANS = {Op.MOVE: "move", Op.JOY: "joy"}
_OF_TWO = {Op.CHOICE: "choice", Op.ANY_ORDER: "any_order"}
_COUNT_NAMES = tuple(COUNTS)


def effect_texts(nodes: Sequence[Node]) -> tuple[str, ...]:
    """Every effect of a ruleset by number: a word as it is, lists and choices as JSON. No two are alike."""
    return tuple(
        effect if isinstance(effect, str) else json.dumps(effect)
        for effect in (_effect(nodes, number) for number in range(len(nodes)))
    )


def _effect(nodes: Sequence[Node], number: int) -> object:
    """An effect as the data files have it."""
    op, a, b, kids = nodes[number]
    if op is Op.SEQUENCE:
        return [_effect(nodes, kid) for kid in kids]
    if op in _OF_TWO:
        return {_OF_TWO[op]: [_effect(nodes, kid) for kid in kids]}
    return _word(op, a, b)


def _word(op: Op, a: int, b: int) -> str:
    if op in _COUNTED:
        return f"{_COUNTED[op]} {a}"
    if op in _PLAIN:
        return _PLAIN[op]
    if op in _MAYBE_FREE:
        return _MAYBE_FREE[op] + " free" * a
    if op in _OF_PEDESTRIANS:
        return f"{_OF_PEDESTRIANS[op]} {PEDESTRIANS[a]} {b}"
    if op is Op.IMPROVE:
        return f"improve {a}" + " free" * b
    if op is Op.VP_PER:
        return f"vp {a} per {_COUNT_NAMES[b]}"
    return " ".join(f"{word} {number}" for word, number in (("coins", a), ("cloth", b)) if number)
