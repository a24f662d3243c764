"""The Python SDK: sign in, find or open a table, watch it, play.

async with Client("127.0.0.1:7410", bots="127.0.0.1:7411") as client:
    await client.sign_in("Ada")
    ...
"""

from boardgamesbot.client.client import Client, new_request_id
from boardgamesbot.client.errors import Refused, refusal_of
from boardgamesbot.client.sync import SyncClient

__all__ = ["Client", "Refused", "SyncClient", "new_request_id", "refusal_of"]
