"""The Python SDK: sign in, find or open a table, watch it, play.

async with Client("127.0.0.1:7410", bots="127.0.0.1:7411", matchmaking="127.0.0.1:7412") as client:
    await client.sign_in("Ada")
    ...
"""

from boardgamesbot.client.client import Client
from boardgamesbot.client.errors import Refused, refusal_of
from boardgamesbot.client.sync import SyncClient
from boardgamesbot.client.tickets import Wishes, new_request_id

__all__ = ["Client", "Refused", "SyncClient", "Wishes", "new_request_id", "refusal_of"]
