"""The rules of the games: pure, without I/O, clock, or any chance but what they are given."""
