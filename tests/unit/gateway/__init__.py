"""The gateway without a network."""
