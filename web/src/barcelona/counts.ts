/** How many of something a player has, as far as it can be read off the board. For showing; the server scores. */
import type { BarcelonaPlayer, BarcelonaPosition } from "../lib/sdk/index.js";
import { BarcelonaBuilding } from "../lib/sdk/index.js";
import { type BarcelonaData, blockOf, type Stacks } from "./data.js";

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);
const empty = (stacks: readonly number[]): number => stacks.filter((n) => n === 0).length;
const gone = (kind: Stacks, left: readonly number[]): number => sum(kind.stacks) - sum(left);

/** What the player's Cerdà marker multiplies by. */
export function multiplierOf(data: BarcelonaData, player: BarcelonaPlayer): number {
  return data.tracks.cerda.multipliers[player.cerda] ?? 1;
}

/** A count by its name in the ruleset; undefined: it is not read off the board here. */
export function countOf(name: string, position: BarcelonaPosition, seat: number, data: BarcelonaData): number | undefined {
  const player = position.players[seat];
  const sites = position.board?.sites ?? [];
  if (!player) return undefined;
  const isCorner = (i: number): boolean => sites[i]?.building === BarcelonaBuilding.CORNER;
  const own = (): Set<number> => new Set(sites.flatMap((site, i) => (site.markers.includes(seat) ? [blockOf(i + 1).block] : [])));
  switch (name) {
    case "bottom_markers":
      return sites.filter((site, i) => site.markers[0] === seat && !isCorner(i)).length;
    case "corner_blocks":
      return new Set(sites.flatMap((site, i) => (site.markers.includes(seat) && isCorner(i) ? [blockOf(i + 1).block] : []))).size;
    case "longest_line":
      return longestLine(own());
    case "rows":
      return new Set([...own()].map((block) => Math.floor(block / 4))).size;
    case "upgrades":
      return sum(sites.map((site) => site.markers.slice(1).filter((owner) => owner === seat).length));
    case "markers":
      return sum(sites.map((site) => site.markers.filter((owner) => owner === seat).length));
    case "intersections":
      return player.intersections;
    case "passengers":
      return player.passengers;
    case "passengers_on_streets":
      return (position.board?.sections ?? []).filter((section) => section.passenger === seat && section.street).length;
    case "wide_streets":
      return gone(data.players.wide, player.wide);
    case "narrow_streets":
      return gone(data.players.narrow, player.narrow);
    case "services":
      return player.services.length;
    case "cobblestones":
      return player.cobblestones;
    case "modernisme_tiles":
      return player.projects.filter((project) => project.tile).length;
    case "improved_spaces":
      return player.projects.filter((project) => project.improved).length;
    case "improved_modernisme":
      return player.projects.filter((project) => project.improved && project.tile).length;
    case "sagrada_tiles":
      return player.sagradaTiles.length;
    case "resources":
      return player.coins + player.cloth;
    case "cerda_multiplier":
      return multiplierOf(data, player);
    case "emptied_stacks":
      return empty(player.markers) + empty(player.narrow) + empty(player.wide);
    case "emptied_marker_stacks":
      return empty(player.markers);
    case "joy_barcelona":
      return player.pedestrians[0]?.joy;
    case "joy_gracia":
      return player.pedestrians[1]?.joy;
    default:
      return undefined;
  }
}

function longestLine(own: ReadonlySet<number>): number {
  const four = [0, 1, 2, 3];
  const lines = four.flatMap((i) => [four.map((k) => own.has(i * 4 + k)), four.map((k) => own.has(k * 4 + i))]);
  return Math.max(
    ...lines.map((line) => {
      let run = 0;
      return Math.max(...line.map((isOwn) => (run = isOwn ? run + 1 : 0)));
    }),
  );
}

/** The spaces of the citizen track that are covered from the start, and by citizens: for each class, by space from 0. */
export function trackOf(position: BarcelonaPosition, data: BarcelonaData): readonly (readonly ("covered" | "citizen" | "free")[])[] {
  const boards = position.gaudi ? 1 : position.players.length;
  const covered = data.citizens.covered[boards]?.spaces ?? [];
  const track = position.board?.track;
  return [track?.working ?? 0, track?.middle ?? 0, track?.upper ?? 0].map((number) => {
    let left = number;
    return data.citizens.track.vp.map((_, space) => (covered.includes(space) ? "covered" : left-- > 0 ? "citizen" : "free"));
  });
}
