"""How clients connect: what is safe to repeat is repeated while a server restarts."""

from __future__ import annotations

import json

_RETRY = {
    "methodConfig": [
        {
            "name": [{}],
            "waitForReady": True,
            "retryPolicy": {
                "maxAttempts": 5,
                "initialBackoff": "0.1s",
                "maxBackoff": "2s",
                "backoffMultiplier": 2,
                "retryableStatusCodes": ["UNAVAILABLE"],
            },
        }
    ]
}

OPTIONS = [
    ("grpc.service_config", json.dumps(_RETRY)),
    ("grpc.enable_retries", 1),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1_000),
]
"""Every method may be repeated: those that change something carry a request id, or change nothing the second time."""

CALL_SECONDS = 15.0
"""How long a call may take, waiting for a server that restarts included."""

RECONNECT_SECONDS = 0.2
"""After so long a stream is asked for again, where the server did not say when."""
