"""Barcelona in words, and its boards for a terminal."""

from boardgamesbot.games.barcelona.words.text import BarcelonaWords

__all__ = ["BarcelonaWords"]
