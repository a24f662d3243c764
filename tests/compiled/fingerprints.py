"""`python -m tests.compiled.fingerprints`: what random games come to, as hashes; the same for the same rules.

Prints how the engines run, for every way to play a hash of all legal moves and all states of its games,
and for some bots a hash of what they think, as JSON.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from random import Random

from boardgamesbot import compiled
from boardgamesbot.games.chance import SEED_BYTES, ChanceStream
from boardgamesbot.games.proto import Codec
from boardgamesbot.games.registry import CODECS
from boardgamesbot.players.base import Budget
from boardgamesbot.players.registry import BOTS

GAMES = 8
"""Random games of each way to play."""
WAYS: tuple[tuple[str, int, Mapping[str, str]], ...] = (
    ("agora", 3, {}),
    ("agora", 4, {}),
    ("agora", 5, {}),
    ("barcelona", 2, {}),
    ("barcelona", 2, {"expansion": "PASSEIG_DE_GRACIA"}),
    ("barcelona", 3, {"expansion": "PASSEIG_DE_GRACIA"}),
    ("barcelona", 4, {}),
    ("barcelona", 2, {"solo": "HARD", "solo_actions": "BOTH", "expansion": "PASSEIG_DE_GRACIA"}),
)

BOTS_THINKING = (("agora", "agora", 4), ("architect", "barcelona", 2), ("greedy", "barcelona", 2))
"""Bots whose thoughts are compared too, with the game and the number of players."""
DECISIONS = 6
ITERATIONS = 20


def fingerprint(codec: Codec, players: int, options: Mapping[str, str], games: int) -> str:
    """The hash of so many random games: of the legal moves at every decision, and of every state and view."""
    seen, rng = hashlib.sha256(), Random(f"{codec.game.id} {players} {sorted(options.items())}")
    for _ in range(games):
        state, _ = codec.game.new(
            players, codec.game.complete_options(options), ChanceStream(rng.randbytes(SEED_BYTES))
        )
        while True:
            seen.update(codec.state_to(state).SerializeToString(deterministic=True))
            if state.is_over:
                break
            legal = state.legal_moves()
            seen.update(json.dumps(legal).encode())
            view = state.view(state.actor)
            seen.update(json.dumps(view.determinize(Random(len(legal))).legal_moves()).encode())
            state = state.copy()
            state.play(rng.choice(legal))
        seen.update(json.dumps([state.scores(), state.winners()]).encode())
    return seen.hexdigest()


def thoughts(bot: str, codec: Codec, players: int) -> str:
    """The hash of what a bot makes of some decisions of a random game, within a budget of iterations."""
    seen, rng = hashlib.sha256(), Random(f"{bot} {players}")
    brain = BOTS[bot].brains[codec.game.id]
    state, _ = codec.game.new(players, codec.game.complete_options({}), ChanceStream(rng.randbytes(SEED_BYTES)))
    made = 0
    while made < DECISIONS and not state.is_over:
        legal = state.legal_moves()
        if len(legal) > 4 and rng.random() < 0.2:
            *_, last = brain.think(state.view(state.actor), Random(made), Budget(iterations=ITERATIONS), {})
            seen.update(repr(last).encode())
            made += 1
        state.play(rng.choice(legal))
    return seen.hexdigest()


def main() -> None:
    """Print them."""
    found = {
        f"{game} {players} {' '.join(options.values())}".strip(): fingerprint(CODECS[game], players, options, GAMES)
        for game, players, options in WAYS
    }
    for bot, game, players in BOTS_THINKING:
        found[f"{bot} thinks"] = thoughts(bot, CODECS[game], players)
    print(json.dumps({"compiled": compiled.compiled(), "strays": compiled.strays(), "games": found}))  # noqa: T201


if __name__ == "__main__":
    main()
