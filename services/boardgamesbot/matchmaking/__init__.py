"""Finding others to play with: MatchmakingService, and the matcher that makes matches and opens their tables."""
