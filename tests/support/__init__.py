"""What tests share: servers that break on purpose, and waiting without sleeping."""
