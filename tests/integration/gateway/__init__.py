"""The gateway, in front of real servers."""
