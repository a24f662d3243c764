"""What every service process shares: settings, logs, tokens, errors, and the way a gRPC server is run."""
