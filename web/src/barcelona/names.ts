/** People, places and goods by name, in the language of the moment. */
import { list } from "../lib/i18n/i18n.svelte.js";
import { BarcelonaCitizen, BarcelonaPedestrian } from "../lib/sdk/index.js";
import { blockName, blockOf } from "./data.js";
import { t } from "./messages.js";

export function citizenName(citizen: BarcelonaCitizen): string {
  switch (citizen) {
    case BarcelonaCitizen.WORKING:
      return t("working");
    case BarcelonaCitizen.MIDDLE:
      return t("middle");
    case BarcelonaCitizen.UPPER:
      return t("upper");
    default:
      return t("hidden");
  }
}

export function siteName(site: number): string {
  const { block, half } = blockOf(site);
  return t("site", { block: blockName(block), half });
}

export function goods(coins: number, cloth: number): string {
  return list([...(coins ? [t("coins", { n: coins })] : []), ...(cloth ? [t("cloth", { n: cloth })] : [])]) || t("nothing");
}

export function pedestrianName(pedestrian: BarcelonaPedestrian): string {
  return t(pedestrian === BarcelonaPedestrian.GRACIA ? "pedestrianGracia" : "pedestrianBarcelona");
}
