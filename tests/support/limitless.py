"""Settings without limits on how much one person or one address may ask, for crowds that live in one process."""

from __future__ import annotations

from collections.abc import Mapping

SETTINGS: Mapping[str, float | int] = {
    "quota_seconds": 1e6,
    "quota_refill": 1e4,
    "gateway_requests_per_second": 1e5,
    "gateway_burst": 10**6,
    "gateway_streams": 10**6,
    "address_calls_per_second": 1e5,
    "address_burst": 10**6,
    "address_streams": 10**6,
    "address_guests_per_minute": 1e6,
    "player_calls_per_second": 1e5,
    "player_burst": 10**6,
    "player_streams": 10**6,
    "player_open_tables": 10**6,
    "player_tables_per_minute": 1e6,
}

ENVIRONMENT: Mapping[str, str] = {f"BGB_{name.upper()}": str(value) for name, value in SETTINGS.items()}
"""The same for processes."""
