"""The story over time: one lane an event. Drag over days to select, click a dot to read."""

from pages.parts import current, explore, frame, timeline
from pages.parts.hints import say

# ask: the current run is chosen in the sidebar

# call
view = current.view()
timeline.warm()

# show
if view is None:
    frame.no_run(say("no_run"))
else:
    frame.header(view.report, len(view.selected))
    explore.draw(view)
