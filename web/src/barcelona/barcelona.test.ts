import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import {
  BarcelonaBuilding,
  BarcelonaCitizen,
  type BarcelonaEvent,
  BarcelonaEventSchema,
  type BarcelonaMove,
  BarcelonaMoveSchema,
  BarcelonaReason,
  BarcelonaStreet,
  BarcelonaTaskKind,
  BarcelonaViewSchema,
} from "../lib/sdk/index.js";
import type { Book, SeatInfo } from "../table/seam.js";
import { countOf, trackOf } from "./counts.js";
import { type BarcelonaData, blockName, blockOf, ends, intersection, section, streetLetter } from "./data.js";
import { CITY, crossing, flowers, nearest, sectionAt, siteAt, slot, streetOf, streetsAt } from "./layout.js";
import { effectText, signs } from "./signs.js";
import { continued } from "./story.js";
import { attempt, type Place, panelOf, placeOf, sorted } from "./targets.js";
import { barcelonaWords } from "./words.js";

describe("places", () => {
  it("are named as in refusals", () => {
    expect([1, 5, 6, 25].map(intersection)).toEqual(["A1", "E1", "A2", "E5"]);
    expect([1, 4, 5, 20, 21, 24, 25, 40].map(section)).toEqual(["A1–B1", "D1–E1", "A2–B2", "D5–E5", "A1–A2", "A4–A5", "B1–B2", "E4–E5"]);
    expect([1, 5, 6, 10, 11].map(streetLetter)).toEqual(["A", "E", "1", "5", ""]);
  });

  it("join each section to two crossings beside one another", () => {
    for (let number = 1; number <= 40; number++) {
      const [first, second] = ends(number);
      expect(second - first, `section ${number}`).toBe(number <= 20 ? 1 : 5);
    }
  });

  it("give every block one site, and those on the diagonal two", () => {
    const sites = Array.from({ length: 20 }, (_, i) => blockOf(i + 1));
    expect(sites.filter(({ half }) => half === "upper").map(({ block }) => blockName(block))).toEqual(["D1–E2", "C2–D3", "B3–C4", "A4–B5"]);
    expect(new Set(sites.map(({ block }) => block)).size).toBe(16);
    expect(() => blockOf(21)).toThrow(RangeError);
  });
});

describe("barcelonaWords", () => {
  const data = { actions: [], buildings: [], scorings: [{ id: "WIDE", name: "wide streets", vp: 2, count: "wide_streets" }], sagrada_tiles: [], services: { types: [] } } as unknown as BarcelonaData;
  const book: Book<BarcelonaData> = { gameId: "barcelona", name: "Barcelona", rules: new Map(), data };
  const seats: SeatInfo[] = ["Anna", "Gaudí"].map((name, seat) => ({ seat, name, colour: "Purple", isMe: seat === 0, isBot: false }));
  const words = barcelonaWords(book, seats);
  const event = (kind: BarcelonaEvent["kind"]) => create(BarcelonaEventSchema, { kind });
  const scored = (seat: number, points: number, reason: BarcelonaReason) =>
    event({ case: "scored", value: { $typeName: "boardgamesbot.v1.BarcelonaScored", seat, points, reason } });

  it("has a sentence for every kind of event", () => {
    const kinds = BarcelonaEventSchema.oneofs[0]!.fields;
    expect(kinds.length).toBeGreaterThan(30);
    for (const field of kinds) {
      const value = { seat: 0, intersection: 1, section: 1, site: 1, street: 1 };
      const made = create(BarcelonaEventSchema, { kind: { case: field.localName, value: create(field.message!, value) } } as never);
      expect(words.event(made)?.text, field.name).toBeTruthy();
    }
  });

  it("adds up what points were for, by seat", () => {
    const events = [
      scored(0, 3, BarcelonaReason.RUN),
      scored(0, 4, BarcelonaReason.RUN),
      scored(1, 5, BarcelonaReason.CERDA),
      event({ case: "ended", value: { $typeName: "boardgamesbot.v1.BarcelonaEnded", points: [10, 9], cobblestones: [3, 4], passengers: [0, 0], modernisme: [0, 0], joy: [], winners: [0] } }),
    ];
    const view = create(BarcelonaViewSchema, { position: { players: [{}, {}] } });
    expect(words.breakdown(view, events).rows).toEqual([
      { label: "Runs of streets", points: [7, 0] },
      { label: "Cerdà scorings", points: [0, 5] },
      { label: "Cobblestones, at the end", points: [3, 4] },
    ]);
  });
});

describe("the drawing of the city", () => {
  it("keeps everything inside, and nothing on anything else", () => {
    const places = [
      ...Array.from({ length: 25 }, (_, i) => crossing(i + 1)),
      ...Array.from({ length: 40 }, (_, i) => sectionAt(i + 1)),
      ...Array.from({ length: 20 }, (_, i) => siteAt(i + 1).middle),
      ...Array.from({ length: 11 }, (_, i) => slot(i + 1)),
    ];
    for (const [i, one] of places.entries()) {
      expect(one.x > 40 && one.x < CITY.width - 40 && one.y > 40 && one.y < CITY.height - 40, `${i}`).toBe(true);
      for (const other of places.slice(i + 1)) expect(Math.hypot(one.x - other.x, one.y - other.y), `${i}`).toBeGreaterThan(70);
    }
  });

  it("knows the streets of every section and crossing", () => {
    for (let number = 1; number <= 40; number++) {
      for (const end of ends(number)) expect(streetsAt(end)).toContain(streetOf(number));
    }
    expect([5, 9, 13, 17, 21].map((n) => streetsAt(n).length)).toEqual([3, 3, 3, 3, 3]);
    expect(streetsAt(1)).toEqual([1, 6]);
  });

  it("leads from place to place by arrows, in a straight line first", () => {
    const places = [2, 6, 7, 12].map((n) => [n, crossing(n)] as const);
    expect(["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"].map((key) => nearest(crossing(1), places, key))).toEqual([2, 6, undefined, undefined]);
    expect(nearest(crossing(2), places, "ArrowDown")).toBe(7);
    expect(nearest(crossing(2), places, "a")).toBeUndefined();
  });

  it("gives every hexagonal space one place, shared petals too", () => {
    const { petals } = flowers([[3, 5, 6, 4, 2, 1], [7, 9, 10, 8, 6, 5], [11, 13, 14, 12, 10, 9]], 10);
    expect([...petals.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: 14 }, (_, i) => i + 1));
    const points = [...petals.values()];
    for (const [i, one] of points.entries()) {
      for (const other of points.slice(i + 1)) expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(17);
    }
  });
});

describe("effects", () => {
  it("become signs and words", () => {
    expect(signs({ choice: ["narrow 2", "wide 1"] })).toEqual([{ icon: "narrow", amount: 2 }, { separator: "/" }, { icon: "wide", amount: 1 }]);
    expect(signs(["vp 3", "coins 1 cloth 2"])).toEqual([{ icon: "vp", amount: 3 }, { icon: "coin", amount: 1 }, { icon: "cloth", amount: 2 }]);
    expect(signs("move gracia 2")).toEqual([{ icon: "walk", amount: 2, mark: "G" }]);
    expect(signs("tram free")).toEqual([{ icon: "tram" }, { icon: "passenger", mark: "0" }]);
    expect(effectText(["vp 5", "cerda -1", "sagrada 1"])).toBe("5 points, 1 Cerdà step back, and 1 Sagrada Família step");
    expect(effectText({ any_order: ["coins 1", "move barcelona 2"] })).toBe("1 coin and up to 2 steps of the Barcelona Pedestrian");
  });
});

describe("targets", () => {
  const move = (kind: unknown): BarcelonaMove => create(BarcelonaMoveSchema, { kind } as never);
  const legal = (kind: unknown) => ({ move: move(kind), text: "" });

  it("put legal moves where they are made, several at one place", () => {
    const view = create(BarcelonaViewSchema, { decision: { task: { kind: BarcelonaTaskKind.PLACE } } });
    const moves = [1, 3].flatMap((top) => [7, 9].map((intersection) => legal({ case: "place", value: { intersection, top } })));
    const { places, words } = sorted(moves, view);
    expect([...places].map(([place, there]) => [place, there.length])).toEqual([["crossing:7", 2], ["crossing:9", 2]]);
    expect(words).toEqual([]);
  });

  it("leave to words what lies nowhere, and say both what can be declined in place", () => {
    const view = create(BarcelonaViewSchema, { decision: { task: { kind: BarcelonaTaskKind.PASSENGER, section: 12 } } });
    const { places, words } = sorted([legal({ case: "stop", value: {} }), legal({ case: "passenger", value: {} })], view);
    expect([...places.keys()]).toEqual(["section:12"]);
    expect(words.map(({ move: { kind } }) => kind.case)).toEqual(["stop", "passenger"]);
  });

  it("tell the stacks of a player board apart by what is asked", () => {
    const stack = move({ case: "stack", value: { stack: 2 } });
    const asked = (kind: BarcelonaTaskKind, street = BarcelonaStreet.UNSPECIFIED) => placeOf(stack, create(BarcelonaViewSchema, { decision: { task: { kind, street } } }));
    expect(asked(BarcelonaTaskKind.MARKER)).toBe("markers:2");
    expect(asked(BarcelonaTaskKind.STREET_STACK, BarcelonaStreet.WIDE)).toBe("wide:2");
    expect(asked(BarcelonaTaskKind.STREET_STACK, BarcelonaStreet.NARROW)).toBe("narrow:2");
  });

  it("know a place again from the move that is tried there", () => {
    const view = create(BarcelonaViewSchema, { decision: { task: { kind: BarcelonaTaskKind.TRAM } }, hand: [BarcelonaCitizen.UPPER] });
    for (const place of ["crossing:7", "section:12", "street:11", "site:20", "stone:3", "service:5", "display:4", "project:1", "sagrada:S1A", "hexagon:14", "pedestrian:2"] as Place[]) {
      expect(placeOf(attempt(place, view)!, view)).toBe(place);
    }
    expect(attempt("track:1-2", view)).toBeUndefined();
    expect(panelOf("sagrada:S1A")).toBe("tracks");
  });
});

describe("counts", () => {
  const shipped = {
    players: { markers: { stacks: [2, 2], rewards: [] }, narrow: { stacks: [2, 3], rewards: [] }, wide: { stacks: [1, 2], rewards: [] } },
    citizens: { covered: { "2": { spaces: [0, 2] } }, track: { sections: [3, 3], vp: [1, 1, 2, 2, 3, 3] } },
    tracks: { cerda: { multipliers: [1, 2, 3] } },
  } as unknown as BarcelonaData;
  const sites = Array.from({ length: 20 }, () => ({ building: BarcelonaBuilding.UNSPECIFIED, markers: [] as number[] }));
  sites[0] = { building: BarcelonaBuilding.LEVEL_1, markers: [0, 1] };
  sites[1] = { building: BarcelonaBuilding.LEVEL_2, markers: [0] };
  sites[2] = { building: BarcelonaBuilding.LEVEL_1, markers: [1, 0] };
  sites[3] = { building: BarcelonaBuilding.CORNER, markers: [0] };
  const { position } = create(BarcelonaViewSchema, {
    position: { board: { sites, track: { working: 2 } }, players: [{ markers: [0, 1], narrow: [0, 3], wide: [1, 1], cerda: 2 }, {}] },
  });
  const count = (name: string, seat = 0): number | undefined => countOf(name, position!, seat, shipped);

  it("read off the board what tiles score", () => {
    expect(["bottom_markers", "corner_blocks", "longest_line", "rows", "upgrades", "markers"].map((name) => count(name))).toEqual([2, 1, 4, 1, 1, 4]);
    expect(["bottom_markers", "longest_line", "upgrades"].map((name) => count(name, 1))).toEqual([1, 1, 1]);
    expect(["narrow_streets", "wide_streets", "emptied_stacks", "cerda_multiplier"].map((name) => count(name))).toEqual([2, 1, 2, 3]);
    expect(count("unheard of")).toBeUndefined();
  });

  it("lay citizens beside the spaces that are covered from the start", () => {
    expect(trackOf(position!, shipped)[0]).toEqual(["covered", "citizen", "covered", "citizen", "free", "free"]);
    expect(trackOf(position!, shipped)[2]).toEqual(["covered", "free", "covered", "free", "free", "free"]);
  });
});

describe("Gaudí's story", () => {
  const happened = (name: string, value: object): BarcelonaEvent => create(BarcelonaEventSchema, { kind: { case: name, value } } as never);
  const card = happened("cardRevealed", { seat: 1, card: 4 });
  const acted = happened("gaudiActed", { seat: 1, action: "TRAM" });
  const mine = happened("turnBegan", { seat: 0, round: 2 });
  const his = happened("turnBegan", { seat: 1, round: 1 });
  const placed = happened("placed", { seat: 0, intersection: 3 });

  it("goes from his card to another's turn, over several batches", () => {
    const first = continued([], [placed, his, card], 1);
    expect(first).toEqual([card]);
    expect(continued(first, [acted, mine, placed], 1)).toEqual([card, acted, mine]);
    expect(continued([card, acted, mine], [placed], 1)).toEqual([card, acted, mine]);
    expect(continued([card, acted, mine], [placed, his, card, acted], 1)).toEqual([card, acted]);
  });
});
