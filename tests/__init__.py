"""Tests of every kind.

The tests start programs while gRPC is at work in their own process. Its fork handlers would wake it up in the child,
where every file is closed before the program begins: now and then that aborts the child.
"""

import os

os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
