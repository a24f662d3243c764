"""Every method the gateway offers, read from the descriptors of the contract."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from grpc_health.v1 import health_pb2

from boardgamesbot.v1 import bots_pb2, matchmaking_pb2, players_pb2, rules_pb2, tables_pb2

HEALTH = "grpc.health.v1.Health"

_SERVICES: Mapping[str, tuple[ServiceDescriptor, ...]] = {
    "rules": (
        rules_pb2.DESCRIPTOR.services_by_name["RulesService"],
        tables_pb2.DESCRIPTOR.services_by_name["TableService"],
        players_pb2.DESCRIPTOR.services_by_name["PlayerService"],
        health_pb2.DESCRIPTOR.services_by_name["Health"],
    ),
    "bots": (bots_pb2.DESCRIPTOR.services_by_name["BotService"],),
    "matchmaking": (matchmaking_pb2.DESCRIPTOR.services_by_name["MatchmakingService"],),
}
"""The services by the server that has them."""

SERVERS = tuple(_SERVICES)
SERVER_OF = {service.full_name: server for server, services in _SERVICES.items() for service in services}


@dataclass(frozen=True)
class Method:
    """A method of a service: unary, or with a stream of responses."""

    path: str
    """`/package.Service/Method`, the same in HTTP as in gRPC."""
    service: str
    server: str
    """The server that has it."""
    request: type[Message]
    response: type[Message]
    is_stream: bool


def _method(server: str, descriptor: MethodDescriptor) -> Method:
    service = descriptor.containing_service
    return Method(
        path=f"/{service.full_name}/{descriptor.name}",
        service=service.full_name,
        server=server,
        request=GetMessageClass(descriptor.input_type),
        response=GetMessageClass(descriptor.output_type),
        is_stream=descriptor.server_streaming,
    )


METHODS: Mapping[str, Method] = {
    method.path: method
    for server, services in _SERVICES.items()
    for service in services
    for method in (_method(server, descriptor) for descriptor in service.methods if not descriptor.client_streaming)
}
"""Every method by its path."""
