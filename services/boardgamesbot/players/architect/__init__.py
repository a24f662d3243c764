"""The strong bot of Barcelona: whole turns, weighed by what the rounds after them bring."""
