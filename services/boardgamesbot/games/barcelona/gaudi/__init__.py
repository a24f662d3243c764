"""Gaudí, the solo opponent: his cards, his priorities, and his turn (BA-G1 to BA-G17)."""

SEAT = 1
"""His seat; the person has the other."""
DIFFICULTIES = ("EASY", "NORMAL", "HARD")
