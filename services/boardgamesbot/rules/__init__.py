"""The rules server: RulesService (stateless), TableService (the only writer of a game), PlayerService."""
