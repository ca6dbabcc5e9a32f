"""Findings in public code that were read and judged: facts only, and what the analyser makes of those places."""
