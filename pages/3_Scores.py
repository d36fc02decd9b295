"""Take scores apart: every item from 0 to its total, and what other weights, decay, line or authority would change."""

from pages.parts import current, frame, scores, timeline
from pages.parts.hints import say

# ask: the current run is chosen in the sidebar, the item in the address or in the table

# call
view = current.view()
timeline.warm()

# show
if view is None:
    frame.no_run(say("no_run"))
else:
    frame.header(view.report, len(view.selected))
    scores.draw(view)
