"""The Agora AI: information-set Monte Carlo tree search, guided by chances that were learned from its own games."""
