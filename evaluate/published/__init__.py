"""Scores replies to four published test sets from their own question files, and lists those files' key errors."""
