"""Effects, goods and counts of Barcelona in words, and as short signs for the drawn board."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.cells import cell_len

from boardgamesbot.games.barcelona.counts import COUNTS
from boardgamesbot.games.barcelona.effects import Node, Op
from boardgamesbot.games.barcelona.ruleset import BarcelonaRuleset

CITIZENS = ("an unknown citizen", "Working", "Middle", "Upper")
"""Classes by a citizen's number; 0 is one that the reader may not know."""

CITIES = ("Barcelona", "Gràcia")
"""Where each Pedestrian starts."""

ORDINALS = ("first", "second", "third")

_COUNTED = {
    "bottom_markers": "marker at the bottom of its stack",
    "corner_blocks": "block with a corner building",
    "longest_line": "block of the longest line",
    "intersections": "Intersection",
    "passengers": "passenger",
    "passengers_on_streets": "passenger on a built street",
    "wide_streets": "wide street",
    "narrow_streets": "narrow street",
    "services": "Public Service",
    "cobblestones": "cobblestone",
    "modernisme_tiles": "Modernisme tile",
    "improved_spaces": "improved space",
    "improved_modernisme": "Modernisme tile on an improved space",
    "sagrada_tiles": "Sagrada Família tile",
    "rows": "row of blocks with a marker",
    "upgrades": "marker on another marker",
    "markers": "marker on the board",
    "resources": "coin or cloth",
    "cerda_multiplier": "Cerdà multiplier",
    "emptied_stacks": "emptied stack",
    "emptied_marker_stacks": "emptied stack of markers",
    "joy_barcelona": "Joy of the Barcelona Pedestrian",
    "joy_gracia": "Joy of the Gràcia Pedestrian",
}
_PLURALS = {"point": "points", "coin": "coins", "cloth": "cloth", "Joy": "Joy"}


def many(number: int, noun: str) -> str:
    """`1 coin`, `2 coins`, `2 cloth`."""
    return f"{number} {noun if abs(number) == 1 else _PLURALS.get(noun, noun + 's')}"


def joined(parts: Sequence[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    return f" {last} ".join(part for part in (", ".join(parts[:-1]), parts[-1]) if part) if parts else "nothing"


def run(length: int, points: int) -> str:
    """What a run of street tiles brings."""
    return f"run of {length} = {many(points, 'point')}"


def goods(coins: int, cloth: int) -> str:
    """Coins and cloth together; `nothing` if there are none."""
    return joined([many(n, noun) for n, noun in ((coins, "coin"), (cloth, "cloth")) if n])


def steps(number: int, track: str) -> str:
    """Steps on a track, forward or back."""
    return many(number, f"{track} step") if number >= 0 else f"{many(-number, f'{track} step')} back"


def count_name(count: int) -> str:
    """What a count counts, in the singular."""
    return _COUNTED[tuple(COUNTS)[count]]


def effect_in_words(ruleset: BarcelonaRuleset, effect: int) -> str:
    """What an effect gives or lets one do: `3 points and 1 Cerdà step`."""
    node = ruleset.nodes[effect]
    return _WORDS[node.op](node, [effect_in_words(ruleset, kid) for kid in node.kids])


def effect_sign(ruleset: BarcelonaRuleset, effect: int) -> str:
    """The same in a few signs, none of them wider than a letter: `3★+1▲`."""
    node = ruleset.nodes[effect]
    return _SIGNS[node.op](node, [effect_sign(ruleset, kid) for kid in node.kids])


def short_name(ruleset: BarcelonaRuleset, action: int, columns: int) -> str:
    """The name of an Action tile, or fewer words that say the same where it is wider than so many columns."""
    name = ruleset.actions[action].name
    if cell_len(name) <= columns:
        return name
    op = ruleset.nodes[ruleset.actions[action].effect].op
    return _SHORT.get(op) or "+".join(part.split()[-1] for part in name.split(" and "))


def _up_to(number: int, one: str, several: str) -> str:
    return one if number == 1 else f"up to {number} {several}"


_SHORT = {Op.NARROW: "Narrow", Op.WIDE: "Wide", Op.SERVICE: "Service", Op.IMPROVE: "Improve"}
"""What Action tiles go by where there is no room for their names."""


def _in_order(parts: Sequence[str]) -> str:
    """Parts one after another; those made of parts themselves are kept apart."""
    return ", then ".join(parts) if any(" and " in part or " or " in part for part in parts) else joined(parts)


_WORDS: dict[Op, Callable[[Node, list[str]], str]] = {
    Op.SEQUENCE: lambda _, parts: _in_order(parts),
    Op.CHOICE: lambda _, parts: joined(parts, "or"),
    Op.ANY_ORDER: lambda _, parts: f"{joined(parts)}, in either order",
    Op.VP: lambda node, _: many(node.a, "point"),
    Op.GAIN: lambda node, _: goods(node.a, node.b),
    Op.RESOURCE: lambda node, _: f"{many(node.a, 'coin')} or {many(node.a, 'cloth')}",
    Op.CERDA: lambda node, _: steps(node.a, "Cerdà"),
    Op.SAGRADA: lambda node, _: steps(node.a, "Sagrada Família"),
    Op.NARROW: lambda node, _: _up_to(node.a, "a narrow street", "narrow streets"),
    Op.WIDE: lambda node, _: _up_to(node.a, "a wide street", "wide streets"),
    Op.INTERSECTION: lambda node, _: "a free Intersection" if node.a else "an Intersection",
    Op.COBBLESTONE: lambda _, __: "a cobblestone",
    Op.SERVICE: lambda _, __: "a Public Service",
    Op.MODERNISME: lambda _, __: "a Modernisme tile",
    Op.IMPROVE: lambda node, _: (
        _up_to(node.a, "an improved project space", "improved project spaces") + (" for free" if node.b else "")
    ),
    Op.TRAM: lambda node, _: "a tram ride with a " + ("free passenger" if node.a else "passenger"),
    Op.MOVE: lambda node, _: f"{_up_to(node.b, 'a step', 'steps')} of the {CITIES[node.a]} Pedestrian",
    Op.MOVE_ONE: lambda node, _: f"{_up_to(node.a, 'a step', 'steps')} of one Pedestrian",
    Op.JOY: lambda node, _: f"{node.b} Joy for the {CITIES[node.a]} Pedestrian",
    Op.JOY_ANY: lambda node, _: f"{node.a} Joy for one Pedestrian",
    Op.VP_PER: lambda node, _: f"{many(node.a, 'point')} for each {count_name(node.b)}",
}


def _plus(parts: Sequence[str]) -> str:
    """Signs one after another; a loss has its own sign."""
    return "".join(part if not i or part.startswith("-") else f"+{part}" for i, part in enumerate(parts))


_SIGNS: dict[Op, Callable[[Node, list[str]], str]] = {
    Op.SEQUENCE: lambda _, parts: _plus(parts),
    Op.CHOICE: lambda _, parts: "/".join(parts),
    Op.ANY_ORDER: lambda _, parts: _plus(parts),
    Op.VP: lambda node, _: f"{node.a}★",
    Op.GAIN: lambda node, _: _plus([f"{n}{sign}" for n, sign in ((node.a, "●"), (node.b, "■")) if n]),
    Op.RESOURCE: lambda node, _: f"{node.a}●/■",
    Op.CERDA: lambda node, _: f"{node.a}▲",
    Op.SAGRADA: lambda node, _: f"{node.a}†",
    Op.NARROW: lambda node, _: f"{node.a}─",
    Op.WIDE: lambda node, _: f"{node.a}═",
    Op.INTERSECTION: lambda node, _: "free Intersection" if node.a else "Intersection",
    Op.COBBLESTONE: lambda _, __: "1▦",
    Op.SERVICE: lambda _, __: "Public Service",
    Op.MODERNISME: lambda _, __: "Modernisme",
    Op.IMPROVE: lambda node, _: f"{'free ' if node.b else ''}improve {node.a}",
    Op.TRAM: lambda node, _: "free ▣♙" if node.a else "▣♙",
    Op.MOVE: lambda node, _: f"{node.b}→{CITIES[node.a][0]}",
    Op.MOVE_ONE: lambda node, _: f"{node.a}→",
    Op.JOY: lambda node, _: f"{node.b}☻{CITIES[node.a][0]}",
    Op.JOY_ANY: lambda node, _: f"{node.a}☻",
    Op.VP_PER: lambda node, _: f"{node.a}★ per {count_name(node.b)}",
}
