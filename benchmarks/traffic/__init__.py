"""A load generator against any deployment: people, bots, watchers and seekers, who come when they come.

Arrivals are open-loop: when a move is due was drawn before anything was sent, and its latency counts from then. A
server that stalls delays nobody's next move, and its stall is seen by all who came meanwhile.
"""
