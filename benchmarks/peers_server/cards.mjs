// A game of 120 cards for boardgame.io: hands, a deck, a discard pile, and secrets that are stripped from views.

const CARDS = 120;
const HAND = 5;
export const PLAYERS = 3;
export const NAME = "cards";

function setup({ ctx, random }) {
  const deck = random.Shuffle(Array.from({ length: CARDS }, (_, id) => ({ id, suit: id % 4, rank: id % 30 })));
  const hands = Object.fromEntries(ctx.playOrder.map((player) => [player, deck.splice(0, HAND)]));
  return { deck, hands, discarded: [], points: Object.fromEntries(ctx.playOrder.map((player) => [player, 0])) };
}

function play({ G, playerID, random }, at) {
  const [card] = G.hands[playerID].splice(at, 1);
  if (card === undefined) return "INVALID_MOVE";
  G.points[playerID] += card.rank;
  G.discarded.push(card);
  if (G.deck.length === 0) {
    G.deck = random.Shuffle(G.discarded);
    G.discarded = [];
  }
  G.hands[playerID].push(G.deck.pop());
}

function playerView({ G, playerID }) {
  const hands = Object.fromEntries(
    Object.entries(G.hands).map(([player, hand]) => [player, player === playerID ? hand : hand.length]),
  );
  return { ...G, deck: G.deck.length, hands };
}

export const Cards = {
  name: NAME,
  minPlayers: PLAYERS,
  maxPlayers: PLAYERS,
  setup,
  playerView,
  moves: { play },
  turn: { minMoves: 1, maxMoves: 1 },
};
