/** The texts of Agora's board: what is drawn, said for everybody. */
import { list, plural, type Translation, translator } from "../lib/i18n/i18n.svelte.js";

/** A player, and whether it is the reader. */
export interface Who {
  readonly name: string;
  readonly mine: boolean;
}

interface Lead {
  readonly before: Who | undefined;
  readonly after: Who | undefined;
  readonly district: string;
  readonly points: number;
}

const en = {
  city: "Map of Barcelona",
  keys: "Arrow keys go from district to district. Enter picks a walker up, or puts it down. Escape puts it back.",
  district: (p: { name: string; points: number; lead: string; walkers: string; neighbours: readonly string[] }) =>
    `${p.name}, ${p.points} points. ${p.lead} ${p.walkers} Borders on ${list(p.neighbours)}.`,
  leads: (p: Who) => (p.mine ? "You lead." : `${p.name} leads.`),
  noLead: "Nobody leads.",
  nobodyHere: "No walkers.",
  canWalkFrom: "A walker can start here.",
  canWalkTo: "The walker can come here.",
  walkersOf: (p: Who & { upright: number; lying: number }) =>
    `${p.mine ? "You" : p.name}: ${[p.upright && `${p.upright} standing`, p.lying && `${p.lying} lying`].filter(Boolean).join(", ")}.`,
  pick: (p: Who & { district: string; upright: number }) =>
    `${p.mine ? "Your walkers" : `Walkers of ${p.name}`} in ${p.district}, ${p.upright} standing: pick one up`,
  how: "Pick up a walker: click it, or drag it over a border.",
  choose: "Choose a square: the map shows what it would give. Again, or a click on its district, plays it.",
  whereTo: (p: Who & { district: string }) => `${p.mine ? "Your walker" : `A walker of ${p.name}`} in ${p.district}: where to?`,
  nowhere: "No border leads it on from here.",
  which: (p: { district: string }) => `${p.district}: which walker?`,
  noneHere: (p: { district: string }) => `No walker can start in ${p.district}.`,
  putBack: "Put back",
  isBack: "The walker is back in its place.",
  first: (p: { from: string; to: string }) => `The first walk led from ${p.from} to ${p.to}.`,
  comes: (p: { square: string; walkers: number; district: string }) =>
    `${p.square}: ${p.walkers} of your walkers into ${p.district}.`,
  lead: (p: Lead) => {
    const [b, a] = [p.before && (p.before.mine ? "you" : p.before.name), p.after && (p.after.mine ? "You" : p.after.name)];
    if (!a) return `The lead in ${p.district} would be shared: ${b} ${p.before?.mine ? "lose" : "loses"} ${p.points} points.`;
    const verb = p.after?.mine ? "take" : "takes";
    return b ? `${a} ${verb} the lead in ${p.district} from ${b}: ${p.points} points.` : `${a} ${verb} the lead in ${p.district}: ${p.points} points.`;
  },
  noChange: "No lead changes.",
  play: "Play it",
  discard: "Discard it",
  walkers: (p: { value: number }) => plural("en", p.value, { one: "walker", other: "walkers" }),
  players: "Players",
  handOf: (p: Who & { backs: readonly string[] }) =>
    `${p.mine ? "Your hand" : `Hand of ${p.name}`}: ${p.backs.length ? list(p.backs) : "empty"}`,
  back: "a hidden square",
  backOf: (p: { district: string }) => `a square of ${p.district}`,
  take: (p: { district: string; name: string }) => `Take ${p.district ? `a square of ${p.district}` : "a square"} from ${p.name}`,
  presence: (p: { n: number }) => `in ${p.n} ${plural("en", p.n, { one: "district", other: "districts" })}`,
  discards: (p: { n: number }) => `${p.n} discarded`,
  fountain: "holds the Magic Fountain",
  draw: "Draw",
  refused: "That is not allowed.",
  close: "Close",
  credit: "District borders: Ajuntament de Barcelona, CartoBCN (CC BY), simplified and stylised.",
};

const ca: Translation<typeof en> = {
  city: "Mapa de Barcelona",
  keys: "Amb les fletxes es va de districte en districte. Retorn agafa un passejant, o el deixa. Escapada el torna al seu lloc.",
  district: (p) => `${p.name}, ${p.points} punts. ${p.lead} ${p.walkers} Limita amb ${list(p.neighbours)}.`,
  leads: (p) => (p.mine ? "Hi domines tu." : `Hi domina ${p.name}.`),
  noLead: "No hi domina ningú.",
  nobodyHere: "Cap passejant.",
  canWalkFrom: "Un passejant en pot sortir.",
  canWalkTo: "El passejant hi pot anar.",
  walkersOf: (p) =>
    `${p.mine ? "Tu" : p.name}: ${[p.upright && `${p.upright} drets`, p.lying && `${p.lying} ajaguts`].filter(Boolean).join(", ")}.`,
  pick: (p) => `${p.mine ? "Els teus passejants" : `Passejants de ${p.name}`} a ${p.district}, ${p.upright} drets: agafa'n un`,
  how: "Agafa un passejant: clica'l, o arrossega'l per sobre d'una frontera.",
  choose: "Tria una plaça: el mapa mostra què donaria. Un altre cop, o un clic al seu districte, la juga.",
  whereTo: (p) => `${p.mine ? "El teu passejant" : `Un passejant de ${p.name}`} a ${p.district}: cap on?`,
  nowhere: "Cap frontera no el deixa passar.",
  which: (p) => `${p.district}: quin passejant?`,
  noneHere: (p) => `Cap passejant no pot sortir de ${p.district}.`,
  putBack: "Torna'l al lloc",
  isBack: "El passejant torna a ser al seu lloc.",
  first: (p) => `El primer passeig ha anat de ${p.from} a ${p.to}.`,
  comes: (p) => `${p.square}: ${p.walkers} dels teus passejants a ${p.district}.`,
  lead: (p) => {
    const [b, a] = [p.before && (p.before.mine ? "tu" : p.before.name), p.after && (p.after.mine ? "tu" : p.after.name)];
    if (!a) return `El domini de ${p.district} quedaria compartit: ${b} ${p.before?.mine ? "perds" : "perd"} ${p.points} punts.`;
    return b
      ? `${p.district} passa de ${b} a ${a}: ${p.points} punts.`
      : `${p.district} passa a ${a}: ${p.points} punts.`;
  },
  noChange: "Cap districte no canvia de mans.",
  play: "Juga-la",
  discard: "Descarta-la",
  walkers: (p) => plural("ca", p.value, { one: "passejant", other: "passejants" }),
  players: "Jugadors",
  handOf: (p) => `${p.mine ? "La teva mà" : `Mà de ${p.name}`}: ${p.backs.length ? list(p.backs) : "buida"}`,
  back: "una plaça amagada",
  backOf: (p) => `una plaça de ${p.district}`,
  take: (p) => `Pren ${p.district ? `una plaça de ${p.district}` : "una plaça"} a ${p.name}`,
  presence: (p) => `en ${p.n} ${plural("ca", p.n, { one: "districte", other: "districtes" })}`,
  discards: (p) => `${p.n} ${plural("ca", p.n, { one: "descartada", other: "descartades" })}`,
  fountain: "té la Font Màgica",
  draw: "Roba",
  refused: "Això no es pot fer.",
  close: "Tanca",
  credit: "Límits dels districtes: Ajuntament de Barcelona, CartoBCN (CC BY), simplificats i estilitzats.",
};

const es: Translation<typeof en> = {
  city: "Mapa de Barcelona",
  keys: "Con las flechas se va de distrito en distrito. Intro toma un paseante, o lo deja. Escape lo devuelve a su sitio.",
  district: (p) => `${p.name}, ${p.points} puntos. ${p.lead} ${p.walkers} Limita con ${list(p.neighbours)}.`,
  leads: (p) => (p.mine ? "Lideras tú." : `Lidera ${p.name}.`),
  noLead: "No lidera nadie.",
  nobodyHere: "Ningún paseante.",
  canWalkFrom: "Un paseante puede salir de aquí.",
  canWalkTo: "El paseante puede venir aquí.",
  walkersOf: (p) =>
    `${p.mine ? "Tú" : p.name}: ${[p.upright && `${p.upright} de pie`, p.lying && `${p.lying} tumbados`].filter(Boolean).join(", ")}.`,
  pick: (p) => `${p.mine ? "Tus paseantes" : `Paseantes de ${p.name}`} en ${p.district}, ${p.upright} de pie: toma uno`,
  how: "Toma un paseante: haz clic en él, o arrástralo sobre una frontera.",
  choose: "Elige una plaza: el mapa muestra qué daría. Otra vez, o un clic en su distrito, la juega.",
  whereTo: (p) => `${p.mine ? "Tu paseante" : `Un paseante de ${p.name}`} en ${p.district}: ¿adónde?`,
  nowhere: "Ninguna frontera lo deja pasar.",
  which: (p) => `${p.district}: ¿qué paseante?`,
  noneHere: (p) => `Ningún paseante puede salir de ${p.district}.`,
  putBack: "Devolver a su sitio",
  isBack: "El paseante vuelve a estar en su sitio.",
  first: (p) => `El primer paseo fue de ${p.from} a ${p.to}.`,
  comes: (p) => `${p.square}: ${p.walkers} de tus paseantes a ${p.district}.`,
  lead: (p) => {
    const [b, a] = [p.before && (p.before.mine ? "ti" : p.before.name), p.after && (p.after.mine ? "ti" : p.after.name)];
    if (!a) {
      return `El liderazgo de ${p.district} quedaría compartido: ${p.before?.mine ? "pierdes" : `${b} pierde`} ${p.points} puntos.`;
    }
    return b ? `${p.district} pasa de ${b} a ${a}: ${p.points} puntos.` : `${p.district} pasa a ${a}: ${p.points} puntos.`;
  },
  noChange: "Ningún distrito cambia de manos.",
  play: "Jugarla",
  discard: "Descartarla",
  walkers: (p) => plural("es", p.value, { one: "paseante", other: "paseantes" }),
  players: "Jugadores",
  handOf: (p) => `${p.mine ? "Tu mano" : `Mano de ${p.name}`}: ${p.backs.length ? list(p.backs) : "vacía"}`,
  back: "una plaza oculta",
  backOf: (p) => `una plaza de ${p.district}`,
  take: (p) => `Tomar ${p.district ? `una plaza de ${p.district}` : "una plaza"} de ${p.name}`,
  presence: (p) => `en ${p.n} ${plural("es", p.n, { one: "distrito", other: "distritos" })}`,
  discards: (p) => `${p.n} ${plural("es", p.n, { one: "descartada", other: "descartadas" })}`,
  fountain: "tiene la Fuente Mágica",
  draw: "Robar",
  refused: "Eso no se puede hacer.",
  close: "Cerrar",
  credit: "Límites de los distritos: Ajuntament de Barcelona, CartoBCN (CC BY), simplificados y estilizados.",
};

export const b = translator({ en, ca, es });
