"""The brains of the bots: pure, and given no more than a seat may know."""
