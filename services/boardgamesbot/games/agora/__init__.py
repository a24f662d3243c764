"""Agora Barcelona: data, rules, positions, views, words and messages."""

from boardgamesbot.games.agora.game import Agora

__all__ = ["Agora"]
