"""Keeps what gRPC's core has to say from the terminals of people, and from logs that machines read.

To be imported before grpc is. What matters comes as an exception as well; GRPC_VERBOSITY=error brings it all back.
"""

import os

os.environ.setdefault("GRPC_VERBOSITY", "NONE")
