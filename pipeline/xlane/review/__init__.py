"""What the judge did, as an analyst reads it: one shape for the posts of a run and for those of a file.

    review = review_run(report, "x", floors=Floors.of(settings.pipeline.x))
    review.headline          "Off-topic flood: 8 of 40 posts were about “Rome Italy” (0.20, floor 0.40). A wider ..."
    review.those("off")      what was pruned, the nearest miss first

Pure: it reads records, judges only the file it is given, and asks nobody.
"""

from pipeline.xlane.review.of_file import review_file
from pipeline.xlane.review.of_run import judged_sources, review_run
from pipeline.xlane.review.shape import FATES, Fate, JudgedPost, Review

__all__ = ["FATES", "Fate", "JudgedPost", "Review", "judged_sources", "review_file", "review_run"]
