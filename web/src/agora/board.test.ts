/** The map against the game's own data, and what a move is said to give. */
import { readFileSync } from "node:fs";
import { create } from "@bufbuild/protobuf";
import { afterEach, describe, expect, it } from "vitest";
import { setLocale } from "../lib/i18n/i18n.svelte.js";
import { type AgoraMove, AgoraMoveSchema, AgoraPhase, type AgoraView, AgoraViewSchema } from "../lib/sdk/index.js";
import type { SeatInfo } from "../table/seam.js";
import { consequences } from "./consequences.js";
import type { AgoraData } from "./data.js";
import { beside, boxOf, cells, corners, DISTRICTS, gates, type Layout, neighbours, type Point, route, short, sizeOf } from "./geometry.js";
import { leader, preview, walkers } from "./preview.js";

const file = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf-8");
const data = JSON.parse(file("../../../services/boardgamesbot/games/agora/data.json")) as AgoraData;
const LAYOUTS: readonly Layout[] = ["wide", "tall"];
const [LES_CORTS, SARRIA, GRACIA] = [1, 2, 3];

function isInside(point: Point, ring: readonly Point[]): boolean {
  let inside = false;
  ring.forEach((a, i) => {
    const b = ring[(i + 1) % ring.length]!;
    if (a.y > point.y !== b.y > point.y && point.x < a.x + ((point.y - a.y) * (b.x - a.x)) / (b.y - a.y)) inside = !inside;
  });
  return inside;
}

describe("the map", () => {
  it("has the game's districts, and its neighbours", () => {
    expect(DISTRICTS).toHaveLength(data.districts.length);
    for (const district of DISTRICTS) {
      const adjacent = data.districts[district - 1]!.adjacent.map((id) => data.districts.findIndex((d) => d.id === id) + 1);
      expect(new Set(neighbours(district))).toEqual(new Set(adjacent));
    }
  });

  it("is small", () => {
    expect(file("./map.ts").length).toBeLessThan(12_000);
  });

  describe.each(LAYOUTS)("%s", (layout) => {
    it("keeps districts in the picture, and each heart in its own district alone", () => {
      const { width, height } = sizeOf(layout);
      for (const district of DISTRICTS) {
        for (const { x, y } of corners(district, layout)) {
          expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
          expect(x).toBeLessThanOrEqual(width);
          expect(y).toBeLessThanOrEqual(height);
        }
        expect(DISTRICTS.filter((other) => isInside(boxOf(district, layout), corners(other, layout)))).toEqual([district]);
      }
    });

    it.each([1, 2, 3, 4, 5])("has room for %i seats, apart and in their district", (n) => {
      for (const district of DISTRICTS) {
        const { seats, head } = cells(district, n, layout);
        expect(seats).toHaveLength(n);
        expect(head.unit).toBeGreaterThan(20);
        seats.forEach((one, i) => {
          expect(isInside(one, corners(district, layout)), `${district}`).toBe(true);
          for (const other of seats.slice(i + 1)) {
            expect(Math.abs(one.x - other.x) / (2 * one.unit) >= 1 || Math.abs(one.y - other.y) / one.unit >= 0.999).toBe(true);
          }
        });
      }
    });

    it("leads the arrow keys along borders, and everywhere", () => {
      for (const start of DISTRICTS) {
        const reached = new Set([start]);
        for (const district of reached) {
          for (const key of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]) {
            const next = beside(district, key, layout);
            if (next === undefined) continue;
            expect(neighbours(district)).toContain(next);
            reached.add(next);
          }
        }
        expect(reached.size).toBe(DISTRICTS.length);
      }
      expect(beside(GRACIA, "Enter", layout)).toBeUndefined();
    });

    it("leads walkers through the border", () => {
      const gate = gates(layout).find(({ between }) => between.join() === `${LES_CORTS},${SARRIA}`)!;
      for (const way of [route(LES_CORTS, SARRIA, layout), route(SARRIA, LES_CORTS, layout)]) {
        expect(way[1]).toEqual({ x: gate.x, y: gate.y });
        expect(short(way)[1]).toEqual(way[1]);
      }
      expect(route(LES_CORTS, SARRIA, layout)[0]).toEqual(route(SARRIA, LES_CORTS, layout)[2]);
    });
  });
});

/** Anna (0), Bel (1), Cesc (2): Bel leads Les Corts, Anna and Cesc share Gràcia. */
function position(): AgoraView {
  return create(AgoraViewSchema, {
    seat: 0,
    actor: 0,
    phase: AgoraPhase.FIRST_WALK,
    players: [0, 1, 2].map((seat) => ({ seat })),
    hand: [{ id: data.squares.findIndex((s) => s.district === "les-corts" && s.value === 3) + 1, district: LES_CORTS, value: 3 }],
    districts: DISTRICTS.map((district) => ({
      district,
      points: data.districts[district - 1]!.points,
      upright: district === LES_CORTS ? [0, 1, 0] : district === GRACIA ? [2, 0, 1] : [0, 0, 0],
      lying: district === LES_CORTS ? [0, 1, 0] : district === GRACIA ? [0, 0, 1] : [0, 0, 0],
    })),
  });
}

const walk = (walker: number, from: number, to: number): AgoraMove => create(AgoraMoveSchema, { kind: { case: "walk", value: { walker, from, to } } });
const SEATS: readonly SeatInfo[] = ["Anna", "Bel", "Cesc"].map((name, seat) => ({ seat, name, colour: "Blue", isMe: seat === 0, isBot: false }));

describe("preview", () => {
  it("counts those who lie, and knows a shared lead for none", () => {
    expect(walkers(position())[GRACIA - 1]).toEqual([2, 0, 2]);
    expect(leader([2, 0, 2])).toBeUndefined();
    expect(leader([0, 2, 1])).toBe(1);
    expect(leader([0, 0, 0])).toBeUndefined();
  });

  it("takes the lead from another", () => {
    const view = position();
    const play = create(AgoraMoveSchema, { kind: { case: "play", value: { square: view.hand[0]!.id } } });
    expect(preview(view, play, data)).toEqual({
      steps: [{ district: LES_CORTS, seat: 0, walkers: 3 }],
      leads: [{ district: LES_CORTS, points: 7, before: 1, after: 0 }],
    });
    expect(walkers(view)).toEqual(walkers(position()));
  });

  it("sees both ends of a walk", () => {
    const seen = preview(position(), walk(2, GRACIA, SARRIA), data)!;
    expect(seen.leads.map(({ district, points, after }) => [district, points, after])).toEqual([
      [SARRIA, 8, 2],
      [GRACIA, 7, 0],
    ]);
  });

  it("has nothing to say of a draw", () => {
    expect(preview(position(), create(AgoraMoveSchema, { kind: { case: "draw", value: { pile: 1 } } }), data)).toBeUndefined();
  });
});

describe("consequences", () => {
  afterEach(() => setLocale("en"));

  it("says who gains and who loses, in each language", () => {
    const said = (): string => consequences(position(), walk(0, GRACIA, LES_CORTS), data, SEATS).slice(1).join(" ");
    expect(said()).toBe("Cesc takes the lead in Gràcia: 7 points.");
    setLocale("ca");
    expect(said()).toBe("Gràcia passa a Cesc: 7 punts.");
    setLocale("es");
    expect(said()).toBe("Gràcia pasa a Cesc: 7 puntos.");
  });

  it("says that a lead would be shared, and that none changes", () => {
    const view = position();
    view.districts[GRACIA - 1]!.upright = [3, 0, 0];
    view.districts[GRACIA - 1]!.lying = [0, 0, 2];
    expect(consequences(view, walk(0, GRACIA, LES_CORTS), data, SEATS).slice(1)).toEqual([
      "The lead in Gràcia would be shared: you lose 7 points.",
    ]);
    view.districts[GRACIA - 1]!.upright = [4, 0, 0];
    expect(consequences(view, walk(0, GRACIA, LES_CORTS), data, SEATS).slice(1)).toEqual(["No lead changes."]);
  });
});
