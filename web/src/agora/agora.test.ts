import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { AgoraDistrict, AgoraEventSchema } from "../lib/sdk/index.js";
import { setLocale } from "../lib/i18n/i18n.svelte.js";
import type { Book, SeatInfo } from "../table/seam.js";
import type { AgoraData } from "./data.js";
import { agoraWords } from "./words.js";

const DISTRICTS = ["Les Corts", "Sarrià-Sant Gervasi", "Gràcia"].map((name, i) => ({ id: `d${i}`, name, points: 7 + i, adjacent: [] }));
const book: Book<AgoraData> = {
  gameId: "agora",
  name: "Agora",
  rules: new Map(),
  data: { districts: DISTRICTS, squares: [{ district: "d2", name: "Plaça del Sol", value: 2 }, { district: "d0", name: "Plaça de la Concòrdia", value: 1 }] },
};
const seats: SeatInfo[] = ["Anna", "Bel"].map((name, seat) => ({ seat, name, colour: "Blue", isMe: seat === 0, isBot: false }));

describe("agoraWords", () => {
  const words = agoraWords(book, seats);

  it("names what this seat may know, and no more", () => {
    const taken = (square: number, back: AgoraDistrict) =>
      words.event(create(AgoraEventSchema, { kind: { case: "taken", value: { seat: 0, fromSeat: 1, square, back } } }))?.text;
    expect(taken(1, AgoraDistrict.GRACIA)).toBe("Anna took Plaça del Sol (Gràcia, 2) from Bel");
    expect(taken(0, AgoraDistrict.GRACIA)).toBe("Anna took a square of Gràcia from Bel");
    expect(taken(0, AgoraDistrict.UNSPECIFIED)).toBe("Anna took a square from Bel");
  });

  it("speaks the language of the moment", () => {
    const walked = create(AgoraEventSchema, { kind: { case: "walked", value: { seat: 1, walker: 0, from: AgoraDistrict.GRACIA, to: AgoraDistrict.LES_CORTS } } });
    expect(words.event(walked)).toMatchObject({ seat: 1, rule: "AG-P3.1", text: "Bel walked one of your walkers from Gràcia to Les Corts" });
    setLocale("es");
    expect(words.event(walked)?.text).toBe("Bel movió uno de tus paseantes de Gràcia a Les Corts");
    setLocale("en");
  });
});
