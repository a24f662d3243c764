"""Makes the golden records: whole games, by chance, that every later version has to replay to the same end.

    python -m tests.golden.make

Run it only when rules or contract change on purpose, and say why where you commit its outcome.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from random import Random
from typing import Any

from google.protobuf.json_format import MessageToDict

from boardgamesbot.games import registry
from boardgamesbot.games.base import State
from boardgamesbot.games.chance import SEED_BYTES, ChanceStream, commitment
from boardgamesbot.games.record import Record, RecordPlayer, Result
from boardgamesbot.games.record_proto import record_to

FOLDER = Path(__file__).parent

NAMES = ("Ada", "Bruna", "Cesc", "Dolors", "Enric")

GAMES = {
    "agora-3": ("agora", 3, {}),
    "agora-4": ("agora", 4, {}),
    "agora-5": ("agora", 5, {}),
    "agora-4-plain": ("agora", 4, {"backs": "PLAIN"}),
    "agora-3-choose": ("agora", 3, {"take": "CHOOSE"}),
    "agora-5-until": ("agora", 5, {"take_until": "PILES_EMPTY"}),
    "agora-4-choose-until": ("agora", 4, {"take": "CHOOSE", "take_until": "PILES_EMPTY"}),
    "barcelona-2": ("barcelona", 2, {}),
    "barcelona-3": ("barcelona", 3, {}),
    "barcelona-4-first": ("barcelona", 4, {"actions": "FIRST_GAME"}),
    "barcelona-2-passeig": ("barcelona", 2, {"expansion": "PASSEIG_DE_GRACIA"}),
    "barcelona-3-passeig": ("barcelona", 3, {"expansion": "PASSEIG_DE_GRACIA"}),
    "barcelona-4-passeig": ("barcelona", 4, {"expansion": "PASSEIG_DE_GRACIA"}),
    "barcelona-solo-easy": ("barcelona", 2, {"solo": "EASY"}),
    "barcelona-solo-hard-both": ("barcelona", 2, {"solo": "HARD", "solo_actions": "BOTH"}),
    "barcelona-solo-normal-passeig": ("barcelona", 2, {"solo": "NORMAL", "expansion": "PASSEIG_DE_GRACIA"}),
    "barcelona-solo-hard-both-passeig": (
        "barcelona",
        2,
        {"solo": "HARD", "solo_actions": "BOTH", "expansion": "PASSEIG_DE_GRACIA"},
    ),
}
"""By file name: game, players, options other than the defaults."""


def state_hash(state: State) -> str:
    """SHA-256 of everything there is to know of a position, chance included, as JSON with sorted keys."""
    document = MessageToDict(registry.codec(state.game.id).state_to(state))
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


def play(game_id: str, players: int, options: dict[str, str], seed: int) -> tuple[Record, State]:
    """A game to its end, everybody moving by chance; the last seat has resigned, unless a bot of the game has it."""
    game, rng = registry.game(game_id), Random(seed)
    complete, secret = game.complete_options(options), rng.randbytes(SEED_BYTES)
    state, _ = game.new(players, complete, ChanceStream(secret))
    made = []
    while (actor := state.actor) is not None:
        move = rng.choice(state.legal_moves())
        made.append((actor, move))
        state.play(move)
    bots = game.bots_wanted(complete)
    resigned = {players - 1} - bots.keys()
    record = Record(
        game=game,
        options=complete,
        ruleset_hash=game.ruleset.hash,
        players=tuple(RecordPlayer(NAMES[seat], bots.get(seat, ""), seat in resigned) for seat in range(players)),
        seed_commitment=commitment(secret),
        seed=secret,
        moves=tuple(made),
        result=Result(tuple(state.scores()), tuple(state.winners([s for s in range(players) if s not in resigned]))),
    )
    return record, state


def _text(final_state: str, record: dict[str, Any]) -> str:
    """The document as JSON with a line for each move, so that differences can be read."""
    moves = record.pop("moves")
    head = json.dumps({"final_state": final_state, "record": record}, indent=1, ensure_ascii=False)
    body = ",\n".join(f"   {json.dumps(move, separators=(',', ':'))}" for move in moves)
    return head.replace('"record": {', f'"record": {{\n  "moves": [\n{body}\n  ],', 1)


def main() -> None:
    """Write every record beside this script."""
    for number, (name, (game_id, players, options)) in enumerate(GAMES.items()):
        record, state = play(game_id, players, options, number)
        text = _text(state_hash(state), MessageToDict(record_to(record)))
        (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
