"""BoardGamesBot: a network platform for two board games set in Barcelona."""

from importlib.metadata import version

__version__ = version("boardgamesbot")
