"""BoardGamesBot: a network platform for two board games set in Barcelona."""

from importlib.metadata import version

from boardgamesbot import compiled

__version__ = version("boardgamesbot")

compiled.check()
