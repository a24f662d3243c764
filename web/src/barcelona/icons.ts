/** The icons of goods, pieces and steps: SVG paths within 24 by 24, ours. `tone` names the colour of each in tokens. */
import type { IconName } from "./signs.js";

interface Icon {
  readonly fill: string;
  /** Drawn over it, in lines. */
  readonly line?: string;
  readonly tone: string;
}

export const ICONS: Readonly<Record<IconName, Icon>> = {
  vp: { fill: "M12 1.5l3 6.6 7.2.8-5.4 4.8 1.5 7.1L12 17.2l-6.3 3.6 1.5-7.1L1.8 8.9 9 8.1z", tone: "vp" },
  coin: { fill: "M12 2a10 10 0 1 0 0 20a10 10 0 1 0 0 -20z", line: "M15.5 8.5a5 5 0 1 0 0 7", tone: "coin" },
  cloth: { fill: "M2 7l10 -4 10 4v10l-10 4 -10 -4z", line: "M2 7l10 4 10 -4M12 11v10M5 12l4 1.6M5 15l4 1.6", tone: "cloth" },
  cerda: { fill: "M7.5 2h9L22 7.5v9L16.5 22h-9L2 16.5v-9z", line: "M12 17V8M7.5 12l4.5 -4.5 4.5 4.5", tone: "cerda" },
  sagrada: { fill: "M3 22V12l2 -7 2 7v3l2 -1V9l3 -8 3 8v5l2 1v-3l2 -7 2 7v10h-6v-4a3 3 0 0 0 -6 0v4z", tone: "sagrada" },
  narrow: { fill: "M1.5 9h21v6h-21z", line: "M4 12h4M10 12h4M16 12h4", tone: "street" },
  wide: { fill: "M1.5 5h21v14h-21z", line: "M4 12h16M6 8.4v.2M12 8.4v.2M18 8.4v.2M6 15.4v.2M12 15.4v.2M18 15.4v.2", tone: "street" },
  intersection: { fill: "M8 1h8v7h7v8h-7v7H8v-7H1V8h7z", line: "M12 9.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0 -5", tone: "street" },
  cobblestone: { fill: "M3 3h18v18H3z", line: "M12 12m0 -6.5a3 3 0 0 1 0 6.500a3 3 0 0 1 0 -6.500M12 12a3 3 0 0 1 6.500 0a3 3 0 0 1 -6.500 0M12 12a3 3 0 0 1 0 6.500a3 3 0 0 1 0 -6.500M12 12a3 3 0 0 1 -6.500 0a3 3 0 0 1 6.500 0", tone: "stone" },
  service: { fill: "M12 2l10 6v2H2V8zM4 11h3v8H4zM10.500 11h3v8h-3zM17 11h3v8h-3zM2 20h20v2.500H2z", tone: "service" },
  modernisme: { fill: "M12 2c6 0 9 5 9 10v10H3V12C3 7 6 2 12 2z", line: "M12 6v12M7.500 9c2 1 3 3 3 9M16.500 9c-2 1 -3 3 -3 9", tone: "modernisme" },
  improve: { fill: "M12 2c6 0 9 5 9 10v10H3V12C3 7 6 2 12 2z", line: "M12 7.500v11M6.500 13h11", tone: "modernisme" },
  tram: { fill: "M5 5h14l2 3v9l-2 2H5l-2 -2V8zM7 20h3v2H7zM14 20h3v2h-3z", line: "M5.500 9h5v4h-5zM13.500 9h5v4h-5zM9 5l3 -3 3 3", tone: "tram" },
  passenger: { fill: "M12 2a4.200 4.200 0 0 1 2.800 7.400C18 11 19 14 19 22H5c0 -8 1 -11 4.200 -12.600A4.200 4.200 0 0 1 12 2z", tone: "passenger" },
  walk: { fill: "M13 1.500a2.600 2.600 0 1 1 0 5.200a2.600 2.600 0 1 1 0 -5.200zM9 8l5 -.5 2.500 4 3.500 1.200 -.8 2 -4.400 -1.400 -1 -1.600 -.8 3.800 3.300 3.200 1 4.600h-2.400l-.9 -3.700 -3.500 -3.200L8 23H5.500l2.800 -7.500 .9 -4.700 -2.200 1.400 -.8 3.300 -2 -.5 1 -4.500z", tone: "passenger" },
  joy: { fill: "M12 2a10 10 0 1 0 0 20a10 10 0 1 0 0 -20z", line: "M8.200 9v.6M15.800 9v.6M7 14c2 4 8 4 10 0", tone: "joy" },
  marker: { fill: "M12 3l9 5v8l-9 5 -9 -5V8z", line: "M3 8l9 5 9 -5M12 13v8", tone: "stone" },
  hexagon: { fill: "M6 2.500h12L23 12l-5 9.500H6L1 12z", line: "M12 7l1.500 3.300 3.500 .4 -2.600 2.400 .7 3.500L12 14.900l-3.100 1.700 .7 -3.500L7 10.700l3.500 -.4z", tone: "joy" },
};
