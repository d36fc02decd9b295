"""The network seam: one client a run with its limits and guards, recordings that stand in for it, robots.txt.

Nothing outside this package imports httpx; inside it only `transport` does, so a run that is played from a
recording never loads it.
"""

from pipeline.net.client import Net
from pipeline.net.recording import Exchange, Player, Recorder, Recording, load

__all__ = ["Exchange", "Net", "Player", "Recorder", "Recording", "load"]
