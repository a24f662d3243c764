"""Where finished tables are kept for good: a folder, or a bucket of an S3-like store."""
