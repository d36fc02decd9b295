"""The steps of the X stream, a file each, in the order of stream.py: ask, corpus, retry, prune, lane, budget, end."""
