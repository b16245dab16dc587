"""Is it so? Reads replies, replays operations, checks datasets."""
