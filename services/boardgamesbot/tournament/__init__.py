"""Tournaments of bots: who plays whom where, the games played in processes of their own, and what came of them."""
