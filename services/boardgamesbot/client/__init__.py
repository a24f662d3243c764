"""The Python SDK: sign in, find or open a table, watch it, play.

async with Client() as client:
    await client.sign_in("Ada")
    table = await client.start_against("agora", "greedy", "greedy")
    async for turn in client.turns(table.id):
        await turn.moves[0].play()

`BlockingClient` is the same without `async`.
"""

from boardgamesbot.client.addresses import Addresses, usual_addresses
from boardgamesbot.client.blocking import BlockingClient, BlockingMove, BlockingTurn
from boardgamesbot.client.channel import Tls
from boardgamesbot.client.client import Client
from boardgamesbot.client.errors import Refused, refusal_of
from boardgamesbot.client.joining import Found, NoMatch
from boardgamesbot.client.sync import SyncClient
from boardgamesbot.client.thinking import Position, Thinking
from boardgamesbot.client.tickets import Wishes, new_request_id
from boardgamesbot.client.turns import Move, Turn

__all__ = [
    "Addresses",
    "BlockingClient",
    "BlockingMove",
    "BlockingTurn",
    "Client",
    "Found",
    "Move",
    "NoMatch",
    "Position",
    "Refused",
    "SyncClient",
    "Thinking",
    "Tls",
    "Turn",
    "Wishes",
    "new_request_id",
    "refusal_of",
    "usual_addresses",
]
