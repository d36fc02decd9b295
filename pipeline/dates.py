"""Dates as strings -> evidence: every date format that feeds, pages, addresses and texts use."""
