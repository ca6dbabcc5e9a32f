"""Text: reading files, positions, tolerant parsing, notebooks and suppression comments. Knows nothing of torch."""
