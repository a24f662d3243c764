"""The contract in Python: generated from protos/ by `make protos`, never edited."""
