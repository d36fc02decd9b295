"""Corpora written for the judge's tests; all handles are invented."""

from __future__ import annotations

TOPIC = "Rome Italy"

GOOD_EIGHT = (
    ("rome_desk", "Rome city council votes on new tram line to the Vatican, Italy's largest transport plan"),
    ("rome_desk", "Heavy rain closes three metro stations in Rome this morning"),
    ("rome_desk", "Rome mayor: restoration of the Colosseum's third ring starts in spring"),
    ("giulia_writes", "Italy opens the reopened imperial forum in Rome to visitors"),
    ("tiber_watch", "The Tiber rose two metres in Rome overnight, bridges stay open"),
    ("marco_field", "Taxi strike in Rome and Milan on Friday, says the Italy drivers union"),
    ("lena_travels", "Queues at Rome Termini after the Italy rail outage, trains back now"),
    ("old_maps_club", "Found a 1748 map of Rome, Italy in the library basement"),
)

_BAIT = (
    "Follow and repost to win a phone today",
    "You will not believe this one trick",
    "Good morning everyone, have a great day",
    "My cat did the funniest thing again",
    "Drop your wallet below for the airdrop",
    "Who else is watching the match tonight",
    "Ten habits of rich people, thread",
    "Sign up now, link in my profile",
)

OFF_32 = tuple((f"bait_account_{n % 4}", f"{_BAIT[n % 8]} {n}") for n in range(32))

CORPUS_A = (*GOOD_EIGHT, *OFF_32)
"""8 on topic by several accounts, one with three; 32 plainly off topic."""

COLLISIONS = (
    ("curva_fan_77", "AS Rome FC sign a striker, training at noon before the derby"),
    ("gridiron_gus", "Rome Odell with nine catches and two touchdowns, what a wide receiver"),
    ("gridiron_gus", "Rome Odell is the best wide receiver of this draft class"),
    ("peach_county", "Rome Georgia school board meets Tuesday about the new bus routes"),
    ("mohawk_daily", "Snow emergency in Rome New York, school closed, says the county"),
    ("curva_fan_77", "Rome FC lost again, the coach has to go"),
)
OFF_26 = OFF_32[:26]

CORPUS_B = (*GOOD_EIGHT, *COLLISIONS, *OFF_26)
"""40 posts: eight real ones, six that hold the word but mean a club, an athlete or another city, 26 plainly off."""


def mappings(rows: tuple[tuple[str, str], ...]) -> list[dict[str, str]]:
    """Rows as an imported file would give them."""
    return [{"id": str(n), "author": handle, "text": text} for n, (handle, text) in enumerate(rows, 1)]
