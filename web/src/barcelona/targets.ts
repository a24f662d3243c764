/** Legal moves by the place on the board where they are made. What lies nowhere on it is a matter of words. */
import { create } from "@bufbuild/protobuf";
import {
  BarcelonaBuilding,
  BarcelonaCitizen,
  type BarcelonaEvent,
  type BarcelonaMove,
  BarcelonaMoveSchema,
  BarcelonaStreet,
  BarcelonaTaskKind,
  type BarcelonaView,
} from "../lib/sdk/index.js";
import type { Legal } from "../table/seam.js";

/** Where something is: `crossing:7`, `section:12`, `tile:SAGRADA_ID`. */
export type Place = `${Kind}:${number | string}`;
type Kind =
  | "crossing" | "section" | "site" | "street" | "markers" | "narrow" | "wide" | "stone" | "service" | "display"
  | "project" | "sagrada" | "hexagon" | "pedestrian" | "track" | "cerda" | "bonus" | "card";
type LegalMove = Legal<BarcelonaMove>;

/** The part of the board where places of a kind are. */
export type Panel = "city" | "own" | "tracks" | "sides" | "passeig" | "gaudi";

const PANELS: Readonly<Record<Kind, Panel>> = {
  crossing: "city",
  section: "city",
  site: "city",
  street: "city",
  bonus: "city",
  markers: "own",
  narrow: "own",
  wide: "own",
  project: "own",
  stone: "sides",
  service: "sides",
  display: "sides",
  sagrada: "tracks",
  hexagon: "passeig",
  pedestrian: "passeig",
  track: "tracks",
  cerda: "tracks",
  card: "gaudi",
};

export function panelOf(place: Place): Panel {
  return PANELS[place.slice(0, place.indexOf(":")) as Kind];
}

/** Where a move is made; undefined: nowhere on the board. */
export function placeOf({ kind }: BarcelonaMove, view: BarcelonaView): Place | undefined {
  const task = view.decision?.task;
  switch (kind.case) {
    case "place":
    case "intersection":
      return `crossing:${kind.value.intersection}`;
    case "action":
      return `street:${kind.value.street}`;
    case "section":
    case "tram":
      return `section:${kind.value.section}`;
    case "passenger":
      return task?.section ? `section:${task.section}` : undefined;
    case "stack":
      return task && `${stacksOf(task)}:${kind.value.stack}`;
    case "cobblestone":
      return `stone:${kind.value.space}`;
    case "service":
      return `service:${kind.value.stack}`;
    case "modernisme":
      return `display:${kind.value.shown}`;
    case "improve":
      return `project:${kind.value.space}`;
    case "sagrada":
      return `sagrada:${kind.value.tile}`;
    case "build":
      return `site:${kind.value.site}`;
    case "pedestrian":
      return `pedestrian:${kind.value.pedestrian}`;
    case "step":
      return task && `pedestrian:${task.pedestrian}`;
    case "hexagon":
      return `hexagon:${kind.value.space}`;
    default:
      return undefined;
  }
}

function stacksOf(task: { readonly kind: BarcelonaTaskKind; readonly street: BarcelonaStreet }): "markers" | "narrow" | "wide" {
  if (task.kind === BarcelonaTaskKind.MARKER) return "markers";
  return task.street === BarcelonaStreet.WIDE ? "wide" : "narrow";
}

/** The legal moves by place; and those that have none, or that decline a place, for buttons. */
export function sorted(legalMoves: readonly LegalMove[], view: BarcelonaView): { readonly places: ReadonlyMap<Place, readonly LegalMove[]>; readonly words: readonly LegalMove[] } {
  const places = new Map<Place, LegalMove[]>();
  const words: LegalMove[] = [];
  for (const legal of legalMoves) {
    const place = placeOf(legal.move, view);
    if (place === undefined) {
      words.push(legal);
      continue;
    }
    const there = places.get(place);
    if (there) there.push(legal);
    else places.set(place, [legal]);
    if (legal.move.kind.case === "step" || legal.move.kind.case === "passenger" || legal.move.kind.case === "pedestrian") words.push(legal);
  }
  return { places, words };
}

/** A move that would be made at a place, to ask the server why it is not legal; undefined: none is ever made there. */
export function attempt(place: Place, view: BarcelonaView): BarcelonaMove | undefined {
  const [kind, said] = place.split(":") as [Kind, string];
  const n = Number(said);
  const task = view.decision?.task?.kind;
  const made = (move: BarcelonaMove["kind"] | { case: string; value: object }): BarcelonaMove => create(BarcelonaMoveSchema, { kind: move } as never);
  switch (kind) {
    case "crossing":
      if (task === BarcelonaTaskKind.INTERSECTION) return made({ case: "intersection", value: { intersection: n } });
      return made({ case: "place", value: { intersection: n, top: view.hand[0] ?? BarcelonaCitizen.WORKING } });
    case "section":
      return made({ case: task === BarcelonaTaskKind.TRAM ? "tram" : "section", value: { section: n } });
    case "street":
      return made({ case: "action", value: { street: n } });
    case "site":
      return made({ case: "build", value: { site: n, building: BarcelonaBuilding.LEVEL_1, intersections: [] } });
    case "markers":
    case "narrow":
    case "wide":
      return made({ case: "stack", value: { stack: n } });
    case "stone":
      return made({ case: "cobblestone", value: { space: n } });
    case "service":
      return made({ case: "service", value: { stack: n } });
    case "display":
      return made({ case: "modernisme", value: { shown: n, space: 1 } });
    case "project":
      return made({ case: "improve", value: { space: n } });
    case "sagrada":
      return made({ case: "sagrada", value: { tile: said } });
    case "hexagon":
      return made({ case: "hexagon", value: { space: n, violet: n <= 6 ? 1 : n <= 10 ? 2 : 3 } });
    case "pedestrian":
      return made({ case: "pedestrian", value: { pedestrian: n } });
    default:
      return undefined;
  }
}

/** Where something happened; undefined: nowhere that is drawn. */
export function placeOfEvent({ kind }: BarcelonaEvent): Place | undefined {
  const { case: name, value: e } = kind;
  switch (name) {
    case "placed":
    case "intersectionBuilt":
      return `crossing:${e.intersection}`;
    case "actionTaken":
      return `street:${e.street}`;
    case "streetBuilt":
    case "tramMoved":
    case "passengerPlaced":
      return `section:${e.section}`;
    case "built":
    case "markerPlaced":
      return `site:${e.site}`;
    case "rowBonusTaken":
      return `bonus:${e.row}`;
    case "cobblestonePlaced":
      return `stone:${e.space}`;
    case "serviceBuilt":
      return `service:${e.stack}`;
    case "modernismeTaken":
    case "modernismeShown":
      return `display:${e.shown}`;
    case "citizenTracked":
      return e.space ? `track:${e.citizen}-${e.space}` : undefined;
    case "cerdaScored":
      return `cerda:${e.section}`;
    case "hexagonPlaced":
      return `hexagon:${e.space}`;
    case "stepped":
    case "joyGained":
    case "arrived":
    case "wentBack":
      return `pedestrian:${e.pedestrian}`;
    case "cardRevealed":
      return `card:${e.card}`;
    default:
      return undefined;
  }
}

