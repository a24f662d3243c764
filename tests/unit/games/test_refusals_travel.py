"""A refusal that is raised in a worker process arrives in the one that waits for it."""

from __future__ import annotations

import pickle

from boardgamesbot.games import registry
from boardgamesbot.games.base import IllegalMove, Malformed


def test_refusals_survive_the_way_between_processes() -> None:
    rule = registry.game("agora").rules["AG-P2.3"]
    refused = pickle.loads(pickle.dumps(IllegalMove(rule, "it would be shared", {"district": "Gràcia"})))
    assert (refused.rule, refused.reason, refused.details) == (rule, "it would be shared", {"district": "Gràcia"})
    wrong = pickle.loads(pickle.dumps(Malformed("move.to", "is no district")))
    assert (wrong.field, wrong.reason, str(wrong)) == ("move.to", "is no district", "move.to: is no district")
