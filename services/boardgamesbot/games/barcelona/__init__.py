"""Barcelona and its expansion Passeig de Gràcia."""

from boardgamesbot.games.barcelona.game import Barcelona

__all__ = ["Barcelona"]
