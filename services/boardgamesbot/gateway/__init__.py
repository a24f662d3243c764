"""The gateway: every service over plain HTTP (Connect, gRPC-Web, JSON lines), and the page, on one port."""
