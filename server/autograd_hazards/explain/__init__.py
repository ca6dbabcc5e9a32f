"""Findings told to people: their story, their timeline, the page of their rule. No protocol types here."""
