"""Draws the map of Agora: the real borders of Barcelona's districts, stylised.

    python web/tools/agora_map.py [--check]

Reads the borders beside this file and the game's data, and writes web/src/agora/map.ts. The sea is turned to the
bottom, as on the city's own plans. Small districts are given room by a rubber-sheet cartogram (Dougenik, Chrisman and
Niemeyer, 1985), which moves shared borders together, so that who are neighbours stay neighbours. Then each border is
simplified. `--check` writes nothing and fails if the file is not what would be written.
"""

from __future__ import annotations

import json
import math
import sys
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

HERE = Path(__file__).parent
BORDERS = HERE / "barcelona-districts.geojson"
DATA = HERE.parents[1] / "services" / "boardgamesbot" / "games" / "agora" / "data.json"
TARGET = HERE.parent / "src" / "agora" / "map.ts"

WIDTH = 1000.0
MARGIN = 24.0
SEA = 40.0
"""Water below the southernmost point."""
LATITUDE = 41.39
TURN = math.radians(44.5)
"""The streets of the Eixample that run inland point this far west of north."""
ROUNDS = 60
EQUALITY = 0.9
"""How far areas are made equal: 0 leaves them as they are, 1 makes all alike."""
STEP = 0.0011
"""Longest piece of a border while it is stretched, in degrees."""
FINE = 160.0
"""Corners of a shared border that span a smaller triangle than this are cut off."""
BOLD = 1100.0
"""The same for the coast, with its docks, and for the edge of the woods."""
HILLS = 0.27
"""The north of the picture, woods for the most part, which is pressed."""
PORT = 0.2
"""The west of the picture, the free port, which is pressed."""
SHARP = math.radians(34)
"""Sharper corners of the coast and of the woods' edge are cut off."""
PRESS = 0.6
"""To what part of its size."""
FLAT = 0.87
"""How much flatter than the city the picture is, for windows that are wide."""
WEIGHTS = {
    "sants-montjuic": 1.3,
    "sarria-sant-gervasi": 1.4,
    "horta-guinardo": 1.3,
    "eixample": 1.25,
    "gracia": 0.95,
    "ciutat-vella": 0.95,
}
"""More room for those whose shape has little of it."""
TALL = 1.15
"""The picture for narrow windows is turned, and stretched along the coast by this."""
BOXES = ((4.2, 4.2), (6.3, 3.2), (10.5, 2.2))
NARROW = ((3.2, 6.2), *BOXES)
"""Width and height that a heading and five seats' walkers take, in one, two, three and five columns."""

Point = tuple[float, float]
Pair = tuple[int, int]
"""Two neighbours, the smaller first; -1 is what lies outside."""


def area(ring: list[Point]) -> float:
    """The signed area of a ring."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise([*ring, ring[0]])) / 2


def centre(ring: list[Point]) -> Point:
    """Its centre of mass."""
    whole = area(ring) * 6
    x = y = 0.0
    for a, b in pairwise([*ring, ring[0]]):
        cross = a[0] * b[1] - b[0] * a[1]
        x += (a[0] + b[0]) * cross
        y += (a[1] + b[1]) * cross
    return x / whole, y / whole


def read() -> list[list[Point]]:
    """The largest ring of each district, in the order of the game's data, in degrees."""
    order = [district["id"] for district in json.loads(DATA.read_text())["districts"]]
    features = {
        f["properties"]["id"]: f["geometry"]["coordinates"] for f in json.loads(BORDERS.read_text())["features"]
    }
    rings = []
    for name in order:
        outlines = [[(p[0], p[1]) for p in polygon[0]] for polygon in features[name]]
        ring = max(outlines, key=lambda r: abs(area(r[:-1])))[:-1]
        rings.append(ring if area(ring) > 0 else ring[::-1])
    return rings


def dense(ring: list[Point]) -> list[Point]:
    """The ring with long pieces broken; a shared piece breaks alike for both neighbours."""
    out: list[Point] = []
    for a, b in pairwise([*ring, ring[0]]):
        low, high = sorted((a, b))
        n = max(1, math.ceil(math.dist(a, b) / STEP))
        inner = [(low[0] + (high[0] - low[0]) * i / n, low[1] + (high[1] - low[1]) * i / n) for i in range(1, n)]
        out += [a, *(inner if a == low else inner[::-1])]
    return out


def turned(p: Point) -> Point:
    """Degrees to a plane with the sea at the bottom."""
    east, north = p[0] * math.cos(math.radians(LATITUDE)), p[1]
    along = east * math.cos(TURN) + north * math.sin(TURN)
    inland = north * math.cos(TURN) - east * math.sin(TURN)
    return along * 1e4, -inland * 1e4


def stretched(rings: list[list[Point]], weights: list[float]) -> list[list[Point]]:
    """The rubber sheet: each district pushes or pulls every corner until the areas are nearly what is wanted."""
    first = [abs(area(r)) for r in rings]
    mean = sum(first) / len(first)
    wanted = [(a * (1 - EQUALITY) + mean * EQUALITY) * w for a, w in zip(first, weights, strict=True)]
    for _ in range(ROUNDS):
        pulls = [pull(r, w) for r, w in zip(rings, wanted, strict=True)]
        errors = [max(abs(area(r)), w) / min(abs(area(r)), w) for r, w in zip(rings, wanted, strict=True)]
        damp = 0.5 / (1 + sum(errors) / len(errors))
        rings = [[moved(p, pulls, damp) for p in r] for r in rings]
    return rings


Pull = tuple[Point, float, float]
"""Whence a district pulls, how far it reaches, and how strongly; negative: towards itself."""


def pull(ring: list[Point], wanted: float) -> Pull:
    """How a district would have its area."""
    radius = math.sqrt(abs(area(ring)) / math.pi)
    return centre(ring), radius, math.sqrt(wanted / math.pi) - radius


def moved(p: Point, pulls: list[Pull], damp: float) -> Point:
    """Where the pulls of all districts bring a point."""
    x, y = p
    for (cx, cy), radius, mass in pulls:
        far = math.dist(p, (cx, cy)) or 1e-9
        near = far / radius
        force = damp * (mass / near if near > 1 else mass * near * near * (4 - 3 * near))
        x += force * (p[0] - cx) / far
        y += force * (p[1] - cy) / far
    return x, y


def arcs(rings: list[list[Point]]) -> list[list[tuple[Pair, list[Point]]]]:
    """Each ring as borders in order: with whom, and from corner to corner."""
    owners: dict[frozenset[Point], list[int]] = defaultdict(list)
    for i, ring in enumerate(rings):
        for a, b in pairwise([*ring, ring[0]]):
            owners[frozenset((a, b))].append(i)
    out = []
    for i, ring in enumerate(rings):
        with_whom = [next((o for o in owners[frozenset((a, b))] if o != i), -1) for a, b in pairwise([*ring, ring[0]])]
        start = next(k for k in range(len(ring)) if with_whom[k] != with_whom[k - 1])
        borders: list[tuple[Pair, list[Point]]] = []
        for k in range(start, start + len(ring)):
            a, b, other = ring[k % len(ring)], ring[(k + 1) % len(ring)], with_whom[k % len(ring)]
            pair = (min(i, other), max(i, other))
            if borders and borders[-1][0] == pair:
                borders[-1][1].append(b)
            else:
                borders.append((pair, [a, b]))
        out.append(borders)
    return out


def simple(line: list[Point], fine: float) -> list[Point]:
    """A border without its small corners (Visvalingam); the same from either end."""
    line = line if line[0] < line[-1] else line[::-1]
    kept = list(line)
    while len(kept) > 2:
        sizes = [
            abs((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])) / 2
            for a, b, c in zip(kept, kept[1:], kept[2:], strict=False)
        ]
        least = min(range(len(sizes)), key=sizes.__getitem__)
        if sizes[least] > fine:
            break
        del kept[least + 1]
    return kept


def blunt(line: list[Point]) -> list[Point]:
    """An outer border without its needles."""
    kept = list(line)
    while len(kept) > 2:
        turns = [
            abs(math.remainder(math.atan2(a[1] - b[1], a[0] - b[0]) - math.atan2(c[1] - b[1], c[0] - b[0]), math.tau))
            for a, b, c in zip(kept, kept[1:], kept[2:], strict=False)
        ]
        least = min(range(len(turns)), key=turns.__getitem__)
        if turns[least] > SHARP:
            break
        del kept[least + 1]
    return kept


def inside(ring: list[Point], x: float, y: float) -> bool:
    """Whether a point lies in the ring."""
    hit = False
    for (ax, ay), (bx, by) in pairwise([*ring, ring[0]]):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            hit = not hit
    return hit


def room(ring: list[Point], boxes: tuple[Point, ...]) -> tuple[float, float, float, float]:
    """The middle and the size of the upright box in the ring, but for its tips, in which walkers are drawn largest."""
    xs, ys = [p[0] for p in ring], [p[1] for p in ring]

    def fits(x: float, y: float, w: float, h: float) -> bool:
        steps = [i / 10 - 0.4 for i in range(9)]
        edge = [(x + w * t, y + h * s) for t in steps for s in (-0.5, 0.5)]
        edge += [(x + w * s, y + h * t) for t in steps for s in (-0.5, 0.5)]
        return all(inside(ring, *p) for p in edge)

    best = (0.0, 0.0, 0.0, 0.0, 0.0)
    for w, h in boxes:
        x = min(xs)
        while x < max(xs):
            y = min(ys)
            while y < max(ys):
                while fits(x, y, w * (best[0] + 0.5), h * (best[0] + 0.5)):
                    unit = best[0] + 0.5
                    best = (unit, x, y, w * unit, h * unit)
                y += 6
            x += 6
    return best[1:]


def middle(line: list[Point]) -> tuple[float, float, float]:
    """The point half way along a line, and the direction there in degrees."""
    half = sum(math.dist(a, b) for a, b in pairwise(line)) / 2
    for a, b in pairwise(line):
        piece = math.dist(a, b)
        if half <= piece:
            t = half / piece
            angle = math.degrees(math.atan2(b[1] - a[1], b[0] - a[0]))
            return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, angle
        half -= piece
    raise AssertionError("a line has a middle")


def length(line: list[Point]) -> float:
    """How long a line is."""
    return sum(math.dist(a, b) for a, b in pairwise(line))


def fitted(rings: list[list[Point]]) -> tuple[list[list[Point]], float]:
    """The rings scaled into the picture, and its height."""
    everything = [p for r in rings for p in r]
    left, top = min(p[0] for p in everything), min(p[1] for p in everything)
    wide, tall = max(p[0] for p in everything) - left, max(p[1] for p in everything) - top
    scale = (WIDTH - 2 * MARGIN) / pressed(wide, PORT * wide)

    def placed(p: Point) -> Point:
        return (
            MARGIN + scale * pressed(p[0] - left, PORT * wide),
            MARGIN + scale * FLAT * pressed(p[1] - top, HILLS * tall),
        )

    return [[placed(p) for p in r] for r in rings], round(scale * FLAT * pressed(tall, HILLS * tall) + MARGIN + SEA)


def pressed(x: float, edge: float) -> float:
    """A distance of which the first part, up to an edge, counts less."""
    return x * PRESS if x < edge else x - edge * (1 - PRESS)


def outline(borders: list[list[tuple[Pair, list[Point]]]]) -> list[Point]:
    """The coast from the west to the east: the lower half of the outer borders."""
    pieces = {line[0]: line for ring in borders for pair, line in ring if pair[0] == -1}
    start = next(iter(pieces))
    ring: list[Point] = []
    here = start
    while True:
        ring += pieces[here][:-1]
        here = pieces[here][-1]
        if here == start:
            break
    west = min(ring, key=lambda p: p[0] - p[1])
    east = max(ring, key=lambda p: p[0] + p[1])
    i, j = ring.index(west), ring.index(east)
    one = ring[i : j + 1] if i < j else ring[i:] + ring[: j + 1]
    other = ring[j : i + 1] if j < i else ring[j:] + ring[: i + 1]
    lowest = max(ring, key=lambda p: p[1])
    return one if lowest in one else other[::-1]


def flat(points: list[Point]) -> str:
    """Points as a list of whole numbers."""
    return ", ".join(f"{round(x)}, {round(y)}" for x, y in points)


def drawn() -> str:
    """The module."""
    rings = [[turned(p) for p in dense(r)] for r in read()]
    names = json.loads(DATA.read_text())["districts"]
    rings, height = fitted(stretched(rings, [WEIGHTS.get(district["id"], 1.0) for district in names]))
    borders = [[(pair, line) for pair, line in ring] for ring in arcs(rings)]
    short: dict[tuple[Pair, Point], list[Point]] = {}
    for ring in borders:
        for pair, line in ring:
            low = min(line[0], line[-1])
            short.setdefault((pair, low), blunt(simple(line, BOLD)) if pair[0] == -1 else simple(line, FINE))
    index = {district["id"]: i for i, district in enumerate(names)}
    lines: dict[Pair, list[Point]] = {}
    out_rings, out_borders = [], []
    for ring in borders:
        corners: list[Point] = []
        done = []
        for pair, line in ring:
            thin = short[(pair, min(line[0], line[-1]))]
            thin = thin if thin[0] == line[0] else thin[::-1]
            corners += thin[:-1]
            done.append((pair, thin))
            if pair[0] != -1 and length(thin) > length(lines.get(pair, [])):
                lines[pair] = thin
        out_rings.append(corners)
        out_borders.append(done)
    wanted = {(min(i, index[a]), max(i, index[a])) for i, d in enumerate(names) for a in d["adjacent"]}
    if set(lines) != wanted:
        raise SystemExit(f"the map's neighbours are not the game's: {sorted(set(lines) ^ wanted)}")

    text = [
        "/**",
        " * The map of Agora, written by web/tools/agora_map.py from the real borders; change them there, not here.",
        " * District borders: Ajuntament de Barcelona, CartoBCN, CC BY; simplified and stylised.",
        " */",
        "",
        "/**",
        " * The wide picture, with the sea at its bottom. The tall one has it at its right: there (x, y) is",
        " * (y, (width - x) * stretch).",
        " */",
        f"export const SIZE = {{ width: {WIDTH:.0f}, height: {height:.0f}, stretch: {TALL} }};",
        "",
        "/**",
        " * A district: its corners as x, y in turn; a free box in it, as middle, width and height, in the wide and in",
        " * the tall picture.",
        " */",
        "export interface Shape {",
        "  readonly corners: readonly number[];",
        "  readonly wide: readonly [number, number, number, number];",
        "  readonly tall: readonly [number, number, number, number];",
        "}",
        "",
        "/** In the order of `AgoraDistrict`, Les Corts (1) first. */",
        "export const SHAPES: readonly Shape[] = [",
    ]
    for district, corners in zip(names, out_rings, strict=True):
        wide = ", ".join(f"{v:.0f}" for v in room(corners, BOXES))
        tall = ", ".join(f"{v:.0f}" for v in room([(y, TALL * (WIDTH - x)) for x, y in corners], NARROW))
        text.append(f"  // {district['name']}")
        text.append(f"  {{ corners: [{flat(corners)}], wide: [{wide}], tall: [{tall}] }},")
    text += [
        "];",
        "",
        "/** Where walkers cross: two districts, the middle of their border, its direction in degrees, its length. */",
        "export type Crossing = readonly [number, number, number, number, number, number];",
        "export const CROSSINGS: readonly Crossing[] = [",
    ]
    for pair in sorted(lines):
        x, y, angle = middle(lines[pair])
        text.append(f"  [{pair[0] + 1}, {pair[1] + 1}, {x:.0f}, {y:.0f}, {angle:.0f}, {length(lines[pair]):.0f}],")
    coast = outline(out_borders)
    text += [
        "];",
        "",
        "/** The coast from west to east, as x, y in turn. */",
        f"export const COAST: readonly number[] = [{flat(coast)}];",
    ]
    return "\n".join(text) + "\n"


def main() -> None:
    """Write the module, or see whether it is fresh."""
    text = drawn()
    if "--check" in sys.argv[1:]:
        if TARGET.read_text() != text:
            raise SystemExit(f"{TARGET.name} is not fresh: python web/tools/agora_map.py")
        return
    TARGET.write_text(text)


if __name__ == "__main__":
    main()
