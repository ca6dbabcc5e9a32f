"""Reports of findings: text with code frames, JSON, GitHub annotations, SARIF, statistics."""
