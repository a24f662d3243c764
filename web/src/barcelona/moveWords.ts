/**
 * Moves in Catalan and Spanish; in English the server's own words do. What a move gives is read off the board and the
 * ruleset; where the server counts (a run, the icons round an intersection), its figures are taken from its words.
 */
import { list, locale } from "../lib/i18n/i18n.svelte.js";
import {
  BarcelonaBuilding,
  BarcelonaCitizen,
  type BarcelonaMove,
  BarcelonaResource,
  BarcelonaStreet,
  BarcelonaTaskKind,
  type BarcelonaView,
} from "../lib/sdk/index.js";
import type { Legal } from "../table/seam.js";
import { b, scoringName, tileName } from "./boardMessages.js";
import { type BarcelonaData, type Effect, iconOf, intersection, nameOf, section, streetLetter, tierOf } from "./data.js";
import { streetOf, streetsAt } from "./layout.js";
import { t } from "./messages.js";
import { effectText } from "./signs.js";
import { citizenName, goods, pedestrianName, siteName } from "./names.js";

interface Verbs {
  readonly place: (citizens: string, where: string, actions: string) => string;
  readonly take: (what: string) => string;
  readonly ride: (what: string) => string;
  readonly keep: (what: string) => string;
  readonly build: (what: string, where: string) => string;
  readonly run: (length: number, points: string) => string;
  readonly stack: (n: number, left: number, reward: string) => string;
  readonly tram: (where: string, stays: boolean) => string;
  readonly passenger: (where: string) => string;
  readonly stone: (n: number) => string;
  readonly modernisme: (tile: string, n: number) => string;
  readonly improve: (n: number, tile: string) => string;
  readonly sagrada: string;
  readonly construct: (what: string, where: string, citizens: string) => string;
  readonly gain: (what: string) => string;
  readonly choose: (what: string) => string;
  readonly first: (what: string) => string;
  readonly walk: (who: string) => string;
  readonly joy: (who: string) => string;
  readonly step: (who: string) => string;
  readonly hexagon: (n: number, times: string) => string;
  readonly gaudi: string;
  readonly cost: (what: string) => string;
  readonly stop: string;
  readonly declining: Readonly<Partial<Record<BarcelonaTaskKind, string>>>;
}

const ca: Verbs = {
  place: (citizens, where, actions) => `Posa ${citizens} a ${where}: ${actions}`,
  take: (what) => `Fes ${what}`,
  ride: (what) => `Amb el passatger, fes ${what}`,
  keep: (what) => `Queda't ${what}`,
  build: (what, where) => `Construeix ${what} a ${where}`,
  run: (length, points) => `tirada de ${length} = ${points}`,
  stack: (n, left, reward) => (left === 1 ? `Pren-la de la pila ${n} i buida-la: ${reward}` : `Pren-la de la pila ${n} (en ${left - 1 === 1 ? "quedarà 1" : `quedaran ${left - 1}`}; buidar-la dona ${reward})`),
  tram: (where, stays) => (stays ? `Deixa el tramvia a ${where}` : `Porta el tramvia a ${where}`),
  passenger: (where) => `Posa un passatger a ${where}`,
  stone: (n) => `Posa una llamborda a la casella ${n} de la vorera`,
  modernisme: (tile, n) => `Pren ${tile} per a l'espai de projecte ${n}`,
  improve: (n, tile) => `Millora l'espai de projecte ${n} (${tile || "buit"})`,
  sagrada: "Pren la fitxa de la Sagrada Família",
  construct: (what, where, citizens) => `Construeix un ${what} a ${where}, amb ${citizens}`,
  gain: (what) => `Guanya ${what}`,
  choose: (what) => `Tria: ${what}`,
  first: (what) => `Primer: ${what}`,
  walk: (who) => `Camina amb ${who}`,
  joy: (who) => `Més alegria per a ${who}`,
  step: (who) => `Un altre pas de ${who}`,
  hexagon: (n, times) => `Posa una llamborda hexagonal a la casella ${n}${times}`,
  gaudi: "Juga el torn de Gaudí",
  cost: (what) => ` (costa ${what})`,
  stop: "Prou",
  declining: {
    [BarcelonaTaskKind.ACTIONS]: "No facis més accions",
    [BarcelonaTaskKind.STREET]: "No construeixis més carrers",
    [BarcelonaTaskKind.INTERSECTION]: "No construeixis cap cruïlla",
    [BarcelonaTaskKind.TRAM]: "Deixa el tramvia i no posis cap passatger",
    [BarcelonaTaskKind.PASSENGER]: "No posis cap passatger",
    [BarcelonaTaskKind.RIDE]: "Sense l'acció del carrer",
    [BarcelonaTaskKind.COBBLESTONE]: "No posis cap llamborda",
    [BarcelonaTaskKind.MODERNISME]: "No prenguis cap fitxa de Modernisme",
    [BarcelonaTaskKind.IMPROVE]: "No milloris més projectes",
    [BarcelonaTaskKind.CHOICE]: "Cap dels dos",
    [BarcelonaTaskKind.WALK]: "No caminis més",
    [BarcelonaTaskKind.WALK_ONE]: "No caminis amb cap",
  },
};

const es: Verbs = {
  place: (citizens, where, actions) => `Pon ${citizens} en ${where}: ${actions}`,
  take: (what) => `Haz ${what}`,
  ride: (what) => `Con el pasajero, haz ${what}`,
  keep: (what) => `Quédate ${what}`,
  build: (what, where) => `Construye ${what} en ${where}`,
  run: (length, points) => `tirada de ${length} = ${points}`,
  stack: (n, left, reward) => (left === 1 ? `Tómala de la pila ${n} y vacíala: ${reward}` : `Tómala de la pila ${n} (${left - 1 === 1 ? "quedará 1" : `quedarán ${left - 1}`}; vaciarla da ${reward})`),
  tram: (where, stays) => (stays ? `Deja el tranvía en ${where}` : `Lleva el tranvía a ${where}`),
  passenger: (where) => `Pon un pasajero en ${where}`,
  stone: (n) => `Pon un adoquín en la casilla ${n} de la acera`,
  modernisme: (tile, n) => `Toma ${tile} para el espacio de proyecto ${n}`,
  improve: (n, tile) => `Mejora el espacio de proyecto ${n} (${tile || "vacío"})`,
  sagrada: "Toma la ficha de la Sagrada Família",
  construct: (what, where, citizens) => `Construye un ${what} en ${where}, con ${citizens}`,
  gain: (what) => `Gana ${what}`,
  choose: (what) => `Elige: ${what}`,
  first: (what) => `Primero: ${what}`,
  walk: (who) => `Camina con ${who}`,
  joy: (who) => `Más alegría para ${who}`,
  step: (who) => `Otro paso de ${who}`,
  hexagon: (n, times) => `Pon un adoquín hexagonal en la casilla ${n}${times}`,
  gaudi: "Juega el turno de Gaudí",
  cost: (what) => ` (cuesta ${what})`,
  stop: "Basta",
  declining: {
    [BarcelonaTaskKind.ACTIONS]: "No hagas más acciones",
    [BarcelonaTaskKind.STREET]: "No construyas más calles",
    [BarcelonaTaskKind.INTERSECTION]: "No construyas ningún cruce",
    [BarcelonaTaskKind.TRAM]: "Deja el tranvía y no pongas ningún pasajero",
    [BarcelonaTaskKind.PASSENGER]: "No pongas ningún pasajero",
    [BarcelonaTaskKind.RIDE]: "Sin la acción de la calle",
    [BarcelonaTaskKind.COBBLESTONE]: "No pongas ningún adoquín",
    [BarcelonaTaskKind.MODERNISME]: "No tomes ninguna ficha de Modernismo",
    [BarcelonaTaskKind.IMPROVE]: "No mejores más proyectos",
    [BarcelonaTaskKind.CHOICE]: "Ninguno de los dos",
    [BarcelonaTaskKind.WALK]: "No camines más",
    [BarcelonaTaskKind.WALK_ONE]: "No camines con ninguno",
  },
};

/** A move in the language of the moment; undefined: the server's English will do. */
export function moveText(view: BarcelonaView, { move, text }: Legal<BarcelonaMove>, data: BarcelonaData): string | undefined {
  const language = locale();
  if (language === "en") return undefined;
  const v = { ca, es }[language];
  const { case: kind, value: m } = move.kind;
  const task = view.decision?.task;
  const board = view.position?.board;
  const me = view.position?.players[view.actor ?? 0];
  const action = (street: number) => data.actions.find((tile) => tile.id === board?.actions[street - 1]);
  const actionAt = (street: number): string => {
    const tile = action(street);
    return `${tileName(tile, "action")} (${t("street", { letter: streetLetter(street) })})${tile ? `: ${effectText(tile.effect)}` : ""}`;
  };
  const scoring = (id: string | undefined): string => scoringName(data.scorings.find((tile) => tile.id === id));
  const half = (option: number): string => effectText(parsed(view.decision?.effects[option - 1] ?? ""));

  switch (kind) {
    case "stop":
      return (task && v.declining[task.kind]) ?? v.stop;
    case "place": {
      const hand = [...view.hand];
      hand.splice(hand.indexOf(m.top), 1);
      const bottom = hand[0] ?? BarcelonaCitizen.UNSPECIFIED;
      const streets = streetsAt(m.intersection);
      const cost = streets.length > 2 ? v.cost(b("coins", { n: data.board.diagonal.cost_coins })) : "";
      const actions = list(streets.map((street) => tileName(action(street), "action")));
      return v.place(b("stacked", { top: citizenName(m.top), bottom: citizenName(bottom) }), `${intersection(m.intersection)}${cost}`, actions);
    }
    case "action":
      return v.take(actionAt(m.street));
    case "ride":
      return v.ride(actionAt(streetOf(task?.section || 1)));
    case "keep":
      return v.keep(goods(m.coins, Math.max(0, roomOf(view, data) - m.coins)));
    case "section": {
      const what = t(task?.street === BarcelonaStreet.WIDE ? "wide" : "narrow");
      return [`${v.build(what, section(m.section))}: ${effectText(iconOf(data, m.section))}`, runIn(text, v)].filter(Boolean).join(", ");
    }
    case "stack": {
      const pieces = task?.kind === BarcelonaTaskKind.MARKER ? "markers" : task?.street === BarcelonaStreet.WIDE ? "wide" : "narrow";
      return v.stack(m.stack, me?.[pieces][m.stack - 1] ?? 0, effectText(data.players[pieces].rewards[m.stack - 1] ?? "vp 0"));
    }
    case "intersection":
      return `${v.build(b("anIntersection", { free: task?.free ?? false }), intersection(m.intersection))}: ${gainsIn(text) || t("nothing")}`;
    case "tram": {
      const stays = me?.tram === m.section;
      return v.tram(section(m.section), stays) + (stays ? "" : ` (${actionAt(streetOf(m.section))})`);
    }
    case "passenger":
      return [v.passenger(section(task?.section || 1)), runIn(text, v)].filter(Boolean).join(": ");
    case "cobblestone": {
      const icon = data.sidewalk[view.position?.passeig ? "overlay" : "printed"].icons.flat()[m.space - 1];
      return v.stone(m.space) + (icon ? `: ${effectText(icon)}` : "");
    }
    case "service": {
      const stack = view.position?.display?.services[m.stack - 1];
      const type = data.services.types.find((other) => other.id === stack?.service);
      const { cost, gain } = tierOf(data, view.position?.gaudi ? 1 : (view.position?.players.length ?? 0), stack?.left ?? 0);
      const gains = [...(gain ? [effectText(gain)] : []), ...(type ? [effectText(type.effect)] : [])];
      return `${v.take(nameOf(data.services.types, stack?.service ?? ""))}${v.cost(b("coins", { n: cost }))}: ${list(gains)}`;
    }
    case "modernisme":
      return v.modernisme(scoring(view.position?.display?.modernisme[m.shown - 1]), m.space);
    case "improve":
      return v.improve(m.space, scoring(me?.projects[m.space - 1]?.tile));
    case "sagrada": {
      const tile = data.sagrada_tiles.find((other) => other.id === m.tile);
      return `${v.sagrada}: ${tile ? effectText(tile.effect) : m.tile}`;
    }
    case "build": {
      const used = m.intersections.map((n) => t("citizenFrom", { citizen: citizenName(board?.intersections[n - 1]?.top ?? 0), where: intersection(n) }));
      return v.construct(tileName(data.buildings[m.building - BarcelonaBuilding.LEVEL_1], "building"), siteName(m.site), list(used));
    }
    case "resource":
      return v.gain(m.resource === BarcelonaResource.COINS ? b("coins", { n: task?.amount || 1 }) : b("cloth", { n: task?.amount || 1 }));
    case "choice":
      return v.choose(half(m.option));
    case "part":
      return v.first(half(m.option));
    case "pedestrian":
      return (task?.kind === BarcelonaTaskKind.WALK_ONE ? v.walk : v.joy)(pedestrianName(m.pedestrian));
    case "step":
      return v.step(pedestrianName(task?.pedestrian ?? 0));
    case "hexagon": {
      const times = /× (\d+)/.exec(text)?.[1];
      return v.hexagon(m.space, `: ${effectText(data.passeig.hexagons.rewards[m.space - 1] ?? "vp 0")}${times ? ` × ${times}` : ""}`);
    }
    case "gaudi":
      return v.gaudi;
    default:
      return undefined;
  }
}

/** An effect of a message: JSON where there are several. */
export function parsed(effect: string): Effect {
  return /^[[{]/.test(effect) ? (JSON.parse(effect) as Effect) : effect;
}

/** Goods that fit into the storage of whose decision it is. */
function roomOf(view: BarcelonaView, data: BarcelonaData): number {
  return data.players.storage.spaces + (view.position?.players[view.actor ?? 0]?.cobblestones ?? 0);
}

function runIn(text: string, v: Verbs): string {
  const run = /run of (\d+) = (\d+)/.exec(text);
  return run ? v.run(Number(run[1]), b("vp", { n: Number(run[2]) })) : "";
}

function gainsIn(text: string): string {
  const said = text.slice(text.indexOf(": ") + 1);
  const number = (pattern: RegExp): number => Number(pattern.exec(said)?.[1] ?? 0);
  const [vp, cerda, coins, cloth] = [number(/(\d+) points?/), number(/(\d+) Cerdà/), number(/(\d+) coins?/), number(/(\d+) cloth/)];
  return list([...(vp ? [b("vp", { n: vp })] : []), ...(cerda ? [b("cerdaSteps", { n: cerda })] : []), ...(coins ? [b("coins", { n: coins })] : []), ...(cloth ? [b("cloth", { n: cloth })] : [])]);
}
