"""What a server answers that can't do something now is known for that, so that nobody takes it for a fault of ours."""

from __future__ import annotations

import pytest
from redis.asyncio import Redis

from boardgamesbot.store import UNAVAILABLE
from boardgamesbot.store.embedded import EmbeddedServer
from boardgamesbot.store.errors import ReplyParser, TooFewReplicas
from boardgamesbot.store.tables import TableStore
from tests.integration.store.commits import commit, create


@pytest.mark.parametrize(
    "answer",
    [
        "NOREPLICAS Not enough good replicas to write.",
        "MISCONF Errors writing to the AOF file: No space left on device",
        "LOADING Redis is loading the dataset in memory",
        "CLUSTERDOWN The cluster is down",
        "TRYAGAIN Multiple keys request during rehashing of slot",
        "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
        "READONLY You can't write against a read only replica.",
        "OOM command not allowed when used memory > 'maxmemory'.",
        "BUSY Redis is busy running a script.",
        "UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)",
    ],
)
def test_an_answer_that_may_be_another_one_later(answer: str) -> None:
    assert isinstance(ReplyParser.parse_error(answer), UNAVAILABLE)


@pytest.mark.parametrize("answer", ["WRONGTYPE Operation against a key", "ERR unknown command", "CROSSSLOT Keys"])
def test_an_answer_that_stays_what_it_is(answer: str) -> None:
    assert not isinstance(ReplyParser.parse_error(answer), UNAVAILABLE)


async def test_a_master_that_wants_replicas_refuses_a_commit_for_now(
    own_server: EmbeddedServer, own_redis: Redis
) -> None:
    store = TableStore(own_redis)
    table_id = await create(store)
    await own_redis.config_set("min-replicas-to-write", 1)
    with pytest.raises(TooFewReplicas):
        await store.commit(commit(table_id, 1))
    assert await store.version(table_id) == 1
    await own_redis.config_set("min-replicas-to-write", 0)
    assert (await store.commit(commit(table_id, 1))).version == 2
