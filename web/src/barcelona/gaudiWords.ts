/** Why Gaudí chose what he chose, in the language of the moment. */
import { locale } from "../lib/i18n/i18n.svelte.js";
import { BarcelonaArrow, BarcelonaCriterion, type BarcelonaGaudiChose, BarcelonaMatter } from "../lib/sdk/index.js";
import { type BarcelonaData, intersection, section } from "./data.js";
import { effectText } from "./signs.js";
import { pedestrianName, siteName } from "./names.js";

type Said = readonly [en: string, ca: string, es: string];
const AT = { en: 0, ca: 1, es: 2 } as const;
const say = (said: Said): string => said[AT[locale()]];

/** As an arrow to look at. */
export const ARROW_SIGNS: Readonly<Record<BarcelonaArrow, string>> = {
  [BarcelonaArrow.UNSPECIFIED]: "",
  [BarcelonaArrow.N]: "↑",
  [BarcelonaArrow.NE]: "↗",
  [BarcelonaArrow.E]: "→",
  [BarcelonaArrow.SE]: "↘",
  [BarcelonaArrow.S]: "↓",
  [BarcelonaArrow.SW]: "↙",
  [BarcelonaArrow.W]: "←",
  [BarcelonaArrow.NW]: "↖",
};

const REASONS: Readonly<Partial<Record<BarcelonaCriterion, Said>>> = {
  [BarcelonaCriterion.BEST_BUILDING]: ["it alone allows the best building", "només això permet el millor edifici", "solo esto permite el mejor edificio"],
  [BarcelonaCriterion.NEAREST]: ["it is nearest to the meeple", "és el més a prop del seu peó", "es lo más cercano a su peón"],
  [BarcelonaCriterion.ARROW]: ["it is first clockwise from the arrow", "és el primer des de la fletxa, en sentit horari", "es lo primero desde la flecha, en sentido horario"],
  [BarcelonaCriterion.MOST_POINTS]: ["it gives most points", "dona més punts", "da más puntos"],
  [BarcelonaCriterion.ICON]: ["it covers the best icon", "tapa la millor icona", "tapa el mejor icono"],
  [BarcelonaCriterion.STREET]: ["its street comes first", "el seu carrer va primer", "su calle va primero"],
  [BarcelonaCriterion.HAS_TILE]: ["it alone holds a tile", "només aquí hi ha una fitxa", "solo aquí hay una ficha"],
  [BarcelonaCriterion.ROW_BONUS]: ["it alone takes the bonus of a row", "només això pren la bonificació d'una fila", "solo esto toma la bonificación de una fila"],
  [BarcelonaCriterion.COVERS_MARKER]: ["it alone covers a marker of the other player", "només això tapa un marcador de l'altre", "solo esto tapa un marcador del otro"],
  [BarcelonaCriterion.MOST_ROOM]: ["its row of the citizen track has most room", "la seva fila del registre té més lloc", "su fila del registro tiene más sitio"],
  [BarcelonaCriterion.CLASS]: ["it is of the lower class", "és de classe més baixa", "es de clase más baja"],
  [BarcelonaCriterion.FARTHER]: ["it is farther along", "va més avançat", "va más adelantado"],
  [BarcelonaCriterion.LEFTMOST]: ["it is the first of equals", "és el primer d'iguals", "es lo primero entre iguales"],
};
const FROM_THE_START: Said = ["it is nearest to the start of the Sidewalk", "és la més a prop de l'inici de la vorera", "es la más cercana al inicio de la acera"];
const ALLOWING = (n: number): Said => [
  `${n} of them allow the best building, and it is the first of these clockwise from the arrow`,
  `${n} permeten el millor edifici, i és la primera d'aquestes des de la fletxa, en sentit horari`,
  `${n} permiten el mejor edificio, y es la primera de estas desde la flecha, en sentido horario`,
];
const NO_OTHER: Said = ["there was no other", "no n'hi havia cap altra opció", "no había otra opción"];

function chosen(e: BarcelonaGaudiChose, data: BarcelonaData): string {
  const n = e.chosen;
  switch (e.matter) {
    case BarcelonaMatter.MEEPLE:
    case BarcelonaMatter.INTERSECTION:
    case BarcelonaMatter.CITIZEN:
      return intersection(n);
    case BarcelonaMatter.STREET:
    case BarcelonaMatter.WIDE_STREET:
    case BarcelonaMatter.PASSENGER:
      return section(n);
    case BarcelonaMatter.SITE:
      return siteName(n);
    case BarcelonaMatter.PEDESTRIAN:
      return pedestrianName(n);
    case BarcelonaMatter.SERVICE:
      return say([`stack ${n} of the Public Services`, `la pila ${n} dels serveis públics`, `la pila ${n} de los servicios públicos`]);
    case BarcelonaMatter.MODERNISME:
      return say([`tile ${n} of the display`, `la fitxa ${n} de la mostra`, `la ficha ${n} del muestrario`]);
    case BarcelonaMatter.PROJECT:
      return say([`project space ${n}`, `l'espai de projecte ${n}`, `el espacio de proyecto ${n}`]);
    case BarcelonaMatter.COBBLESTONE:
      return say([`space ${n} of the Sidewalk`, `la casella ${n} de la vorera`, `la casilla ${n} de la acera`]);
    case BarcelonaMatter.HEXAGON:
      return say([`hexagonal space ${n}`, `la casella hexagonal ${n}`, `la casilla hexagonal ${n}`]);
    case BarcelonaMatter.SAGRADA_TILE: {
      const tile = data.sagrada_tiles[n - 1];
      return tile ? effectText(tile.effect) : `${n}`;
    }
    default:
      return `${n}`;
  }
}

/** What he chose, of how many, and the priority that decided. */
export function choiceText(e: BarcelonaGaudiChose, name: string, data: BarcelonaData): string {
  const what = chosen(e, data);
  const n = e.candidates.length;
  const isOnly = n <= 1 || e.criterion === BarcelonaCriterion.ONLY_ONE;
  const fromStart = e.matter === BarcelonaMatter.COBBLESTONE && e.criterion === BarcelonaCriterion.NEAREST;
  const fromBest = e.allowing > 0 && e.criterion === BarcelonaCriterion.ARROW;
  const usual = fromStart ? FROM_THE_START : fromBest ? ALLOWING(e.allowing) : (REASONS[e.criterion] ?? NO_OTHER);
  const arrow = e.criterion === BarcelonaCriterion.ARROW ? ` ${ARROW_SIGNS[e.arrow]}` : "";
  const reason = isOnly ? say(NO_OTHER) : say(usual) + arrow;
  const of = isOnly ? "" : say([`, of ${n}`, `, d'entre ${n}`, `, de entre ${n}`]);
  return say([`${name} chose ${what}${of}: ${reason}`, `${name} ha triat ${what}${of}: ${reason}`, `${name} eligió ${what}${of}: ${reason}`]);
}
